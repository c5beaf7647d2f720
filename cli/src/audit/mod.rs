//! `wheelspin audit`: recorded traces in, what their agents did again and again out.

mod advice;
mod agreement;
mod call;
mod human;
mod json;
mod unit;

use std::io::{self, BufWriter, IsTerminal, Write};

use wheelspin::audit::{Auditor, DEFAULT_REPEAT_LIMIT, Report};
use wheelspin::finding::Verdict;
use wheelspin::fingerprint::FingerprintKey;
use wheelspin::policy::Options;
use wheelspin_ingest::{Format, Reader, Trace};

use crate::args::{AuditArgs, Color};
use crate::exit::{Failure, Status, problem};
use crate::progress::Bar;
use crate::{policy, redact, terminal};

/// One trace with what was found in it.
struct Audited {
    trace: Trace,
    /// The options that it was audited with.
    options: Options,
    report: Report,
}

/// Where reports go.
trait Output {
    fn report(&mut self, audited: &Audited) -> Result<(), Failure>;
    fn finish(&mut self) -> Result<(), Failure>;
}

/// Runs the command.
///
/// # Errors
/// When nothing could be done at all: the policy or the key cannot be used, or nobody reads the output.
pub fn run(args: &AuditArgs, color: Color) -> Result<Status, Failure> {
    let policy = policy::load(args.policy.as_deref()).map_err(Failure::Unusable)?;
    let mut output = output(args, color).map_err(Failure::Unusable)?;
    let mut bar = Bar::new(!args.quiet && io::stderr().is_terminal());
    let mut status = Status::Fine;
    for file in &args.files {
        let mut reader = Reader::open(file, args.format);
        bar.start(file, reader.progress());
        while let Some(item) = reader.next() {
            bar.update(reader.progress());
            let audited = match item {
                Ok(trace) if trace.steps.is_empty() && args.format.is_some_and(|f| f != Format::Plain) => {
                    Err(format!("{file}: found no step of the given format, expected at least one"))
                }
                Ok(trace) => audit(args, &policy, file, trace, &bar),
                Err(unreadable) if args.redact => Err(unreadable.redacted().to_string()),
                Err(unreadable) => Err(unreadable.to_string()),
            };
            bar.aside(|| match audited {
                Ok(audited) => {
                    status.raise(status_of(audited.report.verdict));
                    output.report(&audited)
                }
                Err(message) => {
                    status.raise(Status::Unusable);
                    problem(&message);
                    Ok(())
                }
            })?;
        }
    }
    bar.end();
    output.finish()?;
    Ok(status)
}

fn output(args: &AuditArgs, color: Color) -> Result<Box<dyn Output>, String> {
    let key = redaction_key(args)?;
    if args.quiet {
        return Ok(Box::new(Silence));
    }
    if args.json {
        return Ok(Box::new(Lines { out: BufWriter::new(io::stdout().lock()), key }));
    }
    let settings = human::Settings {
        columns: terminal::columns(),
        redacted: args.redact,
        verbose: args.verbose,
        bare: args.max_steps.is_some() || args.repeat_limit.is_some(),
    };
    Ok(Box::new(human::Printer::new(terminal::stdout(color), settings)))
}

fn redaction_key(args: &AuditArgs) -> Result<Option<FingerprintKey>, String> {
    match &args.redact_key_file {
        Some(path) => redact::key_from(path).map(Some),
        None if args.redact => redact::random_key().map(Some),
        None => Ok(None),
    }
}

fn audit(args: &AuditArgs, policy: &Options, file: &str, trace: Trace, bar: &Bar) -> Result<Audited, String> {
    let mut options = match &trace.config {
        Some(config) if args.trace_config => {
            policy::with_config(policy, config.get()).map_err(|problem| {
                let problem = if args.redact { "cannot be used" } else { &problem };
                format!("{file}: trace {}: config: {problem}", trace.id)
            })?
        }
        _ => policy.clone(),
    };
    options.max_steps = args.max_steps.or(options.max_steps);
    let mut auditor = Auditor::new(&trace.id, &options, args.repeat_limit.unwrap_or(DEFAULT_REPEAT_LIMIT));
    for (done, step) in trace.steps.iter().enumerate() {
        auditor.step(&step.agent, &step.step());
        bar.judged(done, trace.steps.len());
    }
    let report = auditor.finish();
    Ok(Audited { trace, options, report })
}

fn status_of(verdict: Verdict) -> Status {
    match verdict {
        Verdict::Clean | Verdict::Inconclusive => Status::Fine,
        Verdict::Warn | Verdict::Unproductive => Status::Found,
    }
}

/// `--quiet`: the exit status says it all.
struct Silence;

impl Output for Silence {
    fn report(&mut self, _: &Audited) -> Result<(), Failure> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// `--json`: one object a trace.
struct Lines<W> {
    out: W,
    key: Option<FingerprintKey>,
}

impl<W: Write> Output for Lines<W> {
    fn report(&mut self, audited: &Audited) -> Result<(), Failure> {
        json::write(&mut self.out, audited, self.key.as_ref())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}
