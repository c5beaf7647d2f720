//! One run and the evidence of its passes.

use std::collections::VecDeque;

use super::{Outputs, Symbol, unit};
use crate::finding::Level;
use crate::policy::Positions;

/// The symbols that a run can look back on.
pub(super) struct History<'a, O> {
    pub symbols: &'a VecDeque<Symbol<O>>,
    /// Ordinal of the first of them in its sequence.
    pub first: u64,
}

impl<'a, O> History<'a, O> {
    fn at(&self, ordinal: u64) -> &'a Symbol<O> {
        &self.symbols[(ordinal - self.first) as usize]
    }

    /// Ordinal of the newest symbol.
    pub fn newest(&self) -> u64 {
        self.first + self.symbols.len() as u64 - 1
    }
}

/// A maximal stretch in which one primitive unit repeats, with at least the passes that it needs.
#[derive(Clone, Debug)]
pub struct Run {
    /// Symbols in the unit.
    pub period: usize,
    /// Ordinal of the first symbol in its view; with the period it identifies the run.
    pub first_symbol: u64,
    /// Index of the first step.
    pub start: u64,
    /// Hash of the first step's own id, or its index.
    pub start_id: u64,
    /// Index of the last step.
    pub end: u64,
    /// Full passes.
    pub passes: u32,
    /// Passes that make it a run.
    pub required: u32,
    /// Symbols in the smallest block of calls that the unit repeats; 0 for a unit of summaries alone.
    pub calls_period: usize,
    /// It stands still, or did.
    pub unproductive: bool,
    /// It stands still as far as the latest full pass tells.
    pub stagnant: bool,
    /// The step since whose completion nothing speaks for or against progress.
    pub inconclusive_since: Option<u64>,
    /// Weakest comparison inside the position where that is strongest.
    pub level: Level,
    /// The similarity of that comparison.
    pub similarity: f32,
    /// The unit's identity, the same for all its rotations.
    pub signature: u64,
    positions: Vec<UnitPosition>,
}

/// One step's place inside the unit.
#[derive(Clone, Debug)]
struct UnitPosition {
    symbol: usize,
    fingerprint: u64,
    required: u32,
    /// Exempt or stable: nothing that it does makes it stagnant.
    never_stagnant: bool,
    exempt: bool,
    /// Latest passes that are the same, every pair of them; saturates at `required`.
    streak: u32,
    /// Weakest comparison since the streak began.
    level: Level,
    similarity: f32,
    was_stagnant: bool,
}

impl Run {
    /// The run of `period` that ends with the newest symbol, with the evidence of all its passes.
    ///
    /// `passes` full passes end there. `None` when the unit needs more of them.
    pub(super) fn begin<J: Outputs>(
        history: &History<'_, J::Output>,
        period: usize,
        passes: u32,
        smallest_min_repeats: u32,
        ask: &mut Ask<'_, J>,
    ) -> Option<Run> {
        let first_symbol = history.newest() + 1 - period as u64 * u64::from(passes);
        let unit = || (0..period).map(|offset| history.at(first_symbol + offset as u64));
        let members = || unit().flat_map(|symbol| &symbol.positions);

        let calls = || members().filter(|position| !position.summary);
        let required = calls().map(|call| call.rule.min_repeats).min().unwrap_or(smallest_min_repeats);
        if passes < required {
            return None;
        }
        let calls_exempt = calls().next().is_some() && calls().all(|call| call.rule.exempt);
        let projection: Vec<u64> = unit()
            .filter(|symbol| symbol.positions.iter().any(|position| !position.summary))
            .map(|symbol| {
                let calls = symbol.positions.iter().filter(|position| !position.summary);
                calls.fold(0, |sum: u64, call| sum.wrapping_add(call.fingerprint))
            })
            .collect();

        let positions = (0..period)
            .flat_map(|symbol| {
                history.at(first_symbol + symbol as u64).positions.iter().map(move |p| (symbol, p))
            })
            .map(|(symbol, position)| {
                let exempt = if position.summary { calls_exempt } else { position.rule.exempt };
                UnitPosition {
                    symbol,
                    fingerprint: position.fingerprint,
                    required: if position.summary { required } else { position.rule.min_repeats },
                    never_stagnant: exempt || (position.rule.stable && !position.summary),
                    exempt,
                    streak: 0,
                    level: Level::Identical,
                    similarity: 1.0,
                    was_stagnant: false,
                }
            })
            .collect();

        let first = history.at(first_symbol);
        let mut run = Run {
            period,
            first_symbol,
            start: first.first_index,
            start_id: first.positions[0].id,
            end: first.last_index,
            passes: 0,
            required,
            calls_period: unit::root_length(&projection),
            unproductive: false,
            stagnant: false,
            inconclusive_since: None,
            level: Level::None,
            similarity: 0.0,
            signature: unit::signature(unit()),
            positions,
        };
        for _ in 0..passes {
            run.complete_pass(history, ask);
        }
        run.end = history.at(history.newest()).last_index;
        Some(run)
    }

    /// Takes in the newest symbol, which continues the run; `matched` symbols in a row equal those a period before.
    pub(super) fn extend<J: Outputs>(
        &mut self,
        history: &History<'_, J::Output>,
        matched: u32,
        ask: &mut Ask<'_, J>,
    ) {
        self.end = history.at(history.newest()).last_index;
        if (matched as usize).is_multiple_of(self.period) {
            self.complete_pass(history, ask);
        }
    }

    /// Positions of the unit.
    pub fn positions(&self) -> u32 {
        self.positions.len() as u32
    }

    /// Every position of its unit is exempt.
    pub fn is_exempt(&self) -> bool {
        self.positions.iter().all(|position| position.exempt)
    }

    /// Positions that stand still, or did, ascending.
    pub fn stagnant_positions(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.positions).filter(|(_, position)| position.was_stagnant).map(|(i, _)| i)
    }

    fn complete_pass<J: Outputs>(&mut self, history: &History<'_, J::Output>, ask: &mut Ask<'_, J>) {
        self.passes += 1;
        let pass = self.first_symbol + u64::from(self.passes - 1) * self.period as u64;
        let mut undecided = true;
        for position in &mut self.positions {
            let outputs = PassOutputs { history, position, pass, period: self.period as u64 };
            let (streak, level, similarity) = outputs.streak(ask.judge);
            let known_to_differ = streak < position.required
                && self.passes >= self.required
                && outputs.known_to_differ(ask.judge, self.passes, streak);
            position.streak = streak;
            position.level = level;
            position.similarity = similarity;
            undecided &= !known_to_differ;
        }
        self.judge(history, pass, undecided, ask);
    }

    fn judge<J: Outputs>(
        &mut self,
        history: &History<'_, J::Output>,
        pass: u64,
        undecided: bool,
        ask: &Ask<'_, J>,
    ) {
        let stagnant_now = |p: &UnitPosition| !p.never_stagnant && p.streak >= p.required;
        for position in self.positions.iter_mut().filter(|position| stagnant_now(position)) {
            position.was_stagnant = true;
            if (position.level, position.similarity) > (self.level, self.similarity) {
                (self.level, self.similarity) = (position.level, position.similarity);
            }
        }
        self.stagnant = match ask.positions {
            Positions::Any => self.positions.iter().any(stagnant_now),
            Positions::All => {
                let mut with_evidence = self.positions.iter().filter(|position| {
                    let outputs = PassOutputs { history, position, pass, period: self.period as u64 };
                    !position.never_stagnant && outputs.any_known(ask.judge, self.passes)
                });
                let mut stagnant = 0;
                with_evidence.all(|position| {
                    stagnant += 1;
                    stagnant_now(position)
                }) && stagnant > 0
            }
        };
        self.unproductive |= self.stagnant;
        let inconclusive = !self.unproductive && undecided && self.passes >= self.required;
        self.inconclusive_since = inconclusive.then(|| self.inconclusive_since.unwrap_or(ask.now));
    }
}

/// What a run asks about the outputs of its passes.
pub(super) struct Ask<'a, J> {
    pub judge: &'a mut J,
    pub positions: Positions,
    /// Index of the step just recorded.
    pub now: u64,
}

/// The outputs of one position in the latest passes, newest first.
struct PassOutputs<'a, O> {
    history: &'a History<'a, O>,
    position: &'a UnitPosition,
    /// Ordinal of the first symbol of the newest pass.
    pass: u64,
    period: u64,
}

impl<'a, O: Clone> PassOutputs<'a, O> {
    fn back<J: Outputs<Output = O>>(&self, judge: &J, passes: u64) -> Option<&'a O> {
        let ordinal = self.pass - passes * self.period + self.position.symbol as u64;
        let position = self.history.at(ordinal).position(self.position.fingerprint)?;
        (!judge.is_missing(&position.output)).then_some(&position.output)
    }

    /// The streak with the newest pass, given the streak before it.
    fn streak<J: Outputs<Output = O>>(&self, judge: &mut J) -> (u32, Level, f32) {
        let position = self.position;
        let Some(newest) = self.back(judge, 0) else {
            return (0, Level::Identical, 1.0);
        };
        let (mut level, mut similarity) = (position.level, position.similarity);
        let longest = position.streak.min(position.required - 1);
        for passes in 1..=longest {
            let earlier = self.back(judge, u64::from(passes));
            let Some((this, cosine)) = earlier.and_then(|o| judge.same(newest, o)) else {
                return self.restarted(judge, newest, passes);
            };
            if (this, cosine) < (level, similarity) {
                (level, similarity) = (this, cosine);
            }
        }
        if longest == 0 {
            (level, similarity) = (Level::Identical, 1.0);
        }
        (longest + 1, level, similarity)
    }

    /// The streak of `length` passes that the newest begins: the one before broke.
    fn restarted<J: Outputs<Output = O>>(&self, judge: &mut J, newest: &O, length: u32) -> (u32, Level, f32) {
        let mut weakest = (Level::Identical, 1.0);
        for passes in 1..length {
            let earlier = self.back(judge, u64::from(passes));
            let answer = earlier.and_then(|o| judge.same(newest, o));
            weakest = answer.filter(|this| *this < weakest).unwrap_or(weakest);
        }
        (length, weakest.0, weakest.1)
    }

    /// Two known outputs among the latest `required` passes differ, where `streak` of them do not.
    fn known_to_differ<J: Outputs<Output = O>>(&self, judge: &mut J, passes: u32, streak: u32) -> bool {
        let latest = self.position.required.min(passes);
        let known: Vec<&O> = (0..u64::from(latest)).filter_map(|back| self.back(judge, back)).collect();
        if known.len() as u32 == latest {
            // All are known: what ended the streak was a difference among them.
            return streak < latest;
        }
        known.iter().enumerate().any(|(i, a)| known[i + 1..].iter().any(|b| judge.same(a, b).is_none()))
    }

    /// The position has evidence in the latest `required` passes.
    fn any_known<J: Outputs<Output = O>>(&self, judge: &J, passes: u32) -> bool {
        let latest = u64::from(self.position.required.min(passes));
        (0..latest).any(|back| self.back(judge, back).is_some())
    }
}
