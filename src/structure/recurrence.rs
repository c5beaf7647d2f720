//! Recurrence: the same call with the same result keeps coming back among other work. Calls that differ in nothing
//! that matters count as the same here, because this only warns.

use std::collections::VecDeque;

use super::{Loose, Outputs};
use crate::finding::Level;
use crate::policy;

/// Earlier results of a call that are looked at closer than for equality, at most. A call whose latest results all
/// differ moves on, and looking is what costs.
const LOOKED_AT: usize = 3;

/// One call, as far as the weaker findings look at it.
#[derive(Clone, Debug)]
pub struct Occurrence<O> {
    /// Number of the counted step in its session.
    pub ordinal: u64,
    /// Index of the step, as the caller counts.
    pub index: u64,
    /// Hash of the step's own id, or of its index where it has none.
    pub id: u64,
    /// Number of the turn.
    pub turn: u64,
    /// Identity inside this process.
    pub fingerprint: u64,
    /// The same for calls that differ in nothing that matters.
    pub soft: u64,
    /// Identity that anyone can reproduce.
    pub signature: u64,
    /// Which tool it is.
    pub tool: u64,
    /// The tool's own number of passes, where policy sets one.
    pub own_min_repeats: Option<u32>,
    /// What came of it.
    pub output: O,
    /// The call failed.
    pub error: bool,
    /// The result is large.
    pub large: bool,
    /// Length of the result.
    pub output_bytes: usize,
}

struct Seen<O> {
    call: Occurrence<O>,
    /// Boundaries before it.
    segment: u64,
    /// Which open finding counts it.
    counted_by: Option<u64>,
}

struct Open {
    number: u64,
    last_ordinal: u64,
    finding: Loose,
}

/// The recurrences of one session.
pub struct Recurrences<O> {
    options: policy::Recurrence,
    seen: VecDeque<Seen<O>>,
    segment: u64,
    open: Vec<Open>,
    findings: u64,
}

impl<O: Clone> Recurrences<O> {
    /// No calls yet.
    pub fn new(options: policy::Recurrence) -> Self {
        Recurrences { options, seen: VecDeque::new(), segment: 0, open: Vec::new(), findings: 0 }
    }

    /// Moves on to the counted step `ordinal`: what lies too far back is forgotten.
    pub fn advance(&mut self, ordinal: u64) {
        let within = u64::from(self.options.within);
        while self.seen.front().is_some_and(|seen| seen.call.ordinal + within <= ordinal) {
            self.seen.pop_front();
        }
        self.open.retain(|open| open.last_ordinal + within > ordinal);
        self.open.iter_mut().for_each(|open| open.finding.changed = false);
    }

    /// Takes in a call with a result that is known and not trivial. `covered` tells which steps lie inside a cycle.
    pub fn record<J: Outputs<Output = O>>(
        &mut self,
        call: Occurrence<O>,
        judge: &mut J,
        covered: impl Fn(u64) -> bool,
    ) {
        let again =
            |seen: &&mut Seen<O>| seen.call.turn == call.turn && seen.call.fingerprint == call.fingerprint;
        if let Some(same_turn) = self.seen.iter_mut().rev().find(again) {
            if judge.same(&same_turn.call.output, &call.output).is_none() {
                // What was counted was another result.
                same_turn.counted_by = None;
            }
            (same_turn.call.output, same_turn.call.error) = (call.output, call.error);
            return;
        }
        if !covered(call.index) {
            self.count(&call, judge, covered);
        }
        let counted_by =
            self.open.iter().find(|open| open.last_ordinal == call.ordinal).map(|open| open.number);
        self.seen.push_back(Seen { call, segment: self.segment, counted_by });
    }

    /// Input from outside: only errors are counted across it.
    pub fn user_boundary(&mut self) {
        self.segment += 1;
    }

    /// The task advanced: everything starts anew.
    pub fn reset(&mut self) {
        self.seen.clear();
        self.open.clear();
    }

    /// Findings that are new or have grown with the latest call.
    pub fn changed(&self) -> impl Iterator<Item = &Loose> {
        self.open.iter().map(|open| &open.finding).filter(|finding| finding.changed)
    }

    fn count<J: Outputs<Output = O>>(
        &mut self,
        call: &Occurrence<O>,
        judge: &mut J,
        covered: impl Fn(u64) -> bool,
    ) {
        // Newest first; every member is the same as every other.
        let mut group: Vec<usize> = Vec::new();
        let mut weakest = (Level::Identical, 1.0);
        let mut differed = 0;
        for at in (0..self.seen.len()).rev() {
            let seen = &self.seen[at];
            let counts = seen.call.soft == call.soft
                && (seen.segment == self.segment || (seen.call.error && call.error))
                && !covered(seen.call.index);
            let looks = differed < LOOKED_AT || judge.equal(&seen.call.output, &call.output);
            if !counts || !looks {
                continue;
            }
            let others = group.iter().map(|&other| &self.seen[other].call.output).chain([&call.output]);
            let mut all = (Level::Identical, 1.0);
            let same = others.into_iter().all(|other| {
                let answer = judge.same(&seen.call.output, other);
                all = answer.filter(|this| *this < all).unwrap_or(all);
                answer.is_some()
            });
            differed += usize::from(!same);
            if same {
                weakest = if all < weakest { all } else { weakest };
                group.push(at);
            }
        }
        let counted_by = group.iter().find_map(|&at| self.seen[at].counted_by);
        if let Some(open) = self.open.iter_mut().find(|open| Some(open.number) == counted_by) {
            open.finding.end = call.index;
            open.finding.calls += 1;
            open.finding.changed = true;
            open.last_ordinal = call.ordinal;
            return;
        }
        let enough = match call {
            Occurrence { error: true, .. } => self.options.min_errors,
            Occurrence { large: true, .. } => self.options.min_large,
            _ => self.options.min,
        };
        let enough = enough.max(call.own_min_repeats.unwrap_or(0));
        if group.len() as u32 + 1 >= enough {
            self.open(call, &group, weakest);
        }
    }

    fn open(&mut self, call: &Occurrence<O>, group: &[usize], (level, similarity): (Level, f32)) {
        self.findings += 1;
        for &at in group {
            self.seen[at].counted_by = Some(self.findings);
        }
        let first = &self.seen[*group.last().expect("at least two calls recur")].call;
        let finding = Loose {
            start: first.index,
            end: call.index,
            calls: group.len() as u32 + 1,
            earliest_step: call.index,
            level,
            similarity,
            signature: first.signature,
            start_id: first.id,
            changed: true,
        };
        self.open.push(Open { number: self.findings, last_ordinal: call.ordinal, finding });
    }
}
