//! The `wheelspin` command: what it reads and writes belongs here, what it thinks belongs to the engine.

mod args;
mod audit;
mod compare;
mod exit;
mod input;
mod json;
mod policy;
mod redact;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Audit(args) => audit::run(&args),
        Command::Compare(args) => compare::run(&args),
    };
    exit::code(outcome)
}
