//! What is found: plain data.

use crate::signature::Signature;

/// Why a finding was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// One unit repeats back to back without new results (or, with [`Level::None`], without results to judge by).
    Cycle,
    /// The same call and result keep coming back among other work.
    Recurrence,
    /// One tool answers different arguments with the same result.
    Stagnation,
    /// More counted steps than the session may have.
    StepLimit,
    /// More tokens than the session may use.
    TokenLimit,
}

impl FindingKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Cycle => "cycle",
            FindingKind::Recurrence => "recurrence",
            FindingKind::Stagnation => "stagnation",
            FindingKind::StepLimit => "step_limit",
            FindingKind::TokenLimit => "token_limit",
        }
    }
}

/// How two outputs were found to be the same, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// There was nothing to compare.
    None,
    /// Running text that says the same in other words.
    Similar,
    /// Equal once volatile details are left out.
    Volatile,
    /// Equal values in another spelling or order.
    Values,
    /// Equal bytes.
    Identical,
}

impl Level {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Similar => "similar",
            Level::Volatile => "volatile",
            Level::Values => "values",
            Level::Identical => "identical",
        }
    }
}

/// One finding. `start`, `end` and `earliest_step` are the step indices that the caller numbered its steps with.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Stable: made of workflow, agent, kind, unit and first step, so analysing a trace again adds nothing twice.
    pub id: u64,
    /// What was found.
    pub kind: FindingKind,
    /// The agent whose session it is.
    pub agent: Box<str>,
    /// First step of the structural run (of the counted calls for the weaker kinds).
    pub start: u64,
    /// Last step, inclusive; a partial last pass belongs to it.
    pub end: u64,
    /// Positions of the unit; 0 where there is no unit.
    pub period: u32,
    /// Full passes of the unit, or the number of counted calls.
    pub passes: u32,
    /// Every position of the unit that was ever stagnant, ascending.
    pub stagnant_positions: Vec<u32>,
    /// The step at whose completion a stream could first report.
    pub earliest_step: u64,
    /// Weakest comparison inside a position, of the position where that is strongest.
    pub evidence: Level,
    /// Cosine of the weakest comparison that counted; 1 unless the evidence is [`Level::Similar`].
    pub similarity: f32,
    /// Signature of the unit, or of the call.
    pub signature: Signature,
}

impl Finding {
    /// A run that cannot be judged because outputs are missing.
    pub fn is_inconclusive(&self) -> bool {
        self.kind == FindingKind::Cycle && self.evidence == Level::None
    }

    /// What this finding alone makes of a trace.
    pub fn verdict(&self) -> Verdict {
        match self.kind {
            FindingKind::Cycle if self.is_inconclusive() => Verdict::Inconclusive,
            FindingKind::Cycle | FindingKind::StepLimit | FindingKind::TokenLimit => Verdict::Unproductive,
            FindingKind::Recurrence | FindingKind::Stagnation => Verdict::Warn,
        }
    }
}

/// The verdict of a trace, weakest first: the greatest of its findings' verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Nothing found.
    #[default]
    Clean,
    /// A repetition whose results are missing.
    Inconclusive,
    /// A looser repetition.
    Warn,
    /// A cycle or a limit.
    Unproductive,
}

impl Verdict {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Clean => "clean",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Warn => "warn",
            Verdict::Unproductive => "unproductive",
        }
    }
}
