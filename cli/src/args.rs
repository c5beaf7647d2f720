//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Finds AI agents that repeat the same work and get the same results.
#[derive(Debug, Parser)]
#[command(name = "wheelspin", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Says where agents turned their wheels in recorded traces
    Audit(AuditArgs),
    /// Says whether two results are the same in substance
    Compare(CompareArgs),
}

/// `wheelspin audit`
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Trace files, plain or gzip; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Detection options and tool rules (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Let a trace's own `config` override the policy, for that trace only
    #[arg(long)]
    pub trace_config: bool,
    /// Print one JSON object a trace, each on a line
    #[arg(long)]
    pub json: bool,
    /// Leave out arguments and outputs, and replace signatures by keyed fingerprints
    #[arg(long)]
    pub redact: bool,
    /// Take the key of the fingerprints from this file (32 hexadecimal digits), so that they stay the same
    /// from run to run
    #[arg(long, value_name = "FILE", requires = "redact")]
    pub redact_key_file: Option<PathBuf>,
    /// Steps that a trace, and each agent in it, may have
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Equal calls in a row from which the bare audit reports `repeat_loop`
    #[arg(long, value_name = "N", default_value_t = wheelspin::audit::DEFAULT_REPEAT_LIMIT,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub repeat_limit: u64,
}

/// `wheelspin compare`
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// One `{"id", "tool", "a", "b"}` a line; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Detection options and tool rules (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Print one JSON object a pair, each on a line
    #[arg(long)]
    pub json: bool,
}
