//! Stagnation: one tool answers different arguments with the same result, call after call.

use std::collections::VecDeque;

use super::{Loose, Occurrence, Outputs};
use crate::finding::Level;
use crate::policy;

/// Calls of a row that a new one is compared with. Longer rows are followed, but not compared pair by pair.
const COMPARED_CALLS: usize = 32;

/// Results whose lengths differ by more than this many bytes, and by more than a quarter, are taken for different
/// unread. Two calls with different arguments mostly have such results, and every step would have to be read.
const NEAR_BYTES: usize = 32;

/// The stagnation of one session.
pub struct Stagnation<O> {
    options: policy::Stagnation,
    /// The latest calls in a row: one tool, one result, pairwise different arguments.
    row: VecDeque<Occurrence<O>>,
    /// Weakest comparison in the row.
    weakest: (Level, f32),
    finding: Option<Loose>,
}

impl<O: Clone> Stagnation<O> {
    /// No calls yet.
    pub fn new(options: policy::Stagnation) -> Self {
        Stagnation { options, row: VecDeque::new(), weakest: (Level::Identical, 1.0), finding: None }
    }

    /// Takes in a call with a result that is known and not trivial.
    pub fn record<J: Outputs<Output = O>>(&mut self, call: Occurrence<O>, judge: &mut J) {
        if let Some(finding) = &mut self.finding {
            finding.changed = false;
        }
        if self.row.back().is_some_and(|last| last.tool != call.tool) {
            self.reset();
        }
        let again =
            |known: &&mut Occurrence<O>| known.turn == call.turn && known.fingerprint == call.fingerprint;
        if let Some(same_turn) = self.row.iter_mut().rev().find(again) {
            same_turn.output = call.output;
            return;
        }
        self.drop_up_to_equal_arguments(&call);
        self.drop_up_to_another_result(&call, judge);
        let enough = if call.large { self.options.min_large } else { self.options.min };
        let enough = enough.max(call.own_min_repeats.unwrap_or(0)) as usize;
        self.row.push_back(call);
        if self.row.len() > COMPARED_CALLS.max(enough) {
            self.row.pop_front();
        }
        self.tell(enough);
    }

    /// A call of which nothing is known, that is trivial or takes no part; or a boundary.
    pub fn reset(&mut self) {
        self.row.clear();
        self.weakest = (Level::Identical, 1.0);
        self.finding = None;
    }

    /// The finding, if it is new or has grown with the latest call.
    pub fn changed(&self) -> Option<&Loose> {
        self.finding.as_ref().filter(|finding| finding.changed)
    }

    fn drop_up_to_equal_arguments(&mut self, call: &Occurrence<O>) {
        if let Some(at) = self.row.iter().rposition(|known| known.fingerprint == call.fingerprint) {
            self.row.drain(..=at);
        }
    }

    fn drop_up_to_another_result<J: Outputs<Output = O>>(&mut self, call: &Occurrence<O>, judge: &mut J) {
        for at in (0..self.row.len()).rev() {
            let near = is_near(self.row[at].output_bytes, call.output_bytes);
            match near.then(|| judge.same(&self.row[at].output, &call.output)).flatten() {
                Some(this) if this < self.weakest => self.weakest = this,
                Some(_) => {}
                None => {
                    self.row.drain(..=at);
                    self.weakest = (Level::Identical, 1.0);
                    self.finding = None;
                    return;
                }
            }
        }
    }

    fn tell(&mut self, enough: usize) {
        let last = self.row.back().expect("a call was just pushed");
        if let Some(finding) = &mut self.finding {
            // The same row goes on, also where some of its arguments came back.
            finding.end = last.index;
            finding.calls += 1;
            finding.changed = true;
            return;
        }
        if self.row.len() >= enough {
            let first = &self.row[0];
            self.finding = Some(Loose {
                start: first.index,
                end: last.index,
                calls: self.row.len() as u32,
                earliest_step: last.index,
                level: self.weakest.0,
                similarity: self.weakest.1,
                signature: first.signature,
                start_id: first.id,
                changed: true,
            });
        }
    }
}

fn is_near(a: usize, b: usize) -> bool {
    a.abs_diff(b) <= NEAR_BYTES.max(a.min(b) / 4)
}
