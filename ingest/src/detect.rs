//! Which format a value is, by its content.
//!
//! A value is looked at through a [`Glance`]: the keys and short strings near its root, in the order in which they
//! are written. That costs the same for a large value as for a small one and works for a damaged one as well.

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::format::Format;
use crate::json::{self, Key};
use crate::mcp;

/// Values that are looked at before the format counts as unknown: a log may begin with other lines.
pub(crate) const SAMPLE: usize = 64;
/// Levels below the root that are looked at: a content block of a message of a request is the deepest sign.
const DEPTH: usize = 6;
/// Keys and strings that are looked at: more than any real header before the first sign.
const BUDGET: usize = 4096;
/// The longest string that can be a sign, in bytes.
const SIGN: usize = 64;

/// The format of the first value that shows one; a value that may be of two formats decides when no other does.
///
/// # Errors
/// Says what was found and which signs were looked for.
pub(crate) fn detect<'a>(values: impl Iterator<Item = &'a [u8]>) -> Result<Format, String> {
    let mut found = None;
    let mut likely = None;
    for line in values {
        let value = match line.first() {
            Some(b'{' | b'[') => line,
            _ => mcp::json_in(line).unwrap_or(line),
        };
        let glance = Glance::at(value);
        match glance.format() {
            Some((format, true)) => return Ok(format),
            Some((format, false)) => likely = likely.or(Some(format)),
            None => {}
        }
        found.get_or_insert_with(|| glance.describe(value));
    }
    if let Some(format) = likely {
        return Ok(format);
    }
    let found = found.unwrap_or_else(|| "no JSON".into());
    Err(format!(
        "found {found}, expected a trace: \"steps\" (plain), \"messages\" or \"choices\" (openai-chat, anthropic), \
         \"input\" or \"output\" items (openai-responses), \"jsonrpc\" (mcp), \"resourceSpans\" (otlp)"
    ))
}

/// A value in words, with its first keys.
pub(crate) fn describe(value: &[u8]) -> String {
    Glance::at(value).describe(value)
}

/// What stands near the root of a value. Array elements have the path of their array.
#[derive(Default)]
struct Glance {
    seen: Vec<(String, String)>,
}

impl Glance {
    fn at(value: &[u8]) -> Glance {
        let mut glance = Glance::default();
        let mut deserializer = serde_json::Deserializer::from_slice(value);
        let look = Look { glance: &mut glance, path: &mut String::new(), depth: 0 };
        // A damaged value, or one with more than is looked at, has shown what it has up to there.
        let _ = look.deserialize(&mut deserializer);
        glance
    }

    fn has(&self, path: &str) -> bool {
        self.seen.iter().any(|(seen, _)| seen == path)
    }

    /// The format, and whether no other is possible.
    fn format(&self) -> Option<(Format, bool)> {
        let sure = |format| Some((format, true));
        let likely = |format| Some((format, false));
        if self.has("steps") {
            return sure(Format::Plain);
        }
        if ["resourceSpans", "resource_spans", "batches", "spanId", "span_id"].iter().any(|key| self.has(key))
        {
            return sure(Format::Otlp);
        }
        // Below any wrapping: the last part of a path.
        if self.ends("jsonrpc") {
            return sure(Format::Mcp);
        }
        if self.says("object", "chat.completion") || self.says("role", "tool") || self.ends("tool_calls") {
            return sure(Format::OpenaiChat);
        }
        let items = ["function_call", "function_call_output", "custom_tool_call", "mcp_call", "reasoning"];
        if self.says("object", "response")
            || items.iter().any(|item| self.says("type", item))
            || self.ends("call_id") && !self.ends("messages")
            || self.says("type", "input_text")
            || self.says("type", "output_text")
        {
            return sure(Format::OpenaiResponses);
        }
        let blocks = ["tool_use", "tool_result", "server_tool_use", "mcp_tool_use", "thinking"];
        if blocks.iter().any(|block| self.says("type", block))
            || ["stop_reason", "input_schema", "anthropic_version", "stop_sequences"]
                .iter()
                .any(|key| self.ends(key))
            || self.seen.iter().any(|(path, text)| ends_with(path, "model") && text.contains("claude"))
        {
            return sure(Format::Anthropic);
        }
        if self.ends("choices")
            || self.says("role", "system") && !self.ends("input")
            || self.ends("function_call")
        {
            return sure(Format::OpenaiChat);
        }
        if self.ends("method") && (self.ends("params") || self.ends("id"))
            || self.has("id") && self.has("result")
        {
            return likely(Format::Mcp);
        }
        if self.ends("input") && (self.ends("model") || self.ends("role") || self.ends("instructions")) {
            return likely(Format::OpenaiResponses);
        }
        if self.ends("messages") || self.ends("role") {
            return likely(Format::OpenaiChat);
        }
        None
    }

    /// Whether a member of this name shows at any depth.
    fn ends(&self, key: &str) -> bool {
        self.seen.iter().any(|(path, _)| ends_with(path, key))
    }

    /// Whether a member of this name has this text.
    fn says(&self, key: &str, text: &str) -> bool {
        self.seen.iter().any(|(path, seen)| seen == text && ends_with(path, key))
    }

    fn describe(&self, value: &[u8]) -> String {
        match value.trim_ascii_start().first() {
            Some(b'{' | b'[') => {}
            Some(byte) if !matches!(byte, b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                return format!("'{}' where JSON begins", byte.escape_ascii());
            }
            _ => return json::found(&String::from_utf8_lossy(&value[..value.len().min(SIGN)])),
        }
        let mut keys: Vec<&str> =
            self.seen.iter().map(|(path, _)| path.as_str()).filter(|path| !path.contains('.')).collect();
        keys.dedup();
        match &keys[..keys.len().min(json::KEYS_SHOWN)] {
            [] => match value.trim_ascii() {
                b"[]" => "an empty array".into(),
                b"{}" => "an empty object".into(),
                _ => "JSON without keys".into(),
            },
            keys => format!("the keys \"{}\"", keys.join("\", \"")),
        }
    }
}

fn ends_with(path: &str, key: &str) -> bool {
    path.strip_suffix(key).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Walks down to [`DEPTH`] and notes what it sees.
struct Look<'g> {
    glance: &'g mut Glance,
    path: &'g mut String,
    depth: usize,
}

impl Look<'_> {
    fn note<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let text = if text.len() <= SIGN { text } else { "" };
        self.glance.seen.push((self.path.clone(), text.to_string()));
        if self.glance.seen.len() < BUDGET { Ok(()) } else { Err(E::custom("seen enough")) }
    }

    fn below(&mut self) -> Look<'_> {
        Look { glance: self.glance, path: self.path, depth: self.depth + 1 }
    }
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.depth > DEPTH {
            return deserializer.deserialize_ignored_any(IgnoredAny).map(drop);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let length = self.path.len();
        while let Some(Key(key)) = map.next_key()? {
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(&key);
            self.note("")?;
            map.next_value_seed(self.below())?;
            self.path.truncate(length);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut array: A) -> Result<(), A::Error> {
        while array.next_element_seed(self.below())?.is_some() {}
        Ok(())
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        self.note(text)
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
