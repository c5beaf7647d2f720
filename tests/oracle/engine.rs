//! The same steps through the engine, said in the oracle's words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use wheelspin::audit::{Auditor, DEFAULT_REPEAT_LIMIT};
use wheelspin::finding::Finding;
use wheelspin::fingerprint::FingerprintKey;
use wheelspin::policy::{Glob, Options, Positions, Recurrence, Stagnation, ToolRule};
use wheelspin::session::{Keys, Scratch};
use wheelspin::step::{self, Kind, Payload};
use wheelspin::workflow::Workflow;

use super::{Found, Rule, Step, What};

/// Texts that the evidence takes for what they are: different words, neither trivial nor errors.
const TEXTS: [&str; 4] = ["north of the pier", "south by the mill", "east under snow", "west past the dam"];
const TOOLS: [&str; 6] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
const USERS: [&str; 3] = ["please go on", "try the other one", "and now the last"];
const ARGUMENTS: [&[u8]; 3] = [b"{\"q\":0}", b"{\"q\":1}", b"{\"q\":2}"];

fn options(options: &super::Options) -> Options {
    let rule = |rule: &Rule| ToolRule {
        exempt: Some(rule.exempt),
        stable: Some(rule.stable),
        min_repeats: rule.min_repeats,
        ..ToolRule::default()
    };
    Options {
        min_repeats: options.min_repeats,
        max_unit: options.max_unit as u32,
        positions: if options.all_positions { Positions::All } else { Positions::Any },
        max_steps: options.max_steps,
        max_tokens: options.max_tokens,
        window: 20 * options.max_unit as u32,
        recurrence: Recurrence {
            min: options.recurrence,
            min_errors: options.recurrence_errors,
            min_large: options.recurrence,
            within: options.within as u32,
        },
        stagnation: Stagnation { min: options.stagnation, min_large: options.stagnation },
        tools: options.rules.iter().map(|(tool, r)| (Glob::new(TOOLS[*tool as usize]), rule(r))).collect(),
        ..Options::default()
    }
}

fn step_of(step: &Step) -> step::Step<'static> {
    let output = step.output.map_or(Payload::Absent, |text| Payload::Text(TEXTS[text as usize].as_bytes()));
    let base = step::Step {
        output,
        error: step.error,
        turn: step.turn,
        progress: step.progress,
        tokens: step.tokens,
        ..step::Step::default()
    };
    match step.what {
        What::Call { tool, argument } => step::Step {
            tool: TOOLS[tool as usize],
            arguments: Payload::Json(ARGUMENTS[argument as usize]),
            ..base
        },
        What::Summary => step::Step { kind: Kind::Summary, ..base },
        What::User(text) => {
            step::Step { kind: Kind::User, output: Payload::Text(USERS[text as usize].as_bytes()), ..base }
        }
    }
}

/// Everything that a session finds in these steps, checked to be told as early as it can be.
pub fn findings(steps: &[Step], options: &super::Options) -> BTreeSet<Found> {
    let options = self::options(options);
    let keys = Keys { findings: FingerprintKey::new([7; 16]), calls: 99 };
    let mut scratch = Scratch::new(&options);
    let mut workflow = Workflow::new("w", Arc::new(options), keys);
    let mut latest = BTreeMap::new();
    let mut keep = |now: usize, findings: &[Finding]| {
        for finding in findings {
            let known = latest.insert(finding.id, finding.clone());
            let at_the_earliest = finding.earliest_step == now as u64;
            assert!(
                known.is_some() || at_the_earliest || finding.is_inconclusive(),
                "told too late: {finding:?}"
            );
        }
    };
    for (index, step) in steps.iter().enumerate() {
        keep(index, workflow.record(&mut scratch, "a", &step_of(step)));
    }
    keep(steps.len().saturating_sub(1), workflow.finish());
    latest.values().map(found).collect()
}

/// What an audit reports of these steps.
pub fn audited(steps: &[Step], options: &super::Options) -> BTreeSet<Found> {
    let mut auditor = Auditor::new("w", &self::options(options), DEFAULT_REPEAT_LIMIT);
    for step in steps {
        auditor.step("a", &step_of(step));
    }
    auditor.finish().findings.iter().map(found).collect()
}

fn found(finding: &Finding) -> Found {
    Found {
        kind: finding.kind.name(),
        start: finding.start,
        end: finding.end,
        period: finding.period,
        passes: finding.passes,
        stagnant_positions: finding.stagnant_positions.clone(),
        earliest_step: finding.earliest_step,
        inconclusive: finding.is_inconclusive(),
    }
}
