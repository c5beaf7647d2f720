//! How the command ends.

use std::io;
use std::process::ExitCode;

use crate::text::harmless;

/// What the exit status says, least first: of several, the greatest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nothing to worry about: clean, or inconclusive.
    #[default]
    Fine,
    /// Something was found: unproductive, or a warning.
    Found,
    /// Some input or the policy could not be used.
    Unusable,
}

impl Status {
    /// The greater of the two.
    pub fn raise(&mut self, other: Status) {
        *self = (*self).max(other);
    }
}

/// Why the command stopped before its end.
#[derive(Debug)]
pub enum Failure {
    /// The reader of standard output went away: nobody is left to tell.
    OutputClosed,
    /// Anything else, as a sentence for people.
    Unusable(String),
}

impl From<io::Error> for Failure {
    /// An error of writing the output.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Unusable(format!("cannot write the output: {error}")),
        }
    }
}

impl From<serde_json::Error> for Failure {
    /// An error of writing a JSON line.
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

/// What a shell reports for a filter whose reader went away: 128 + SIGPIPE.
const CLOSED_PIPE: u8 = 141;

/// Reports a failure on standard error and gives the exit status.
pub fn code(outcome: Result<Status, Failure>) -> ExitCode {
    match outcome {
        Ok(Status::Fine) => ExitCode::SUCCESS,
        Ok(Status::Found) => ExitCode::from(1),
        Ok(Status::Unusable) => ExitCode::from(2),
        Err(Failure::OutputClosed) => ExitCode::from(CLOSED_PIPE),
        Err(Failure::Unusable(message)) => {
            problem(&message);
            ExitCode::from(2)
        }
    }
}

/// One line on standard error. It is fine when nobody reads it.
pub fn problem(message: &str) {
    let _ = io::Write::write_all(&mut io::stderr(), format!("wheelspin: {}\n", harmless(message)).as_bytes());
}
