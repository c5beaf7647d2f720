//! `wheelspin audit`: recorded traces in, what their agents did again and again out.

mod json;

use std::io::{self, BufWriter, Write};

use wheelspin::audit::{Auditor, Report};
use wheelspin::finding::Verdict;
use wheelspin::fingerprint::FingerprintKey;
use wheelspin::policy::Options;

use crate::args::AuditArgs;
use crate::exit::{Failure, Status, problem};
use crate::input::{self, Trace};
use crate::{policy, redact};

/// Runs the command.
///
/// # Errors
/// When nothing could be done at all: the policy or the key cannot be used, or nobody reads the output.
pub fn run(args: &AuditArgs) -> Result<Status, Failure> {
    let options = policy::load(args.policy.as_deref()).map_err(Failure::Unusable)?;
    let key = redaction_key(args).map_err(Failure::Unusable)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut status = Status::Fine;
    for file in &args.files {
        let traces = match input::read(file) {
            Ok(traces) => traces,
            Err(message) => {
                problem(&message);
                status.raise(Status::Unusable);
                continue;
            }
        };
        for trace in traces {
            match trace.and_then(|trace| audit(args, &options, &trace)) {
                Ok(report) => {
                    json::write(&mut out, &report, key.as_ref())?;
                    status.raise(status_of(report.verdict));
                }
                Err(message) => {
                    problem(&message);
                    status.raise(Status::Unusable);
                }
            }
        }
    }
    out.flush()?;
    Ok(status)
}

fn redaction_key(args: &AuditArgs) -> Result<Option<FingerprintKey>, String> {
    match &args.redact_key_file {
        Some(path) => redact::key_from(path).map(Some),
        None if args.redact => redact::random_key().map(Some),
        None => Ok(None),
    }
}

fn audit(args: &AuditArgs, policy: &Options, trace: &Trace) -> Result<Report, String> {
    let mut options = match &trace.config {
        Some(config) if args.trace_config => policy::with_config(policy, config)
            .map_err(|problem| format!("trace {}: config: {problem}", trace.id))?,
        _ => policy.clone(),
    };
    options.max_steps = args.max_steps.or(options.max_steps);
    let mut auditor = Auditor::new(&trace.id, &options, args.repeat_limit);
    for step in &trace.steps {
        auditor.step(&step.agent, &step.as_step());
    }
    Ok(auditor.finish())
}

fn status_of(verdict: Verdict) -> Status {
    match verdict {
        Verdict::Clean | Verdict::Inconclusive => Status::Fine,
        Verdict::Warn | Verdict::Unproductive => Status::Found,
    }
}
