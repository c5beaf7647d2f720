//! What could not be read, and where.

/// Something in a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file as it was named; `-` is standard input.
    pub file: String,
    /// Line, from 1.
    pub line: Option<u64>,
    /// Offset in the (decompressed) file, from 0.
    pub byte: Option<u64>,
    /// What was found and what was expected.
    pub message: String,
    /// Nothing more can be read from the file. Otherwise this cost one line or record only.
    pub fatal: bool,
}

impl Problem {
    /// A problem with a file as a whole.
    pub(crate) fn of_file(file: &str, message: impl Into<String>) -> Problem {
        Problem { file: file.into(), line: None, byte: None, message: message.into(), fatal: true }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.file == "-" { "standard input" } else { &self.file })?;
        match (self.line, self.byte) {
            (Some(line), Some(byte)) => write!(f, ", line {line} (byte {byte})")?,
            (Some(line), None) => write!(f, ", line {line}")?,
            (None, Some(byte)) => write!(f, ", byte {byte}")?,
            (None, None) => {}
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for Problem {}

/// What is wrong with one JSON value, before it is known where in the file that value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Offset in the value, from 0.
    pub(crate) at: usize,
    /// What was found and what was expected.
    pub(crate) message: String,
    /// The text ended before the value was complete.
    pub(crate) cut: bool,
}

impl Fault {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault { at, message: message.into(), cut: false }
    }
}
