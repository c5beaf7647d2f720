//! The `wheelspin` command: what it reads and writes belongs here, what it thinks belongs to the engine.

mod args;
mod audit;
mod compare;
mod exit;
mod json;
mod policy;
mod progress;
mod redact;
mod terminal;
mod text;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use exit::{Failure, Status};

fn main() -> ExitCode {
    let cli = Cli::parse();
    exit::code(match cli.command {
        Command::Audit(args) => audit::run(&args, cli.color),
        Command::Compare(args) => compare::run(&args, cli.color),
        Command::Completions { shell } => completions(shell),
        Command::Man => manual(),
    })
}

fn completions(shell: clap_complete::Shell) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "wheelspin", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Status::Fine)
}

/// One page for the command and its subcommands.
fn manual() -> Result<Status, Failure> {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        writeln!(page, ".SH {}", subcommand.get_bin_name().unwrap_or_default().to_uppercase())?;
        let manual = clap_mangen::Man::new(subcommand.clone());
        manual.render_description_section(&mut page)?;
        manual.render_options_section(&mut page)?;
        manual.render_extra_section(&mut page)?;
    }
    io::stdout().write_all(&page)?;
    Ok(Status::Fine)
}
