//! The naive definition of what a session finds: after every step, try every start, every period, every pass.
//!
//! Slow and plain on purpose. Outputs are small numbers, the same in substance when they are equal.

pub mod engine;

use std::collections::{BTreeMap, BTreeSet};

/// One step of a test trace, by a single agent.
#[derive(Clone, PartialEq)]
pub struct Step {
    pub what: What,
    /// `None`: missing evidence.
    pub output: Option<u8>,
    pub error: bool,
    pub turn: Option<u64>,
    pub progress: bool,
    pub tokens: u64,
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.what)?;
        write!(f, " -> {:?}{}", self.output, if self.error { " error" } else { "" })?;
        write!(f, " turn {:?}{} {}t", self.turn, if self.progress { " progress" } else { "" }, self.tokens)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A call of tool `tool` with argument `argument`.
    Call {
        tool: u8,
        argument: u8,
    },
    Summary,
    /// Input from outside; equal numbers are equal texts.
    User(u8),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Rule {
    pub min_repeats: Option<u32>,
    pub exempt: bool,
    pub stable: bool,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub min_repeats: u32,
    pub max_unit: usize,
    pub all_positions: bool,
    pub max_steps: Option<u64>,
    pub max_tokens: Option<u64>,
    pub recurrence: u32,
    pub recurrence_errors: u32,
    pub within: u64,
    pub stagnation: u32,
    pub rules: BTreeMap<u8, Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    pub kind: &'static str,
    pub start: u64,
    pub end: u64,
    pub period: u32,
    pub passes: u32,
    pub stagnant_positions: Vec<u32>,
    pub earliest_step: u64,
    pub inconclusive: bool,
}

/// Everything that a session finds in these steps.
pub fn findings(steps: &[Step], options: &Options) -> BTreeSet<Found> {
    let mut oracle = Oracle { options, ..Oracle::new(options) };
    for (index, step) in steps.iter().enumerate() {
        oracle.step(index as u64, step);
    }
    oracle.end_segment(steps.len().saturating_sub(1) as u64);
    let told = oracle.told.into_iter().map(|told| told.found);
    told.chain(oracle.loose.into_iter().map(|loose| loose.found)).chain(oracle.limits).collect()
}

/// A call or summary in a turn: what it is, and what came of it.
type Call = (u8, u8);
const SUMMARY: Call = (255, 255);

#[derive(Clone, Debug)]
struct Turn {
    number: u64,
    first: u64,
    last: u64,
    /// In the order of their first appearance.
    members: Vec<(Call, Option<u8>)>,
}

impl Turn {
    fn set(&self) -> BTreeSet<Call> {
        self.members.iter().map(|(call, _)| *call).collect()
    }

    fn output(&self, call: Call) -> Option<u8> {
        self.members.iter().find(|(known, _)| *known == call).expect("the sets are equal").1
    }
}

#[derive(Clone, Debug)]
struct Run {
    first: usize,
    period: usize,
    active: bool,
    start: u64,
    end: u64,
    passes: u32,
    required: u32,
    positions: u32,
    summary: bool,
    exempt: bool,
    /// Period of the calls that the unit repeats.
    calls_period: usize,
    stagnant_positions: BTreeSet<u32>,
    unproductive: bool,
    inconclusive_since: Option<u64>,
}

struct Told {
    found: Found,
    /// First symbol and period of the run in its view, and of the run of the calls view over the same calls.
    own: (usize, usize),
    of_calls: bool,
    anchor: Option<(usize, usize)>,
    over: bool,
}

struct Loose {
    found: Found,
    counted: BTreeSet<u64>,
}

#[derive(Clone, Copy)]
struct Occurrence {
    ordinal: u64,
    index: u64,
    turn: u64,
    call: Call,
    output: (u8, bool),
    segment: u64,
}

struct Oracle<'a> {
    options: &'a Options,
    segment: Vec<(u64, u64, Step)>,
    turn: u64,
    turn_id: Option<u64>,
    last_user: Option<u8>,
    counted: u64,
    tokens: u64,
    segments: u64,
    told: Vec<Told>,
    over_inconclusive: BTreeMap<(usize, usize), Option<Run>>,
    /// Run of the calls view that waits for the other view.
    withheld: Vec<Run>,
    occurrences: Vec<Occurrence>,
    row: Vec<Occurrence>,
    row_finding: Option<usize>,
    loose: Vec<Loose>,
    limits: Vec<Found>,
}

impl<'a> Oracle<'a> {
    fn new(options: &'a Options) -> Self {
        Oracle {
            options,
            segment: Vec::new(),
            turn: 0,
            turn_id: None,
            last_user: None,
            counted: 0,
            tokens: 0,
            segments: 0,
            told: Vec::new(),
            over_inconclusive: BTreeMap::new(),
            withheld: Vec::new(),
            occurrences: Vec::new(),
            row: Vec::new(),
            row_finding: None,
            loose: Vec::new(),
            limits: Vec::new(),
        }
    }

    fn step(&mut self, index: u64, step: &Step) {
        if let What::User(text) = step.what {
            if self.last_user != Some(text) {
                self.end_segment(index);
                self.segments += 1;
            }
            self.last_user = Some(text);
            return;
        }
        self.counted += 1;
        if step.turn.is_none() || step.turn != self.turn_id {
            self.turn += 1;
        }
        self.turn_id = step.turn;
        self.segment.push((index, self.turn, step.clone()));
        self.cycles(index);
        self.recurrence(index, step);
        self.stagnation(index, step);
        self.budgets(index, step.tokens);
        if step.progress {
            self.end_segment(index);
            self.occurrences.clear();
        }
    }

    fn end_segment(&mut self, now: u64) {
        let (calls, _) = self.runs_of_both_views();
        for run in &calls {
            let key = (run.first, run.period);
            if self.is_told(key) || run.exempt {
                continue;
            }
            if run.unproductive {
                self.tell(run, true, Some(key), now, false);
                continue;
            }
            let over = self.over_inconclusive.get(&key).cloned().flatten();
            let judged = over.as_ref().unwrap_or(run);
            if let Some(since) = judged.inconclusive_since {
                self.tell(&judged.clone(), false, Some(key), since, true);
            }
        }
        let (_, all) = self.runs_of_both_views();
        for run in all.iter().filter(|run| run.calls_period == 0) {
            let told =
                self.told.iter().any(|t| !t.over && t.anchor.is_none() && t.own == (run.first, run.period));
            if let (false, false, Some(since)) = (told, run.unproductive, run.inconclusive_since) {
                self.tell(run, false, None, since, true);
            }
        }
        self.told.iter_mut().for_each(|told| told.over = true);
        self.segment.clear();
        self.turn_id = None;
        self.over_inconclusive.clear();
        self.withheld.clear();
        self.row.clear();
        self.row_finding = None;
    }

    fn cycles(&mut self, now: u64) {
        let (calls, all) = self.runs_of_both_views();
        self.withheld.clear();
        for run in &calls {
            let key = (run.first, run.period);
            if self.is_told(key) || run.exempt {
                continue;
            }
            let same_calls = |other: &&Run| {
                run.active && other.active && other.summary && other.calls_period == run.period
            };
            let over: Vec<&Run> =
                all.iter().filter(same_calls).filter(|other| other.passes >= other.required).collect();
            if !over.is_empty() {
                let inconclusive = over.iter().find(|other| other.inconclusive_since.is_some());
                self.over_inconclusive.insert(key, inconclusive.map(|run| (*run).clone()));
            }
            if let Some(unproductive) = over.iter().find(|other| other.unproductive) {
                self.tell(unproductive, false, Some(key), now, false);
            } else if run.unproductive {
                let two_passes = self.two_passes_over(run);
                if run.active && over.is_empty() && two_passes {
                    self.withheld.push(run.clone());
                } else {
                    self.tell(run, true, Some(key), now, false);
                }
            }
        }
        for run in all.iter().filter(|run| run.calls_period == 0 && run.unproductive) {
            let told =
                self.told.iter().any(|t| !t.over && t.anchor.is_none() && t.own == (run.first, run.period));
            if !told {
                self.tell(run, false, None, now, false);
            }
        }
        self.grow(&calls, &all);
    }

    fn grow(&mut self, calls: &[Run], all: &[Run]) {
        let find = |runs: &[Run], key: (usize, usize)| {
            runs.iter().find(|run| (run.first, run.period) == key).cloned()
        };
        for told in self.told.iter_mut().filter(|told| !told.over) {
            let anchor = told.anchor.and_then(|key| find(calls, key));
            let own = if told.of_calls { anchor.clone() } else { find(all, told.own) };
            if let Some(own) = &own {
                told.found.end = told.found.end.max(own.end);
                told.found.passes = told.found.passes.max(own.passes);
                let mut positions: BTreeSet<u32> = told.found.stagnant_positions.iter().copied().collect();
                positions.extend(&own.stagnant_positions);
                told.found.stagnant_positions = positions.into_iter().collect();
            }
            if let Some(anchor) = &anchor {
                told.found.end = told.found.end.max(anchor.end);
                for over in all.iter().filter(|over| {
                    anchor.active
                        && over.active
                        && over.summary
                        && over.calls_period == anchor.period
                        && over.passes >= over.required
                }) {
                    told.found.end = told.found.end.max(over.end);
                }
            }
        }
    }

    fn is_told(&self, anchor: (usize, usize)) -> bool {
        self.told.iter().any(|told| !told.over && told.anchor == Some(anchor))
    }

    fn tell(
        &mut self,
        run: &Run,
        of_calls: bool,
        anchor: Option<(usize, usize)>,
        earliest_step: u64,
        inconclusive: bool,
    ) {
        let found = Found {
            kind: "cycle",
            start: run.start,
            end: run.end,
            period: run.positions,
            passes: run.passes,
            stagnant_positions: run.stagnant_positions.iter().copied().filter(|_| !inconclusive).collect(),
            earliest_step,
            inconclusive,
        };
        self.told.push(Told { found, own: (run.first, run.period), of_calls, anchor, over: false });
    }

    fn turns(&self, with_summaries: bool) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        for (index, number, step) in &self.segment {
            let call = match step.what {
                What::Call { tool, argument } => (tool, argument),
                What::Summary if with_summaries => SUMMARY,
                _ => continue,
            };
            if turns.last().is_none_or(|turn| turn.number != *number) {
                turns.push(Turn { number: *number, first: *index, last: *index, members: Vec::new() });
            }
            let turn = turns.last_mut().expect("a turn is open");
            turn.last = *index;
            // An error and a success are different, whatever their texts.
            let output = step.output.map(|text| 2 * text + u8::from(step.error));
            match turn.members.iter_mut().find(|(known, _)| *known == call) {
                Some(known) => known.1 = output.or(known.1),
                None => turn.members.push((call, output)),
            }
        }
        turns
    }

    fn runs_of_both_views(&self) -> (Vec<Run>, Vec<Run>) {
        let enough = |run: &Run| run.passes >= run.required;
        let calls = self.runs(&self.turns(false)).into_iter().filter(enough).collect();
        let all = self.runs(&self.turns(true)).into_iter().filter(|run| run.summary && enough(run)).collect();
        (calls, all)
    }

    fn two_passes_over(&self, calls: &Run) -> bool {
        self.runs(&self.turns(true))
            .iter()
            .any(|run| run.active && run.summary && run.passes >= 2 && run.calls_period == calls.period)
    }

    /// All maximal stretches with a primitive unit and at least two passes.
    fn runs(&self, turns: &[Turn]) -> Vec<Run> {
        let sets: Vec<BTreeSet<Call>> = turns.iter().map(Turn::set).collect();
        let mut runs = Vec::new();
        for period in 1..=self.options.max_unit {
            for first in 0..sets.len() {
                let repeats = |at: usize| at >= period && at < sets.len() && sets[at] == sets[at - period];
                let mut length = period;
                while repeats(first + length) {
                    length += 1;
                }
                let maximal = first == 0 || !repeats(first + period - 1);
                if length < 2 * period || !maximal {
                    continue;
                }
                let unit = &sets[first..first + period];
                let power = (1..period)
                    .any(|d| period.is_multiple_of(d) && (d..period).all(|i| unit[i] == unit[i - d]));
                if !power {
                    runs.push(self.run(turns, first, period, length));
                }
            }
        }
        runs
    }

    fn rule(&self, call: Call) -> Rule {
        self.options.rules.get(&call.0).copied().unwrap_or_default()
    }

    fn run(&self, turns: &[Turn], first: usize, period: usize, length: usize) -> Run {
        let positions: Vec<(usize, Call)> = (0..period)
            .flat_map(|offset| turns[first + offset].members.iter().map(move |(call, _)| (offset, *call)))
            .collect();
        let own = |call: Call| self.rule(call).min_repeats.unwrap_or(self.options.min_repeats);
        let calls: Vec<Call> =
            positions.iter().map(|(_, call)| *call).filter(|call| *call != SUMMARY).collect();
        let required = calls.iter().map(|call| own(*call)).min().unwrap_or(self.options.min_repeats);
        let calls_exempt = !calls.is_empty() && calls.iter().all(|call| self.rule(*call).exempt);
        let exempt = |call: Call| if call == SUMMARY { calls_exempt } else { self.rule(call).exempt };
        let needs = |call: Call| if call == SUMMARY { required } else { own(call) };
        let never = |call: Call| exempt(call) || (call != SUMMARY && self.rule(call).stable);
        let passes = length / period;
        let output =
            |pass: usize, (offset, call): (usize, Call)| turns[first + pass * period + offset].output(call);

        let mut stagnant_positions = BTreeSet::new();
        let mut unproductive = false;
        let mut inconclusive_since = None;
        for done in required as usize..=passes {
            let latest = |position: (usize, Call)| -> Vec<Option<u8>> {
                let from = done.saturating_sub(needs(position.1) as usize);
                (from..done).map(|pass| output(pass, position)).collect()
            };
            let stagnant = |position: (usize, Call)| {
                let outputs = latest(position);
                !never(position.1)
                    && outputs.len() == needs(position.1) as usize
                    && outputs.iter().all(|output| output.is_some() && *output == outputs[0])
            };
            let mut with_evidence = 0;
            let mut still = 0;
            let mut differ = false;
            for (number, position) in positions.iter().enumerate() {
                let known: BTreeSet<u8> = latest(*position).into_iter().flatten().collect();
                differ |= known.len() > 1;
                with_evidence += usize::from(!never(position.1) && !known.is_empty());
                if stagnant(*position) {
                    still += 1;
                    stagnant_positions.insert(number as u32);
                }
            }
            unproductive |= still > 0 && (!self.options.all_positions || still == with_evidence);
            if unproductive || differ {
                inconclusive_since = None;
            } else if inconclusive_since.is_none() {
                // The step that completed the pass; exact, because a closed turn ends with its last new step.
                inconclusive_since = Some(turns[first + done * period - 1].last);
            }
        }
        let projection: Vec<BTreeSet<Call>> = (0..period)
            .map(|offset| {
                let calls = turns[first + offset].set();
                calls.into_iter().filter(|call| *call != SUMMARY).collect::<BTreeSet<Call>>()
            })
            .filter(|calls| !calls.is_empty())
            .collect();
        let root = (1..=projection.len())
            .find(|d| {
                projection.len().is_multiple_of(*d)
                    && (*d..projection.len()).all(|i| projection[i] == projection[i - d])
            })
            .unwrap_or(0);
        Run {
            first,
            period,
            active: first + length == turns.len(),
            start: turns[first].first,
            end: turns[first + length - 1].last,
            passes: passes as u32,
            required,
            positions: positions.len() as u32,
            summary: positions.iter().any(|(_, call)| *call == SUMMARY),
            exempt: positions.iter().all(|(_, call)| exempt(*call)),
            calls_period: root,
            stagnant_positions,
            unproductive,
            inconclusive_since,
        }
    }

    fn covered(&self, index: u64) -> bool {
        let told = self.told.iter().filter(|told| !told.found.inconclusive);
        told.map(|told| (told.found.start, told.found.end))
            .chain(self.withheld.iter().map(|run| (run.start, run.end)))
            .any(|(start, end)| start <= index && index <= end)
    }

    fn occurrence(&self, index: u64, call: Call, output: (u8, bool)) -> Occurrence {
        Occurrence { ordinal: self.counted, index, turn: self.turn, call, output, segment: self.segments }
    }

    fn takes_part(&self, step: &Step) -> Option<Call> {
        let What::Call { tool, argument } = step.what else {
            return None;
        };
        let rule = self.rule((tool, argument));
        (step.output.is_some() && !rule.exempt && !rule.stable).then_some((tool, argument))
    }

    fn recurrence(&mut self, index: u64, step: &Step) {
        let Some(call) = self.takes_part(step) else {
            return;
        };
        let output = (step.output.expect("it takes part"), step.error);
        let within = |known: &Occurrence| known.ordinal + self.options.within > self.counted;
        self.occurrences.retain(within);
        let again = |known: &&mut Occurrence| known.turn == self.turn && known.call == call;
        if let Some(known) = self.occurrences.iter_mut().find(again) {
            if known.output != output {
                for loose in &mut self.loose {
                    loose.counted.remove(&known.index);
                }
            }
            known.output = output;
            return;
        }
        let now = self.occurrence(index, call, output);
        if !self.covered(index) {
            let same: Vec<Occurrence> = self
                .occurrences
                .iter()
                .copied()
                .filter(|known| {
                    known.call == call
                        && known.output == output
                        && (known.segment == now.segment || step.error)
                        && !self.covered(known.index)
                })
                .collect();
            let open = self.loose.iter_mut().filter(|loose| loose.found.kind == "recurrence");
            let own = self.options.rules.get(&call.0).and_then(|rule| rule.min_repeats).unwrap_or(0);
            let min = if step.error { self.options.recurrence_errors } else { self.options.recurrence };
            let latest_counted = |loose: &&mut Loose| {
                same.iter().rev().find(|known| loose.counted.contains(&known.index)).is_some()
            };
            // The finding that counted the newest of them that any finding counted.
            let mut candidates: Vec<&mut Loose> = open.filter(latest_counted).collect();
            if let Some(known) = candidates.last_mut() {
                known.found.end = index;
                known.found.passes += 1;
                known.counted.insert(index);
            } else if same.len() as u32 + 1 >= min.max(own) {
                let counted = same.iter().map(|known| known.index).chain([index]).collect();
                let found = loose("recurrence", same[0].index, index, same.len() as u32 + 1);
                self.loose.push(Loose { found, counted });
            }
        }
        self.occurrences.push(now);
    }

    fn stagnation(&mut self, index: u64, step: &Step) {
        if step.what == What::Summary {
            return;
        }
        let Some(call) = self.takes_part(step) else {
            self.row.clear();
            self.row_finding = None;
            return;
        };
        let output = (step.output.expect("it takes part"), step.error);
        let again = |known: &&mut Occurrence| known.turn == self.turn && known.call == call;
        if self.row.first().is_none_or(|known| known.call.0 == call.0)
            && let Some(known) = self.row.iter_mut().find(again)
        {
            known.output = output;
            return;
        }
        let breaks = self.row.iter().rposition(|known| known.call.0 != call.0 || known.output != output);
        if let Some(at) = breaks {
            // An equal call later in the row has cut it already: what came before it is not looked at.
            let cut = self.row.iter().rposition(|known| known.call == call);
            if cut.is_none_or(|cut| at > cut) || self.row[at].call.0 != call.0 {
                self.row_finding = None;
            }
            self.row.drain(..=at.max(cut.unwrap_or(0)));
        }
        if let Some(at) = self.row.iter().rposition(|known| known.call == call) {
            self.row.drain(..=at);
        }
        let now = self.occurrence(index, call, output);
        self.row.push(now);
        let own = self.options.rules.get(&call.0).and_then(|rule| rule.min_repeats).unwrap_or(0);
        if let Some(known) = self.row_finding {
            self.loose[known].found.end = index;
            self.loose[known].found.passes += 1;
        } else if self.row.len() as u32 >= self.options.stagnation.max(own) {
            let found = loose("stagnation", self.row[0].index, index, self.row.len() as u32);
            self.row_finding = Some(self.loose.len());
            self.loose.push(Loose { found, counted: BTreeSet::new() });
        }
    }

    fn budgets(&mut self, index: u64, tokens: u64) {
        let before = self.tokens;
        self.tokens += tokens;
        if self.options.max_steps.is_some_and(|limit| self.counted == limit + 1) {
            self.limits.push(loose("step_limit", index, index, 0));
        }
        if self.options.max_tokens.is_some_and(|limit| before <= limit && self.tokens > limit) {
            self.limits.push(loose("token_limit", index, index, 0));
        }
    }
}

fn loose(kind: &'static str, start: u64, end: u64, calls: u32) -> Found {
    Found {
        kind,
        start,
        end,
        period: 0,
        passes: calls,
        stagnant_positions: Vec::new(),
        earliest_step: end,
        inconclusive: false,
    }
}
