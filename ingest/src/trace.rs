//! What a file is turned into: traces of steps that own their text.

use std::sync::Arc;

use serde_json::value::RawValue;
use wheelspin::step::{Kind, Payload, Step};

/// One workflow, as recorded.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The recorded trace id, or a stable one made from the file's name and the place in it.
    pub id: String,
    /// What was done, in order.
    pub steps: Vec<TraceStep>,
    /// The options that came with the trace (plain traces alone have them); always a JSON object.
    pub config: Option<Box<RawValue>>,
}

/// Arguments or output as found in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Nothing was recorded.
    #[default]
    Absent,
    /// JSON text, exactly as written.
    Json(Box<str>),
    /// Decoded text: UTF-8, with lone surrogates as the three bytes that UTF-8 would use for them.
    Text(Box<[u8]>),
}

impl Content {
    /// The same, borrowed, in the engine's words.
    pub fn payload(&self) -> Payload<'_> {
        match self {
            Content::Absent => Payload::Absent,
            Content::Json(text) => Payload::Json(text.as_bytes()),
            Content::Text(text) => Payload::Text(text),
        }
    }

    /// JSON as written; nothing and `null` are absent.
    pub(crate) fn json(text: Option<&str>) -> Content {
        match text {
            None | Some("null") => Content::Absent,
            Some(text) => Content::Json(text.into()),
        }
    }
}

/// One step that owns its text. The fields are those of [`Step`], plus the agent.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// Who acted; empty when unnamed.
    pub agent: Arc<str>,
    /// What was done.
    pub kind: Kind,
    /// The tool, or the target of a delegation. Empty for summaries and user steps.
    pub tool: Arc<str>,
    /// The call's arguments.
    pub arguments: Content,
    /// The result of a call; the text of a summary or user step.
    pub output: Content,
    /// The call failed.
    pub error: bool,
    /// Steps that one model turn started in parallel share a number.
    pub turn: Option<u64>,
    /// The output was removed before it was recorded.
    pub redacted: bool,
    /// The output was cut before it was recorded.
    pub truncated: bool,
    /// The task advanced with this step.
    pub progress: bool,
    /// Tokens used; 0 when unknown.
    pub tokens: u64,
    /// The step's own call or span id; empty when it has none.
    pub id: Box<str>,
}

impl TraceStep {
    /// The step as the engine takes it.
    pub fn step(&self) -> Step<'_> {
        Step {
            kind: self.kind,
            tool: &self.tool,
            arguments: self.arguments.payload(),
            output: self.output.payload(),
            error: self.error,
            turn: self.turn,
            redacted: self.redacted,
            truncated: self.truncated,
            progress: self.progress,
            tokens: self.tokens,
            id: &self.id,
        }
    }
}

impl Default for TraceStep {
    fn default() -> Self {
        TraceStep {
            agent: Arc::from(""),
            kind: Kind::Tool,
            tool: Arc::from(""),
            arguments: Content::Absent,
            output: Content::Absent,
            error: false,
            turn: None,
            redacted: false,
            truncated: false,
            progress: false,
            tokens: 0,
            id: Box::from(""),
        }
    }
}

/// Agents and tools recur in almost every step: each name is kept once a trace.
#[derive(Default)]
pub(crate) struct Names {
    known: std::collections::HashSet<Arc<str>>,
}

impl Names {
    pub(crate) fn get(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let name: Arc<str> = Arc::from(name);
        self.known.insert(name.clone());
        name
    }
}
