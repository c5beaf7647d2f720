//! What is written around message bodies: logs keep a request and its answer in one record, or wrap each.

use crate::conversation::Body;
use crate::json::{self, Object};
use crate::message::{Event, text_of};

/// Levels of wrapping that are looked through.
const DEPTH: usize = 4;
/// Members that hold a body or another wrapping, requests before answers.
const WRAPPINGS: [&str; 12] = [
    "request",
    "request_body",
    "body",
    "kwargs",
    "params",
    "payload",
    "data",
    "message",
    "response",
    "response_body",
    "result",
    "completion",
];
/// Members that name the conversation.
const KEYS: [&str; 8] = [
    "trace_id",
    "session_id",
    "sessionId",
    "conversation_id",
    "conversation",
    "thread_id",
    "litellm_session_id",
    "litellm_trace_id",
];

/// How one provider's bodies are told apart and read.
pub(crate) struct Dialect {
    /// The member of a request that holds the history.
    pub(crate) history_key: &'static str,
    /// Reads a history: an array of messages, or what stands for it.
    pub(crate) history: for<'a> fn(&'a str) -> Vec<Event<'a>>,
    /// Reads an answer; `None` when the object is none.
    pub(crate) answer: for<'a> fn(&Object<'a>) -> Option<Vec<Event<'a>>>,
    /// Whether the object is one message or item by itself.
    pub(crate) is_message: for<'a> fn(&Object<'a>) -> bool,
    /// What a value without a body is told to be.
    pub(crate) expected: &'static str,
}

/// What the records around a body say about it.
#[derive(Clone, Default)]
struct Around {
    key: Option<String>,
    agent: Option<String>,
}

impl Dialect {
    /// Whether an array is a history, by its first element: an object that is one message.
    pub(crate) fn is_history(&self, array: &[u8]) -> bool {
        let inside = array.trim_ascii_start().get(1..).unwrap_or_default();
        let first = json::value_length(inside).ok().and_then(|length| json::utf8(&inside[..length]).ok());
        first.and_then(Object::parse).is_some_and(|first| (self.is_message)(&first))
    }

    /// The bodies in one value, in the order in which they were sent.
    pub(crate) fn bodies<'a>(&self, text: &'a str) -> Vec<Body<'a>> {
        let mut bodies = Vec::new();
        self.look(text, &Around::default(), DEPTH, &mut bodies);
        bodies
    }

    fn look<'a>(&self, text: &'a str, around: &Around, depth: usize, out: &mut Vec<Body<'a>>) {
        if text.starts_with('[') {
            out.push(self.body(around, (self.history)(text), true));
            return;
        }
        let Some(object) = Object::parse(text) else { return };
        let around = around.with(&object);
        if (self.is_message)(&object) {
            let response = object.get("id").and_then(json::string).map(|id| id.into_owned());
            let events = (self.answer)(&object).unwrap_or_else(|| (self.history)(text));
            out.push(Body { response, is_part: true, ..self.body(&around, events, false) });
            return;
        }
        if let Some(history) = object.get(self.history_key) {
            let follows = object.get("previous_response_id").and_then(json::string).map(|id| id.into_owned());
            let is_history = follows.is_none() && !object.has("conversation");
            out.push(Body { follows, ..self.body(&around, (self.history)(history), is_history) });
        }
        if let Some(events) = (self.answer)(&object) {
            let response = object.get("id").and_then(json::string).map(|id| id.into_owned());
            out.push(Body { response, ..self.body(&around, events, false) });
            return;
        }
        if depth == 0 {
            return;
        }
        for wrapping in WRAPPINGS.iter().filter_map(|key| object.get(key)) {
            self.look(wrapping, &around, depth - 1, out);
        }
    }

    fn body<'a>(&self, around: &Around, events: Vec<Event<'a>>, is_history: bool) -> Body<'a> {
        Body { events, is_history, key: around.key.clone(), agent: around.agent.clone(), ..Body::default() }
    }
}

impl Around {
    fn with(&self, object: &Object<'_>) -> Around {
        let key = KEYS.iter().find_map(|key| {
            let value = object.get(key)?;
            match Object::parse(value) {
                Some(inner) => Some(text_of(&inner, "id").into_owned()),
                None => json::string(value).map(|text| text.into_owned()),
            }
        });
        let agent = ["agent", "agent_name"].iter().find_map(|key| json::string(object.get(key)?));
        Around {
            key: key.filter(|key| !key.is_empty()).or_else(|| self.key.clone()),
            agent: agent.map(|agent| agent.into_owned()).or_else(|| self.agent.clone()),
        }
    }
}
