//! A whole trace, step by step: what a stream would have found, and the violations of the bare audit.

mod bare;

pub use bare::BareAudit;

use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::BuildHasher;
use std::sync::Arc;

use crate::finding::{Finding, FindingKind, Verdict};
use crate::fingerprint::FingerprintKey;
use crate::policy::Options;
use crate::session::{Keys, Scratch};
use crate::step::Step;
use crate::workflow::Workflow;

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
    workflow: Workflow,
    scratch: Scratch,
    bare: BareAudit,
    findings: Vec<Finding>,
    by_id: HashMap<u64, usize>,
}

impl Auditor {
    /// An audit of one trace. `options.max_steps` is also the limit of the bare audit.
    ///
    /// # Panics
    /// When `options` are invalid ([`Options::validate`]) or `repeat_limit` is 0.
    pub fn new(trace_id: &str, options: &Options, repeat_limit: u64) -> Auditor {
        // The ids of an audit are the same wherever it runs; its fingerprints never leave this process.
        let keys = Keys { findings: FingerprintKey::new([0; 16]), calls: RandomState::new().hash_one(0) };
        let scratch = Scratch::new(options);
        let bare = BareAudit::new(options.max_steps, repeat_limit);
        Auditor {
            trace_id: trace_id.to_string(),
            workflow: Workflow::new(trace_id, Arc::new(options.clone()), keys),
            scratch,
            bare,
            findings: Vec::new(),
            by_id: HashMap::new(),
        }
    }

    /// The next step of the trace, by `agent`. Returns the findings that are new or have grown with it.
    pub fn step(&mut self, agent: &str, step: &Step<'_>) -> &[Finding] {
        let index = self.workflow.steps();
        let changed = self.workflow.record(&mut self.scratch, agent, step);
        keep(&mut self.findings, &mut self.by_id, changed);
        let signature = self.scratch.last_signature();
        let text = || self.scratch.text_signature(step);
        self.bare.step(index, step.kind, signature, text);
        changed
    }

    /// The trace is over.
    pub fn finish(mut self) -> Report {
        let changed = self.workflow.finish();
        keep(&mut self.findings, &mut self.by_id, changed);
        let mut findings = without_covered(self.findings);
        findings.sort_by_key(|finding| (finding.earliest_step, finding.start, finding.id));
        let steps_used = self.bare.steps_used();
        let violations = self.bare.finish();
        Report {
            trace_id: self.trace_id,
            verdict: findings.iter().map(Finding::verdict).max().unwrap_or_default(),
            ok: violations.is_empty(),
            steps_used,
            violations,
            findings,
        }
    }
}

/// A finding that grows is reported under the same id: the latest stands.
fn keep(findings: &mut Vec<Finding>, by_id: &mut HashMap<u64, usize>, changed: &[Finding]) {
    for finding in changed {
        match by_id.entry(finding.id) {
            Entry::Occupied(known) => findings[*known.get()].clone_from(finding),
            Entry::Vacant(new) => {
                new.insert(findings.len());
                findings.push(finding.clone());
            }
        }
    }
}

/// Weaker findings over steps that lie inside a cycle say nothing that the cycle doesn't.
fn without_covered(findings: Vec<Finding>) -> Vec<Finding> {
    // Of each agent: where cycles start, ascending, with the furthest end of any cycle that starts no later.
    let mut reach: HashMap<Box<str>, Vec<(u64, u64)>> = HashMap::new();
    for cycle in findings.iter().filter(|f| f.kind == FindingKind::Cycle && !f.is_inconclusive()) {
        reach.entry(cycle.agent.clone()).or_default().push((cycle.start, cycle.end));
    }
    for extents in reach.values_mut() {
        extents.sort_unstable();
        let mut furthest = 0;
        for (_, end) in extents {
            furthest = furthest.max(*end);
            *end = furthest;
        }
    }
    let inside = |weak: &Finding| {
        let extents = reach.get(&weak.agent).map_or(&[][..], Vec::as_slice);
        let earlier = extents.partition_point(|(start, _)| *start <= weak.start);
        weak.verdict() == Verdict::Warn && earlier > 0 && extents[earlier - 1].1 >= weak.end
    };
    findings.into_iter().filter(|finding| !inside(finding)).collect()
}
