//! A report for people: a verdict line a trace, a few lines a finding, and a table at the end.

use std::io::{self, Write};

use anstyle::Style;
use wheelspin::audit::{Report, Violation};
use wheelspin::evidence::{Difference, DifferenceKind, Judge};
use wheelspin::finding::{Finding, FindingKind, Level, Verdict};
use wheelspin::step::Payload;
use wheelspin_ingest::Trace;

use super::advice;
use super::agreement::{self, Agreement, MOST_COMPARISONS};
use super::call::{self, Detail};
use super::unit::{Savings, Steps, Unit};
use super::{Audited, Output};
use crate::exit::Failure;
use crate::json::spoken;
use crate::terminal::{BLUE, BOLD, DIM, GREEN, RED, YELLOW, paint};
use crate::text::{ELLIPSIS, counted, gist, grouped, harmless, shorten, width};

/// What to show.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Columns to lay out for.
    pub columns: usize,
    /// Arguments and results may not be shown.
    pub redacted: bool,
    /// Clean traces get a line each, too.
    pub verbose: bool,
    /// The violations of the bare audit were asked for.
    pub bare: bool,
}

/// Prints reports one by one, and what they come to at the end.
pub struct Printer<W> {
    out: W,
    settings: Settings,
    tally: Tally,
    /// The line of a clean trace, until it is known whether it is the only trace.
    held: Option<String>,
}

/// Indentation of a finding's lines.
const INDENT: usize = 4;
/// Columns of a line's label.
const LABEL: usize = 9;
/// Most positions whose results are shown.
const MOST_RESULTS: usize = 3;
/// Most differences that are shown of a position.
const MOST_DIFFERENCES: usize = 4;
/// Columns of a result that tell what it is.
const SAMPLE: usize = 30;

impl<W: Write> Printer<W> {
    /// A printer on `out`.
    pub fn new(out: W, settings: Settings) -> Self {
        Printer { out, settings, tally: Tally::default(), held: None }
    }

    fn trace(&mut self, audited: &Audited) -> io::Result<()> {
        let report = &audited.report;
        let mut steps = Steps::new(&audited.trace, &audited.options);
        let savings: Vec<_> = report.findings.iter().map(|finding| steps.savings(finding)).collect();
        self.tally.add(report, &savings);
        let heading = self.heading(&audited.trace, report);
        let violations = if self.settings.bare { self.violations(report) } else { Vec::new() };
        if report.findings.is_empty() && violations.is_empty() {
            if self.settings.verbose {
                return writeln!(self.out, "{heading}");
            }
            if self.tally.traces == 1 {
                self.held = Some(heading);
            }
            return Ok(());
        }
        if self.tally.blocks > 0 {
            writeln!(self.out)?;
        }
        self.tally.blocks += 1;
        writeln!(self.out, "{heading}")?;
        for line in violations {
            writeln!(self.out, "{line}")?;
        }
        let mut judge = Judge::new(&audited.options);
        for (finding, savings) in report.findings.iter().zip(&savings) {
            writeln!(self.out)?;
            let block = Block { audited, settings: self.settings, finding, savings: *savings };
            for line in block.lines(&mut steps, &mut judge) {
                writeln!(self.out, "{line}")?;
            }
        }
        Ok(())
    }

    /// Prints what all the reports come to.
    fn totals(&mut self) -> io::Result<()> {
        match (self.tally.traces, self.held.take()) {
            (0, _) => {}
            (1, Some(heading)) => writeln!(self.out, "{heading}")?,
            (1, None) => {}
            _ => {
                if self.tally.blocks > 0 || self.settings.verbose {
                    writeln!(self.out)?;
                }
                for line in self.tally.table() {
                    writeln!(self.out, "{line}")?;
                }
            }
        }
        self.out.flush()
    }

    fn heading(&self, trace: &Trace, report: &Report) -> String {
        let (symbol, style) = look(report.verdict);
        let verdict = format!("{symbol} {}", report.verdict.name());
        let mut numbers = counted(report.steps_used, "call");
        if !report.findings.is_empty() {
            numbers = format!("{numbers}, {}", counted(report.findings.len() as u64, "finding"));
        }
        let left = self.settings.columns.saturating_sub(width(&verdict) + width(&numbers) + 4);
        let id = shorten(&harmless(&trace.id), left.max(8));
        format!("{}  {}  {}", paint(style, &verdict), paint(BOLD, &id), paint(DIM, &numbers))
    }

    fn violations(&self, report: &Report) -> Vec<String> {
        let columns = self.settings.columns.saturating_sub(INDENT);
        // Redaction needs no key here: a violation's call is left out, not replaced.
        let line = |violation: &Violation| match violation {
            Violation::RepeatLoop { first_step, .. } if self.settings.redacted => {
                format!("repeat_loop at step {first_step}")
            }
            _ => violation.render(None),
        };
        let lines = report
            .violations
            .iter()
            .map(|violation| format!("{:INDENT$}{}", "", shorten(&harmless(&line(violation)), columns)));
        lines.collect()
    }
}

impl<W: Write> Output for Printer<W> {
    fn report(&mut self, audited: &Audited) -> Result<(), Failure> {
        Ok(self.trace(audited)?)
    }

    fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.totals()?)
    }
}

fn look(verdict: Verdict) -> (&'static str, Style) {
    match verdict {
        Verdict::Unproductive => ("✗", RED),
        Verdict::Warn => ("!", YELLOW),
        Verdict::Inconclusive => ("?", BLUE),
        Verdict::Clean => ("✓", GREEN),
    }
}

/// One finding, on its way to lines.
struct Block<'a> {
    audited: &'a Audited,
    settings: Settings,
    finding: &'a Finding,
    savings: Option<Savings>,
}

impl<'a> Block<'a> {
    fn lines(&self, steps: &mut Steps<'a>, judge: &mut Judge) -> Vec<String> {
        let unit = steps.unit(self.finding);
        let indent =
            textwrap::Options::new(self.settings.columns).initial_indent("  ").subsequent_indent("    ");
        let title = self.title();
        let mut lines: Vec<String> =
            textwrap::wrap(&title, indent).into_iter().map(|line| line.into_owned()).collect();
        if let Some(unit) = &unit {
            lines.extend(self.labelled(self.calls_label(), self.calls(unit)));
            let agreements = self.agreements(unit, steps, judge);
            let results = self.results(unit, &agreements);
            lines.extend(self.labelled("results", results));
            lines.extend(self.labelled("gateway", self.wrapped(&self.gateway())));
            let advice = advice::of(self.finding, &self.audited.trace, unit, &agreements);
            lines.extend(self.labelled("advice", self.wrapped(advice.text)));
            if let Some(policy) = advice.policy {
                // Lines to copy are never cut, however narrow the terminal is.
                let mut rules = vec![format!("{}:", policy.when)];
                rules.extend(policy.lines);
                lines.extend(self.labelled("policy", rules));
            }
        } else {
            lines.extend(self.labelled("gateway", self.wrapped(&self.gateway())));
            lines.extend(self.labelled("advice", self.wrapped(advice::without_unit(self.finding))));
        }
        lines
    }

    fn title(&self) -> String {
        let finding = self.finding;
        let (_, style) = look(finding.verdict());
        let kind = if finding.is_inconclusive() { "cycle, not to be judged" } else { finding.kind.name() };
        let agent = match &*finding.agent {
            "" => "unnamed agent".to_string(),
            name => format!("agent {}", shorten(&harmless(name), 40)),
        };
        let extent = match finding.kind {
            FindingKind::StepLimit | FindingKind::TokenLimit => format!("at step {}", finding.earliest_step),
            _ => format!("starts at step {}, ends at step {}", finding.start, finding.end),
        };
        format!("{} · {agent} · {extent}", paint(style, kind))
    }

    fn calls_label(&self) -> &'static str {
        match self.finding.kind {
            FindingKind::Cycle => "cycle",
            _ => "calls",
        }
    }

    fn calls(&self, unit: &Unit) -> Vec<String> {
        let trace = &self.audited.trace;
        let columns = self.columns();
        let times = format!("  ×{}", grouped(u64::from(self.finding.passes)));
        match self.finding.kind {
            FindingKind::Stagnation => {
                let first = unit.passes.iter().take(3).map(|pass| trace.steps[pass[0]].step());
                let detail = if self.settings.redacted { Detail::Name } else { Detail::Values(40) };
                let mut lines: Vec<String> = if self.settings.redacted {
                    vec![first.map(|step| call::label(&step, detail)).next().unwrap_or_default()]
                } else {
                    first.map(|step| shorten(&call::label(&step, detail), columns)).collect()
                };
                let rest = unit.passes.len().saturating_sub(lines.len());
                lines.push(format!("and {} with other arguments", counted(rest as u64, "more call")));
                lines
            }
            _ => {
                let pass: Vec<_> = unit.passes[0].iter().map(|&step| trace.steps[step].step()).collect();
                call::cycle(&pass, self.settings.redacted, &times, columns)
            }
        }
    }

    /// For each position the stretch in which its results stand still.
    fn agreements(&self, unit: &Unit, steps: &mut Steps<'a>, judge: &mut Judge) -> Vec<Option<Agreement>> {
        let trace = &self.audited.trace;
        let stagnant = |position: usize| {
            self.finding.kind != FindingKind::Cycle
                || self.finding.stagnant_positions.iter().any(|known| *known as usize == position)
        };
        let agreement = |position: usize| {
            let column: Vec<usize> = unit.passes.iter().map(|pass| pass[position]).collect();
            let rules = steps.rules(trace.steps[column[0]].step().tool);
            stagnant(position).then(|| agreement::of(trace, judge, rules, &column)).flatten()
        };
        (0..unit.passes[0].len()).map(agreement).collect()
    }

    fn results(&self, unit: &Unit, agreements: &[Option<Agreement>]) -> Vec<String> {
        if self.finding.is_inconclusive() {
            return vec!["not recorded, redacted or cut: there is nothing to judge by".to_string()];
        }
        let trace = &self.audited.trace;
        let several = agreements.len() > 1;
        let mut lines = Vec::new();
        let found = || agreements.iter().enumerate().filter_map(|(at, found)| Some((at, found.as_ref()?)));
        for (position, agreement) in found().take(MOST_RESULTS) {
            let step = trace.steps[unit.passes[0][position]].step();
            let name =
                if several { format!("{}: ", call::label(&step, Detail::Name)) } else { String::new() };
            let line = format!("{name}{}", in_words(agreement, unit.passes.len()));
            if self.settings.redacted {
                lines.extend(self.wrapped(&line));
                lines.extend(kinds_of(&agreement.differences).map(|kinds| format!("  {kinds}")));
                continue;
            }
            let output = trace.steps[agreement.pair.1].step().output;
            let left = self.columns().saturating_sub(width(&line) + 2);
            // On the same line if enough of it can be seen there.
            if left >= width(&quoted(output, SAMPLE)) {
                lines.push(format!("{line}: {}", paint(DIM, &quoted(output, left))));
            } else {
                lines.extend(self.wrapped(&format!("{line}:")));
                lines.push(paint(DIM, &quoted(output, self.columns())));
            }
            lines.extend(differences(&agreement.differences, self.columns()));
        }
        let more = found().count().saturating_sub(MOST_RESULTS);
        if more > 0 {
            lines.push(format!("and {} likewise", counted(more as u64, "more step")));
        }
        lines
    }

    fn gateway(&self) -> String {
        let finding = self.finding;
        match (self.savings, finding.kind) {
            (Some(savings), _) => {
                let tokens = savings.tokens.map(|tokens| format!(" and {}", counted(tokens, "token")));
                format!(
                    "would have refused step {}, saving {}{}",
                    savings.refused_step,
                    counted(savings.steps, "step"),
                    tokens.unwrap_or_default()
                )
            }
            (None, FindingKind::Cycle) if finding.is_inconclusive() => {
                "would have let it run: without results nothing is refused".to_string()
            }
            (None, FindingKind::Recurrence | FindingKind::Stagnation) => {
                format!("would have warned after step {}", finding.earliest_step)
            }
            (None, _) => format!(
                "would have known after step {}; the agent made no further call",
                finding.earliest_step
            ),
        }
    }

    fn columns(&self) -> usize {
        self.settings.columns - INDENT - LABEL
    }

    fn wrapped(&self, text: &str) -> Vec<String> {
        let lines = textwrap::wrap(text, self.columns());
        lines.into_iter().map(|line| line.into_owned()).collect()
    }

    fn labelled(&self, label: &str, lines: Vec<String>) -> impl Iterator<Item = String> {
        let label = paint(DIM, &format!("{label:LABEL$}"));
        lines.into_iter().enumerate().map(move |(index, line)| match index {
            0 => format!("{:INDENT$}{label}{line}", ""),
            _ => format!("{:INDENT$}{:LABEL$}{line}", "", ""),
        })
    }
}

/// Why results count as the same.
fn in_words(agreement: &Agreement, passes: usize) -> String {
    let what = if agreement.error { "the same error" } else { "the same" };
    let how = match agreement.level {
        Level::Identical if agreement.error => what.to_string(),
        Level::Identical => "identical".to_string(),
        Level::Values => format!("{what} by value, spelled or ordered in another way,"),
        Level::Volatile => format!("{what} but for details that change by themselves,"),
        Level::Similar => format!("{what} in other words (cosine {:.2}),", agreement.similarity),
        Level::None => "not to be compared".to_string(),
    };
    let extent = match grouped(agreement.passes as u64) {
        all if agreement.passes == passes => format!("all {all} times"),
        some if agreement.passes > MOST_COMPARISONS => format!("the first {some} times"),
        some => format!("{some} times in a row"),
    };
    format!("{how} {extent}")
}

/// What differed all the same, each `where: this → that`.
fn differences(differences: &[Difference], columns: usize) -> Vec<String> {
    let line = |difference: &Difference| {
        let path = shorten(&harmless(&difference.path), 40);
        // Two values, the path, and what stands between them.
        let most = columns.saturating_sub(width(&path) + 7) / 2;
        let (a, b) = parts(&difference.a, &difference.b, most.max(8));
        shorten(&format!("  {path}: {a} → {b}"), columns)
    };
    let told = |difference: &&Difference| difference.kind != DifferenceKind::Spelling;
    let mut lines: Vec<String> = differences.iter().filter(told).take(MOST_DIFFERENCES).map(line).collect();
    let more = differences.iter().filter(told).count().saturating_sub(MOST_DIFFERENCES);
    if more > 0 {
        lines.push(format!("  and {} more", grouped(more as u64)));
    }
    lines
}

/// Two texts in at most so many columns each, from a little before the place where they part.
fn parts(a: &str, b: &str, columns: usize) -> (String, String) {
    let alike = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let long = width(a).max(width(b)) > columns;
    let skipped = if long { alike.saturating_sub(columns / 4) } else { 0 };
    let part = |text: &str| match skipped {
        _ if text.is_empty() => "(nothing)".to_string(),
        0 => shorten(&harmless(text), columns),
        _ => {
            let rest: String = text.chars().skip(skipped).collect();
            shorten(&format!("{ELLIPSIS}{}", harmless(&rest)), columns)
        }
    };
    (part(a), part(b))
}

/// What differed, where it may not be read.
fn kinds_of(differences: &[Difference]) -> Option<String> {
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for difference in differences {
        match counts.iter_mut().find(|(kind, _)| *kind == difference.kind.name()) {
            Some((_, count)) => *count += 1,
            None => counts.push((difference.kind.name(), 1)),
        }
    }
    let kinds: Vec<String> =
        counts.iter().map(|(kind, count)| format!("{kind} {}", grouped(*count))).collect();
    (!kinds.is_empty()).then(|| kinds.join(", "))
}

/// A result in one line.
fn quoted(output: Payload<'_>, columns: usize) -> String {
    match spoken(output, &mut Vec::new()) {
        b"" => "(empty)".to_string(),
        bytes => gist(bytes, columns),
    }
}

/// What all traces come to.
#[derive(Default)]
struct Tally {
    traces: u64,
    /// Traces that were printed with their findings.
    blocks: u64,
    /// By verdict, weakest first: traces, findings, steps and tokens saved.
    rows: [(u64, u64, u64, u64); 4],
}

impl Tally {
    fn add(&mut self, report: &Report, savings: &[Option<Savings>]) {
        self.traces += 1;
        let row = &mut self.rows[report.verdict as usize];
        row.0 += 1;
        row.1 += report.findings.len() as u64;
        row.2 += savings.iter().flatten().map(|saved| saved.steps).sum::<u64>();
        row.3 += savings.iter().flatten().filter_map(|saved| saved.tokens).sum::<u64>();
    }

    fn table(&self) -> Vec<String> {
        let verdicts = [Verdict::Unproductive, Verdict::Warn, Verdict::Inconclusive, Verdict::Clean];
        let shown = verdicts.into_iter().filter(|verdict| self.rows[*verdict as usize].0 > 0);
        let mut lines = vec![paint(
            DIM,
            &format!(
                "{:14}  {:>8}  {:>8}  {:>11}  {:>12}",
                "verdict", "traces", "findings", "steps saved", "tokens saved"
            ),
        )];
        let number = |count: u64| if count == 0 { "–".to_string() } else { grouped(count) };
        lines.extend(shown.map(|verdict| {
            let (symbol, style) = look(verdict);
            let (traces, findings, steps, tokens) = self.rows[verdict as usize];
            let name = paint(style, &format!("{symbol} {:12}", verdict.name()));
            format!(
                "{name}  {:>8}  {:>8}  {:>11}  {:>12}",
                grouped(traces),
                number(findings),
                number(steps),
                number(tokens)
            )
        }));
        lines
    }
}
