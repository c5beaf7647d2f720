//! The command line.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use wheelspin_ingest::Format;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

const STATUS: &str = "Exit status:
  0  clean or inconclusive
  1  unproductive, or something to warn about
  2  some input or the policy could not be used; what could be read is still reported";

const AUDIT_HELP: &str = "Examples:
  wheelspin audit trace.json                   what an agent did again and again, for people
  wheelspin audit --json traces.ndjson.gz      one JSON object a trace
  zcat traces.gz | wheelspin audit -           from standard input
  wheelspin audit -q trace.json || echo loops  only the exit status

Steps are numbered from 0 as they stand in the trace.

Exit status:
  0  clean or inconclusive
  1  unproductive, or something to warn about
  2  some input or the policy could not be used; what could be read is still reported";

const COMPARE_HELP: &str = "Example:
  echo '{\"id\": 1, \"a\": \"done in 3 ms\", \"b\": \"done in 5 ms\"}' | wheelspin compare -

Each line holds one pair of results: {\"id\", \"tool\", \"a\", \"b\"}. A string is text, null is a missing result, \
anything else is JSON. `tool` chooses the policy's rules, `id` comes back as it is.

Exit status:
  0  every pair was judged
  2  some input or the policy could not be used; every other pair is still judged";

/// Finds AI agents that turn their wheels: the same call, the same arguments, the same result, again and again,
/// while every request succeeds
#[derive(Debug, Parser)]
#[command(name = "wheelspin", version, max_term_width = 100, styles = STYLES, after_help = STATUS)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = false
    )]
    pub color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that wants them.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say where agents turned their wheels in recorded traces
    #[command(after_help = AUDIT_HELP)]
    Audit(AuditArgs),
    /// Say whether two results are the same in substance
    #[command(after_help = COMPARE_HELP)]
    Compare(CompareArgs),
    /// Print a shell's completion script
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page (`wheelspin man | man -l -`)
    Man,
}

/// `wheelspin audit`
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Trace files, plain or gzip; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Take the files as this format instead of recognising it by content
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub format: Option<Format>,
    /// Detection options and tool rules (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Let a trace's own `config` override the policy, for that trace only
    #[arg(long)]
    pub trace_config: bool,
    /// Print one JSON object a trace, each on a line
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors: only the exit status tells
    #[arg(long, short, conflicts_with_all = ["json", "verbose"])]
    pub quiet: bool,
    /// Print a line for every clean trace, too
    #[arg(long, short, conflicts_with = "json")]
    pub verbose: bool,
    /// Leave out arguments and results, and replace finding ids and signatures by keyed fingerprints; trace ids,
    /// agents and tools keep their names
    #[arg(long)]
    pub redact: bool,
    /// Take the key of the fingerprints from a file (32 hexadecimal digits), so that they stay the same from
    /// run to run; without it every run has a key of its own
    #[arg(long, value_name = "FILE", requires = "redact")]
    pub redact_key_file: Option<PathBuf>,
    /// Report a trace, and an agent in it, that takes more than N steps
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Report N equal calls in a row as `repeat_loop`, whatever they return [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub repeat_limit: Option<u64>,
}

/// `wheelspin compare`
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Pairs of results, one a line; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Tool rules and the cosine threshold (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Print one JSON object a pair, each on a line
    #[arg(long)]
    pub json: bool,
}

/// The formats by name, so that help and completions list them.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| name.parse().expect("every listed name is a format"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
