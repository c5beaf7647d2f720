//! Signatures → runs, recurrence, stagnation.
//!
//! A **symbol** is the set of the distinct calls of one turn. The one idea: a sequence repeats with period *p* as
//! long as every symbol equals the one *p* before it, so a counter for each *p* (how many symbols in a row did)
//! holds all runs of all periods at once. [`bank`](PeriodBank) keeps these counters; a [`View`] adds the symbols
//! themselves and follows the evidence of every run that has enough passes; [`Cycles`] looks through two views
//! (all steps, calls alone) and makes one finding of what both see.
//!
//! This module knows nothing of texts. It is generic over the outputs and asks an [`Outputs`] to compare two.

mod bank;
mod cycles;
mod recurrence;
mod run;
mod stagnation;
mod symbol;
mod unit;
mod view;

pub use bank::PeriodBank;
pub use cycles::{Cycle, Cycles};
pub use recurrence::{Occurrence, Recurrences};
pub use run::Run;
pub use stagnation::Stagnation;
pub use symbol::{Position, Rule, Symbol};
pub use view::{RunKey, View};

use crate::finding::Level;

/// Compares the outputs of two steps of one tool. What outputs are made of is the caller's affair.
pub trait Outputs {
    /// What is kept of one output.
    type Output: Clone;

    /// Nothing is known about it: it is the same as nothing.
    fn is_missing(&self, output: &Self::Output) -> bool;

    /// The two are equal for certain, without looking closer.
    fn equal(&self, a: &Self::Output, b: &Self::Output) -> bool;

    /// How the two are the same, with the similarity; `None` when they are different.
    /// Is never asked about missing outputs.
    fn same(&mut self, a: &Self::Output, b: &Self::Output) -> Option<(Level, f32)>;
}

/// A weaker finding: a call that keeps coming back, or different calls with one result.
#[derive(Clone, Debug, PartialEq)]
pub struct Loose {
    /// Index of the first counted call.
    pub start: u64,
    /// Index of the last counted call.
    pub end: u64,
    /// Number of counted calls.
    pub calls: u32,
    /// The step that made them enough.
    pub earliest_step: u64,
    /// The weakest comparison among them.
    pub level: Level,
    /// Its similarity.
    pub similarity: f32,
    /// Signature of the first counted call.
    pub signature: u64,
    /// Hash of the first counted call's own id, or its index.
    pub start_id: u64,
    /// It is new or has grown since it was taken last.
    pub changed: bool,
}
