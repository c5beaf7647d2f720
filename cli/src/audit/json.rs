//! A report as one JSON line: the contract that other tools rely on. Fields may be added, never changed.

use std::io::Write;

use serde::Serialize;
use wheelspin::evidence;
use wheelspin::finding::Finding;
use wheelspin::fingerprint::FingerprintKey;
use wheelspin::signature;

use super::Audited;
use super::call::{self, Detail};
use super::unit::Steps;
use crate::exit::Failure;

#[derive(Serialize)]
struct ReportLine<'a> {
    trace_id: &'a str,
    verdict: &'static str,
    ok: bool,
    steps_used: u64,
    violations: Vec<String>,
    findings: Vec<FindingObject<'a>>,
}

#[derive(Serialize)]
struct FindingObject<'a> {
    id: String,
    kind: &'static str,
    agent: &'a str,
    start: u64,
    end: u64,
    period: u32,
    passes: u32,
    stagnant_positions: &'a [u32],
    earliest_step: u64,
    evidence: &'static str,
    similarity: f32,
    signature: String,
    /// The unit's calls by name, position by position.
    calls: Vec<String>,
    /// The first call that a gateway would have refused; null where it would have refused none.
    refused_step: Option<u64>,
    /// Counted steps of the agent from there to the end of the finding.
    saved_steps: u64,
    /// Their tokens; null where none is known.
    saved_tokens: Option<u64>,
    /// Versions of what decided: reports under other versions can differ.
    signature_version: u32,
    evidence_version: u32,
}

/// Writes one line. With a key, ids and signatures are fingerprints under it.
///
/// # Errors
/// When the line cannot be written.
pub fn write(out: &mut impl Write, audited: &Audited, key: Option<&FingerprintKey>) -> Result<(), Failure> {
    let report = &audited.report;
    let mut steps = Steps::new(&audited.trace, &audited.options);
    let line = ReportLine {
        trace_id: &report.trace_id,
        verdict: report.verdict.name(),
        ok: report.ok,
        steps_used: report.steps_used,
        violations: report.violations.iter().map(|violation| violation.render(key)).collect(),
        findings: report.findings.iter().map(|finding| object(finding, &mut steps, key)).collect(),
    };
    serde_json::to_writer(&mut *out, &line)?;
    Ok(out.write_all(b"\n")?)
}

fn object<'a>(
    finding: &'a Finding,
    steps: &mut Steps<'_>,
    key: Option<&FingerprintKey>,
) -> FindingObject<'a> {
    let calls = steps.unit(finding).map(|unit| unit.passes[0].clone()).unwrap_or_default();
    let savings = steps.savings(finding);
    FindingObject {
        id: hash(finding.id, key),
        kind: finding.kind.name(),
        agent: &finding.agent,
        start: finding.start,
        end: finding.end,
        period: finding.period,
        passes: finding.passes,
        stagnant_positions: &finding.stagnant_positions,
        earliest_step: finding.earliest_step,
        evidence: finding.evidence.name(),
        similarity: finding.similarity,
        signature: hash(finding.signature.0, key),
        calls: calls.iter().map(|&step| call::label(&steps.step(step), Detail::Name)).collect(),
        refused_step: savings.map(|savings| savings.refused_step),
        saved_steps: savings.map_or(0, |savings| savings.steps),
        saved_tokens: savings.and_then(|savings| savings.tokens),
        signature_version: signature::VERSION,
        evidence_version: evidence::VERSION,
    }
}

/// A hash for a report. A bare one can be guessed from what went into it; one under a key cannot.
fn hash(bare: u64, key: Option<&FingerprintKey>) -> String {
    let shown = key.map_or(bare, |key| key.fingerprint(&bare.to_be_bytes()));
    format!("{shown:016x}")
}
