//! What a caller reports: one thing that an agent did.
//!
//! A step borrows everything; the engine copies what it keeps.

/// What an agent did. Everything but [`Kind::User`] is a *counted* step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A tool call and its result.
    Tool,
    /// A hand-off or a call of a sub-agent: the target stands as the tool, the task as arguments.
    Delegation,
    /// Model text that calls no tool. It has no arguments; its text is its output.
    Summary,
    /// Input from outside: a boundary of the whole workflow.
    User,
}

impl Kind {
    /// Tool calls and delegations: the steps of the calls view.
    pub fn is_call(self) -> bool {
        matches!(self, Kind::Tool | Kind::Delegation)
    }
}

/// Arguments or output, in the spelling in which the caller holds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Payload<'a> {
    /// Nothing was reported. For an output this is missing evidence.
    #[default]
    Absent,
    /// JSON text. Bytes that turn out not to be JSON are taken as text.
    Json(&'a [u8]),
    /// Text as such (a command line, a log). Text that holds a JSON object or array counts as that.
    Text(&'a [u8]),
}

impl<'a> Payload<'a> {
    /// The bytes as reported; empty when absent.
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Payload::Absent => b"",
            Payload::Json(bytes) | Payload::Text(bytes) => bytes,
        }
    }
}

/// One thing that an agent did, as reported by the caller.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// What was done.
    pub kind: Kind,
    /// The tool, or the target of a delegation. Empty for summaries and user steps.
    pub tool: &'a str,
    /// The call's arguments.
    pub arguments: Payload<'a>,
    /// The result of a call; the text of a summary or user step.
    pub output: Payload<'a>,
    /// The caller knows that the call failed.
    pub error: bool,
    /// Steps that one model turn started in parallel share a number. `None`: a turn of its own.
    pub turn: Option<u64>,
    /// The output was removed before the step was reported: missing evidence.
    pub redacted: bool,
    /// The output was cut before the step was reported: missing evidence.
    pub truncated: bool,
    /// The application knows that the task advanced with this step: a boundary right after it.
    pub progress: bool,
    /// Tokens that this step used; 0 when unknown.
    pub tokens: u64,
    /// The step's own call or span id; empty when it has none.
    pub id: &'a str,
}

impl Default for Step<'_> {
    fn default() -> Self {
        Step {
            kind: Kind::Tool,
            tool: "",
            arguments: Payload::Absent,
            output: Payload::Absent,
            error: false,
            turn: None,
            redacted: false,
            truncated: false,
            progress: false,
            tokens: 0,
            id: "",
        }
    }
}
