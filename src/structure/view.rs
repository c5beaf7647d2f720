//! One sequence of symbols and the runs that are alive in it.

use std::collections::VecDeque;

use super::run::{Ask, History};
use super::{Outputs, PeriodBank, Position, Run, Symbol};
use crate::policy::Options;

/// A sequence of turns. The newest is open and provisional: whatever it says is worked out again from the closed
/// ones when it grows.
pub struct View<O> {
    symbols: VecDeque<Symbol<O>>,
    /// Symbols of the sequence before the first that is kept.
    dropped: u64,
    bank: PeriodBank,
    /// Runs up to the last closed turn.
    closed_runs: Vec<Run>,
    /// Runs with the open turn.
    runs: Vec<Run>,
    /// Runs that ended with the turn before the open one.
    ended: Vec<Run>,
    window: usize,
    fewest_passes: u32,
    default_min_repeats: u32,
    /// Only runs with a summary in the unit are followed.
    summaries_only: bool,
}

impl<O: Clone> View<O> {
    /// An empty sequence that follows every run.
    pub fn new(options: &Options) -> Self {
        let tools = options.tools.iter().filter_map(|(_, rule)| rule.min_repeats);
        View {
            symbols: VecDeque::new(),
            dropped: 0,
            bank: PeriodBank::new(options.max_unit as usize),
            closed_runs: Vec::new(),
            runs: Vec::new(),
            ended: Vec::new(),
            window: options.window as usize,
            fewest_passes: tools.fold(options.min_repeats, u32::min),
            default_min_repeats: options.min_repeats,
            summaries_only: false,
        }
    }

    /// This sequence, before a summary joins it, as one that follows only runs with summaries.
    pub fn for_summaries(&self) -> Self {
        View {
            symbols: self.symbols.clone(),
            bank: self.bank.clone(),
            closed_runs: Vec::new(),
            runs: Vec::new(),
            ended: Vec::new(),
            summaries_only: true,
            ..*self
        }
    }

    /// Takes in one step of turn `turn`; says whether it opened that turn.
    pub(super) fn advance<J: Outputs<Output = O>>(
        &mut self,
        turn: u64,
        position: Position<O>,
        ask: &mut Ask<'_, J>,
    ) -> bool {
        let opens = self.symbols.back().is_none_or(|open| open.turn != turn);
        match self.symbols.back_mut() {
            Some(open) if open.turn == turn => {
                let missing = ask.judge.is_missing(&position.output);
                open.add(position, missing);
                self.bank.revise(open.fingerprint);
                self.ended.clear();
            }
            _ => {
                self.close_turn();
                let symbol = self.reuse(turn, position);
                self.bank.push(symbol.fingerprint);
                self.symbols.push_back(symbol);
            }
        }
        self.follow(ask);
        opens
    }

    /// The sequence starts anew. Returns the runs that this ends, those that the open turn has left included.
    pub fn reset(&mut self) -> Vec<Run> {
        self.close_turn();
        self.symbols.clear();
        self.dropped = 0;
        self.bank.reset();
        self.closed_runs.clear();
        let mut over = std::mem::take(&mut self.ended);
        over.append(&mut self.runs);
        over
    }

    /// Distinct steps of turn `turn`, if it is the open one.
    pub fn calls_of_turn(&self, turn: u64) -> usize {
        self.symbols.back().filter(|open| open.turn == turn).map_or(0, |open| open.positions.len())
    }

    /// Runs that are alive with the open turn and have the passes that they need, by period.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Runs that the closing of the last turn ended; empty unless the latest step opened a turn.
    pub fn ended(&self) -> &[Run] {
        &self.ended
    }

    /// This run up to the last closed turn, if it was alive then.
    pub fn closed_run(&self, run: RunKey) -> Option<&Run> {
        self.closed_runs.iter().find(|known| known.key() == run)
    }

    /// This run with the open turn, if it is alive.
    pub fn run(&self, run: RunKey) -> Option<&Run> {
        self.runs.iter().find(|known| known.key() == run)
    }

    /// Does a unit with a summary, which repeats the calls of `calls`, stand at two or more full passes?
    pub fn has_two_passes_over(&self, calls: &Run) -> bool {
        self.bank.with_passes(2).any(|(period, _)| {
            let unit = self.symbols.range(self.symbols.len() - period..);
            let mut projection = Vec::new();
            let mut summary = false;
            for symbol in unit {
                let calls = symbol.positions.iter().filter(|position| !position.summary);
                summary |= symbol.positions.iter().any(|position| position.summary);
                if let Some(sum) = calls.map(|call| call.fingerprint).reduce(u64::wrapping_add) {
                    projection.push(sum);
                }
            }
            summary && super::unit::root_length(&projection) == calls.period && self.bank.is_primitive(period)
        })
    }

    /// Would a step with this fingerprint, in turn `turn`, go on with a run that stands still?
    pub fn would_extend(&self, turn: Option<u64>, fingerprint: u64) -> Option<&Run> {
        let joins = self.symbols.back().is_some_and(|open| Some(open.turn) == turn);
        let next = self.symbols.len() - usize::from(joins);
        self.runs.iter().find(|run| {
            run.stagnant
                && next
                    .checked_sub(run.period)
                    .is_some_and(|before| self.symbols[before].position(fingerprint).is_some())
        })
    }

    fn close_turn(&mut self) {
        self.ended.clear();
        for run in &self.closed_runs {
            if !self.runs.iter().any(|alive| alive.key() == run.key()) {
                self.ended.push(run.clone());
            }
        }
        self.closed_runs.clone_from(&self.runs);
    }

    fn reuse(&mut self, turn: u64, position: Position<O>) -> Symbol<O> {
        if self.symbols.len() < self.window {
            return Symbol::new(turn, position);
        }
        self.dropped += 1;
        let mut symbol = self.symbols.pop_front().expect("a window holds at least one symbol");
        symbol.restart(turn, position);
        symbol
    }

    fn history(&self) -> History<'_, O> {
        History { symbols: &self.symbols, first: self.dropped }
    }

    fn follow<J: Outputs<Output = O>>(&mut self, ask: &mut Ask<'_, J>) {
        let mut runs = std::mem::take(&mut self.runs);
        runs.clone_from(&self.closed_runs);
        let history = self.history();
        runs.retain_mut(|run| {
            let matched = self.bank.matched(run.period);
            if matched > 0 {
                run.extend(&history, matched, ask);
            }
            matched > 0
        });
        let followed = runs.len();
        for (period, matched) in self.bank.with_passes(self.fewest_passes) {
            let complete = (matched as usize).is_multiple_of(period);
            if complete
                && !runs.iter().any(|run| run.period == period)
                && self.bank.is_primitive(period)
                && !(self.summaries_only && self.lacks_summary(period))
            {
                let passes = matched / period as u32 + 1;
                runs.extend(Run::begin(&history, period, passes, self.default_min_repeats, ask));
            }
        }
        if runs.len() > followed {
            runs.sort_unstable_by_key(|run| run.period);
        }
        self.runs = runs;
    }

    fn lacks_summary(&self, period: usize) -> bool {
        let unit = self.symbols.range(self.symbols.len() - period..);
        !unit.flat_map(|symbol| &symbol.positions).any(|position| position.summary)
    }
}

/// Which run of a view: its period and the ordinal of its first symbol.
pub type RunKey = (usize, u64);

impl Run {
    /// Which run of its view this is.
    pub fn key(&self) -> RunKey {
        (self.period, self.first_symbol)
    }
}
