//! What message bodies say, free of the dialect that says it.
//!
//! Every dialect turns its messages into [`Event`]s that borrow from the body; what they add to a conversation is
//! decided elsewhere.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash};

use crate::json::{self, Object};
use crate::trace::Content;

/// Arguments, an output or a text, still in the body.
#[derive(Clone, Debug, Default)]
pub(crate) enum Raw<'a> {
    /// Nothing was said.
    #[default]
    Absent,
    /// JSON as written.
    Json(&'a str),
    /// Text that had to be decoded to be put together.
    Text(Vec<u8>),
}

impl<'a> Raw<'a> {
    /// JSON as written; nothing and `null` are absent.
    pub(crate) fn json(text: Option<&'a str>) -> Raw<'a> {
        text.filter(|text| *text != "null").map_or(Raw::Absent, Raw::Json)
    }

    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Raw::Absent)
    }

    pub(crate) fn into_content(self) -> Content {
        match self {
            Raw::Absent => Content::Absent,
            Raw::Json(text) => Content::Json(text.into()),
            Raw::Text(text) => Content::Text(text.into()),
        }
    }

    /// A hash of what it says; the spelling of a string's escapes makes no difference.
    pub(crate) fn hash(&self, hasher: &mut DefaultHasher) {
        match self {
            Raw::Absent => {}
            Raw::Json(text) => match json::string_bytes(text) {
                Some(bytes) => bytes.hash(hasher),
                None => text.as_bytes().hash(hasher),
            },
            Raw::Text(text) => text[..].hash(hasher),
        }
    }
}

/// A call that the model asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call<'a> {
    pub(crate) id: Cow<'a, str>,
    pub(crate) tool: Cow<'a, str>,
    pub(crate) arguments: Raw<'a>,
    /// The result, where the same message has it (calls that the model's provider runs).
    pub(crate) output: Raw<'a>,
    pub(crate) error: bool,
}

/// One message, or what counts as one.
#[derive(Clone, Debug)]
pub(crate) enum Event<'a> {
    /// Input from outside.
    User(Raw<'a>),
    /// One answer of the model: calls of one turn, or a text without calls.
    Reply { text: Raw<'a>, calls: Vec<Call<'a>>, tokens: u64 },
    /// The result of a call. Without an id, of the tool's latest call.
    Result { id: Cow<'a, str>, tool: Cow<'a, str>, output: Raw<'a>, error: bool },
}

/// One answer of the model while it is put together from the parts of a message.
#[derive(Default)]
pub(crate) struct Answer<'a> {
    pub(crate) texts: Vec<&'a str>,
    pub(crate) calls: Vec<Call<'a>>,
    tokens: u64,
}

impl<'a> Answer<'a> {
    /// `tokens` belong to the first answer that ends.
    pub(crate) fn new(tokens: u64) -> Answer<'a> {
        Answer { tokens, ..Answer::default() }
    }

    /// Ends the answer, if there is one; the next begins.
    pub(crate) fn end(&mut self, events: &mut Vec<Event<'a>>) {
        let Answer { texts, calls, tokens } = std::mem::take(self);
        if texts.is_empty() && calls.is_empty() {
            self.tokens = tokens;
            return;
        }
        events.push(Event::Reply { text: joined(&texts), calls, tokens });
    }
}

/// A string member, decoded; empty when there is none.
pub(crate) fn text_of<'a>(object: &Object<'a>, key: &str) -> Cow<'a, str> {
    object.get(key).and_then(json::string).unwrap_or_default()
}

/// A count; 0 when there is none.
pub(crate) fn count_of(object: &Object<'_>, key: &str) -> u64 {
    object.get(key).and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// The text of a message: a string, or the text parts of an array. Other parts count only where there is no text.
pub(crate) fn text<'a>(content: Option<&'a str>) -> Raw<'a> {
    let Some(content) = content else { return Raw::Absent };
    let Some(parts) = json::elements(content) else { return Raw::json(Some(content)) };
    if parts.is_empty() {
        return Raw::Absent;
    }
    let texts: Vec<&str> = parts.iter().filter_map(|part| part_text(part)).collect();
    if texts.is_empty() { Raw::Json(content) } else { joined(&texts) }
}

/// The text in a part of a content array.
pub(crate) fn part_text(part: &str) -> Option<&str> {
    if part.starts_with('"') {
        return Some(part);
    }
    let part = Object::parse(part)?;
    let text = match &*text_of(&part, "type") {
        "text" | "input_text" | "output_text" | "summary_text" => {
            part.get("text").or_else(|| part.get("content"))
        }
        "refusal" => part.get("refusal"),
        _ => None,
    };
    text.filter(|text| text.starts_with('"'))
}

/// JSON strings put together, a line each; a single one stays as it is written.
pub(crate) fn joined<'a>(texts: &[&'a str]) -> Raw<'a> {
    match texts {
        [] => Raw::Absent,
        [text] => Raw::Json(text),
        texts => {
            let decoded: Vec<Cow<'_, [u8]>> =
                texts.iter().filter_map(|text| json::string_bytes(text)).collect();
            Raw::Text(decoded.join(&b'\n'))
        }
    }
}

/// The result of a tool: a content array of one text is that text. A result without content is an empty one.
pub(crate) fn tool_output(content: Option<&str>) -> Raw<'_> {
    let Some(content) = content else { return Raw::Json("\"\"") };
    match json::elements(content).as_deref() {
        Some([]) => Raw::Json("\"\""),
        Some([part]) => part_text(part).map_or(Raw::Json(content), Raw::Json),
        _ => Raw::json(Some(content)),
    }
}

/// A user's text without the reminders that a harness adds; `None` when nothing is left.
pub(crate) fn without_reminders(text: Raw<'_>) -> Option<Raw<'_>> {
    const OPEN: &str = "<system-reminder>";
    const CLOSE: &str = "</system-reminder>";
    let decoded = match &text {
        Raw::Absent => return None,
        Raw::Json(json) => match json::string(json) {
            Some(decoded) => decoded,
            None => return Some(text),
        },
        Raw::Text(text) => String::from_utf8_lossy(text),
    };
    if !decoded.contains(OPEN) {
        return Some(text);
    }
    let mut left = String::new();
    let mut rest = &*decoded;
    while let Some((before, after)) = rest.split_once(OPEN) {
        left.push_str(before);
        rest = after.split_once(CLOSE).map_or("", |(_, after)| after);
    }
    left.push_str(rest);
    let left = left.trim();
    (!left.is_empty()).then(|| Raw::Text(left.as_bytes().to_vec()))
}
