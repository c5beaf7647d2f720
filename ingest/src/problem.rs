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

    /// The problem without anything that the file says: where it is, and what was expected there.
    pub fn redacted(&self) -> Problem {
        // Without a place it is about the file, not about what it says.
        if self.line.is_none() && self.byte.is_none() {
            return self.clone();
        }
        let expected = self.message.rfind(", expected ").map_or("", |at| &self.message[at..]);
        Problem { message: format!("found what is not shown{expected}"), ..self.clone() }
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

#[cfg(test)]
mod tests {
    use super::Problem;

    #[test]
    fn a_redacted_problem_says_where_and_what_was_expected() {
        let file = Problem::of_file("t.json", "found no such file, expected a trace file");
        assert_eq!(file.redacted(), file);
        let found = |message: &str| Problem { line: Some(3), ..Problem::of_file("t.json", message) };
        let cases = [
            (
                "steps[1].error: found a string (\"secret, expected\"), expected true or false",
                "t.json, line 3: found what is not shown, expected true or false",
            ),
            ("invalid type: string \"secret\"", "t.json, line 3: found what is not shown"),
        ];
        for (message, redacted) in cases {
            assert_eq!(found(message).redacted().to_string(), redacted);
        }
    }
}
