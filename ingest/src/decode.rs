//! One value after the other to traces, whatever the format.

use crate::conversation::Conversations;
use crate::envelope::Dialect;
use crate::format::Format;
use crate::json;
use crate::mcp::{self, Sessions};
use crate::otlp::Spans;
use crate::problem::Fault;
use crate::trace::Trace;
use crate::{anthropic, detect, openai_chat, openai_responses, plain};

/// Reads the values of one file. What belongs together over several values is kept until the end.
pub(crate) enum Decoder {
    /// A value is a trace.
    Plain,
    /// A value continues a conversation.
    Conversations(&'static Dialect, Conversations),
    /// A value belongs to a session.
    Mcp(Sessions),
    /// A value holds spans of traces.
    Otlp(Spans),
}

impl Decoder {
    pub(crate) fn new(format: Format) -> Decoder {
        let conversations = |dialect| Decoder::Conversations(dialect, Conversations::default());
        match format {
            Format::Plain => Decoder::Plain,
            Format::OpenaiChat => conversations(&openai_chat::DIALECT),
            Format::OpenaiResponses => conversations(&openai_responses::DIALECT),
            Format::Anthropic => conversations(&anthropic::DIALECT),
            Format::Mcp => Decoder::Mcp(Sessions::default()),
            Format::Otlp => Decoder::Otlp(Spans::default()),
        }
    }

    /// Whether the elements of a root array are values; otherwise the array is one, as an array of messages is.
    pub(crate) fn splits(&self, array: &[u8]) -> bool {
        match self {
            Decoder::Conversations(dialect, _) => !dialect.is_history(array),
            _ => true,
        }
    }

    /// The JSON in a line; `None` when it holds none and need not.
    pub(crate) fn json_in<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        match (self, line.first()) {
            (Decoder::Mcp(_), first) if !matches!(first, Some(b'{' | b'[')) => mcp::json_in(line),
            _ => Some(line),
        }
    }

    /// Reads one value. `fallback_id` names the trace that begins with it, should it have no id of its own.
    ///
    /// # Errors
    /// When the value is damaged or is none of the format.
    pub(crate) fn read(&mut self, text: &str, fallback_id: &str, out: &mut Vec<Trace>) -> Result<(), Fault> {
        match self {
            Decoder::Plain => out.push(plain::read(text, fallback_id)?),
            Decoder::Otlp(spans) => spans.read(text)?,
            Decoder::Mcp(sessions) => {
                json::check(text)?;
                if !sessions.read(text) {
                    return Err(other_value(text, "a JSON-RPC message"));
                }
            }
            Decoder::Conversations(dialect, conversations) => {
                json::check(text)?;
                let bodies = dialect.bodies(text);
                if bodies.is_empty() {
                    return Err(other_value(text, dialect.expected));
                }
                for body in bodies {
                    conversations.add(body, fallback_id, out);
                }
            }
        }
        Ok(())
    }

    /// The traces that were kept until the end of the file, called `name`.
    ///
    /// # Errors
    /// When the file held nothing that could be one.
    pub(crate) fn finish(self, name: &str) -> Result<Vec<Trace>, String> {
        match self {
            Decoder::Plain => Ok(Vec::new()),
            Decoder::Otlp(spans) => spans.finish(),
            Decoder::Mcp(sessions) => Ok(sessions.finish(name)),
            Decoder::Conversations(_, conversations) => Ok(conversations.finish()),
        }
    }
}

fn other_value(text: &str, expected: &str) -> Fault {
    Fault::new(0, format!("found {}, expected {expected}", detect::describe(text.as_bytes())))
}
