//! One finding of what two views see.
//!
//! Summaries that come and go must not hide a run, so structure is followed twice: through all counted steps and
//! through the calls alone. A run without summaries shows in the calls view at least as far as in the other, so
//! the calls view decides on all of those, and the other is asked about units with a summary in them only; until
//! a summary is seen there is one view. Every run that has calls is anchored at the run of the calls view over the
//! same calls: one finding for both.

use std::collections::VecDeque;

use super::run::Ask;
use super::{Outputs, Position, Run, RunKey, View};
use crate::finding::Level;
use crate::policy::{Options, Positions};

/// Extents of closed cycles that are remembered, for what lies inside them.
const REMEMBERED_EXTENTS: usize = 64;

/// A run that is worth telling about: unproductive, or (with [`Level::None`]) impossible to judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    /// Index of the first step.
    pub start: u64,
    /// Hash of the first step's own id, or its index.
    pub start_id: u64,
    /// Index of the last step.
    pub end: u64,
    /// Positions of the unit.
    pub period: u32,
    /// Full passes.
    pub passes: u32,
    /// Positions that stand still, or did.
    pub stagnant_positions: Vec<u32>,
    /// The step at whose completion this could first be told.
    pub earliest_step: u64,
    /// How the outputs are the same.
    pub level: Level,
    /// The similarity.
    pub similarity: f32,
    /// The unit's identity.
    pub signature: u64,
}

/// Which run of which view a cycle counts its passes in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Calls(RunKey),
    All(RunKey),
}

struct Told {
    cycle: Cycle,
    unit: Unit,
    /// The run of the calls view over the same calls; `None` for a unit of summaries alone.
    anchor: Option<RunKey>,
    changed: bool,
    over: bool,
}

/// The cycles of one session.
pub struct Cycles<O> {
    calls: View<O>,
    /// All counted steps; `None` while there was no summary since the last boundary.
    all: Option<Box<View<O>>>,
    told: Vec<Told>,
    /// Runs of the calls view that stand still but wait for the other view.
    withheld: Vec<RunKey>,
    /// Runs of the other view that cannot be judged, by their anchor.
    inconclusive: Vec<(RunKey, Run)>,
    extents: VecDeque<(u64, u64)>,
    positions: Positions,
}

impl<O: Clone> Cycles<O> {
    /// No steps yet.
    pub fn new(options: &Options) -> Self {
        Cycles {
            calls: View::new(options),
            all: None,
            told: Vec::new(),
            withheld: Vec::new(),
            inconclusive: Vec::new(),
            extents: VecDeque::new(),
            positions: options.positions,
        }
    }

    /// Takes in one counted step of turn `turn`.
    pub fn record<J: Outputs<Output = O>>(&mut self, turn: u64, position: Position<O>, judge: &mut J) {
        self.forget_finished();
        let now = position.index;
        let summary = position.summary;
        let mut ask = Ask { judge, positions: self.positions, now };
        if summary && self.all.is_none() {
            self.all = Some(Box::new(self.calls.for_summaries()));
        }
        let new_turn_of_all =
            self.all.as_mut().is_some_and(|all| all.advance(turn, position.clone(), &mut ask));
        let new_turn_of_calls = !summary && self.calls.advance(turn, position, &mut ask);
        if new_turn_of_calls {
            self.close_ended_calls();
        }
        if new_turn_of_all {
            self.close_ended_summaries();
        }
        self.release_broken(now);
        self.tell_runs_of_calls(now);
        self.tell_runs_of_summaries(now);
        self.grow();
    }

    /// A boundary, or the end: the sequence starts anew at `now`.
    pub fn reset(&mut self, now: u64) {
        self.forget_finished();
        let calls = self.calls.reset();
        for run in &calls {
            if run.unproductive && !self.is_told(Unit::Calls(run.key())) {
                self.tell(run, Unit::Calls(run.key()), Some(run.key()), now);
            }
            self.tell_inconclusive(run, Unit::Calls(run.key()));
        }
        let all = self.all.take().map(|mut all| all.reset()).unwrap_or_default();
        for run in &all {
            if run.calls_period == 0 {
                self.tell_inconclusive(run, Unit::All(run.key()));
            }
        }
        self.told.iter_mut().for_each(|told| told.over = true);
        self.withheld.clear();
        self.inconclusive.clear();
    }

    /// Distinct calls of turn `turn`, if it is the open one.
    pub fn calls_of_turn(&self, turn: u64) -> usize {
        self.calls.calls_of_turn(turn)
    }

    /// Cycles that are new or have grown with the latest step or boundary.
    pub fn changed(&self) -> impl Iterator<Item = &Cycle> {
        self.told.iter().filter(|told| told.changed).map(|told| &told.cycle)
    }

    /// Does the step lie inside a cycle that was told or is withheld?
    pub fn covers(&self, index: u64) -> bool {
        let told = self.told.iter().filter(|told| told.cycle.level != Level::None);
        let withheld = self.withheld.iter().filter_map(|key| self.calls.run(*key));
        told.map(|told| (told.cycle.start, told.cycle.end))
            .chain(withheld.map(|run| (run.start, run.end)))
            .chain(self.extents.iter().copied())
            .any(|(start, end)| (start..=end).contains(&index))
    }

    /// Would a step with this fingerprint go on with a run that stands still? `turn` as in [`Cycles::record`].
    pub fn would_extend(&self, turn: Option<u64>, fingerprint: u64) -> bool {
        self.calls.would_extend(turn, fingerprint).is_some()
            || self.all.as_ref().is_some_and(|all| all.would_extend(turn, fingerprint).is_some())
    }

    fn forget_finished(&mut self) {
        for told in self.told.iter().filter(|told| told.over && told.cycle.level != Level::None) {
            if self.extents.len() == REMEMBERED_EXTENTS {
                self.extents.pop_front();
            }
            self.extents.push_back((told.cycle.start, told.cycle.end));
        }
        self.told.retain(|told| !told.over);
        self.told.iter_mut().for_each(|told| told.changed = false);
    }

    fn close_ended_calls(&mut self) {
        for run in self.calls.ended().to_vec() {
            self.tell_inconclusive(&run, Unit::Calls(run.key()));
            self.inconclusive.retain(|(anchor, _)| *anchor != run.key());
        }
        let calls = &self.calls;
        for told in &mut self.told {
            told.over |= told.anchor.is_some_and(|anchor| calls.closed_run(anchor).is_none());
        }
    }

    fn close_ended_summaries(&mut self) {
        let ended = self.all.as_ref().map(|all| all.ended().to_vec()).unwrap_or_default();
        for run in ended {
            if run.calls_period == 0 {
                self.tell_inconclusive(&run, Unit::All(run.key()));
            }
        }
        let all = self.all.as_ref();
        for told in &mut self.told {
            if let (None, Unit::All(key)) = (told.anchor, told.unit) {
                told.over |= all.is_none_or(|all| all.closed_run(key).is_none());
            }
        }
    }

    /// What was withheld and is not alive any more is told now, if it stood when its last turn closed.
    fn release_broken(&mut self, now: u64) {
        for key in std::mem::take(&mut self.withheld) {
            if self.calls.run(key).is_some() {
                continue;
            }
            if let Some(run) = self.calls.closed_run(key).filter(|run| run.unproductive).cloned() {
                self.tell(&run, Unit::Calls(key), Some(key), now);
            }
        }
    }

    fn tell_runs_of_calls(&mut self, now: u64) {
        for run in self.calls.runs().to_vec() {
            let key = run.key();
            if self.is_told(Unit::Calls(key)) || run.is_exempt() {
                continue;
            }
            let over: Vec<Run> = self.over_the_calls_of(&run).cloned().collect();
            self.note_inconclusive(key, &over);
            if let Some(unproductive) = over.iter().find(|over| over.unproductive) {
                self.tell(unproductive, Unit::All(unproductive.key()), Some(key), now);
            } else if run.unproductive {
                if over.is_empty() && self.all.as_ref().is_some_and(|all| all.has_two_passes_over(&run)) {
                    self.withheld.push(key);
                } else {
                    self.tell(&run, Unit::Calls(key), Some(key), now);
                }
            }
        }
    }

    fn tell_runs_of_summaries(&mut self, now: u64) {
        for run in self.runs_of_all().to_vec() {
            let unit = Unit::All(run.key());
            if run.calls_period == 0 && run.unproductive && !self.is_told(unit) {
                self.tell(&run, unit, None, now);
            }
        }
    }

    /// Runs of the other view, with the passes that they need, that repeat the calls of this run of the calls view.
    fn over_the_calls_of<'a>(&'a self, calls: &'a Run) -> impl Iterator<Item = &'a Run> {
        self.runs_of_all().iter().filter(|run| run.calls_period == calls.period)
    }

    fn runs_of_all(&self) -> &[Run] {
        self.all.as_ref().map_or(&[], |all| all.runs())
    }

    fn note_inconclusive(&mut self, anchor: RunKey, over: &[Run]) {
        if over.is_empty() {
            return;
        }
        self.inconclusive.retain(|(known, _)| *known != anchor);
        if let Some(run) = over.iter().find(|run| run.inconclusive_since.is_some()) {
            self.inconclusive.push((anchor, run.clone()));
        }
    }

    fn is_told(&self, unit: Unit) -> bool {
        self.told.iter().any(|told| match unit {
            Unit::Calls(key) => told.anchor == Some(key),
            Unit::All(_) => told.unit == unit,
        })
    }

    fn tell(&mut self, run: &Run, unit: Unit, anchor: Option<RunKey>, earliest_step: u64) {
        let cycle = Cycle {
            start: run.start,
            start_id: run.start_id,
            end: run.end,
            period: run.positions(),
            passes: run.passes,
            stagnant_positions: run.stagnant_positions().collect(),
            earliest_step,
            level: run.level,
            similarity: run.similarity,
            signature: run.signature,
        };
        self.told.push(Told { cycle, unit, anchor, changed: true, over: false });
    }

    /// A run that has ended without an answer is told, once it can't get one any more.
    fn tell_inconclusive(&mut self, run: &Run, unit: Unit) {
        let anchor = match unit {
            Unit::Calls(key) => Some(key),
            Unit::All(_) => None,
        };
        if self.is_told(unit) || run.unproductive || run.is_exempt() {
            return;
        }
        let over =
            self.inconclusive.iter().find(|(known, _)| Some(*known) == anchor).map(|(_, run)| run.clone());
        let judged = over.as_ref().unwrap_or(run);
        if let Some(since) = judged.inconclusive_since {
            let judged = judged.clone();
            self.tell(&judged, unit, anchor, since);
            let told = self.told.last_mut().expect("one was just told");
            told.cycle.level = Level::None;
            told.cycle.similarity = 0.0;
            told.cycle.stagnant_positions.clear();
            told.over = true;
        }
    }

    /// What was told grows with its run, in either view.
    fn grow(&mut self) {
        for told in self.told.iter_mut().filter(|told| !told.over) {
            let calls = told.anchor.and_then(|key| self.calls.run(key));
            let all: &[Run] = self.all.as_ref().map_or(&[], |all| all.runs());
            let own = match told.unit {
                Unit::Calls(_) => calls,
                Unit::All(key) => all.iter().find(|run| run.key() == key),
            };
            let over = all.iter().filter(|run| calls.is_some_and(|calls| run.calls_period == calls.period));
            let ends = over.chain(calls).chain(own).map(|run| run.end);
            let cycle = &mut told.cycle;
            let end = ends.fold(cycle.end, u64::max);
            told.changed |= end > cycle.end;
            cycle.end = end;
            if let Some(run) = own {
                told.changed |= run.passes > cycle.passes;
                cycle.passes = cycle.passes.max(run.passes);
                for position in run.stagnant_positions() {
                    if let Err(at) = cycle.stagnant_positions.binary_search(&position) {
                        cycle.stagnant_positions.insert(at, position);
                        told.changed = true;
                    }
                }
                if (run.level, run.similarity) > (cycle.level, cycle.similarity) {
                    (cycle.level, cycle.similarity) = (run.level, run.similarity);
                    told.changed = true;
                }
            }
        }
    }
}
