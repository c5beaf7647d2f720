//! JSON values as spans of their text.
//!
//! Readers look at a document one object at a time: [`Object`] holds the members of one, each value still as it is
//! written. Nothing here recurses, so no nesting can exhaust the stack.

use std::borrow::Cow;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::value::RawValue;
use wheelspin::json::{DEPTH_LIMIT, Fault as Wrong, Scanner, Token};

use crate::problem::Fault;

/// The longest stretch of a found value that a message repeats, in characters.
const SHOWN: usize = 40;
/// Keys of a found object that a message names.
pub(crate) const KEYS_SHOWN: usize = 6;

/// The members of one object in the order in which they are written.
#[derive(Debug, Default)]
pub(crate) struct Object<'a> {
    members: Vec<(Cow<'a, str>, &'a str)>,
}

impl<'a> Object<'a> {
    /// The members of `text`; `None` when it is valid JSON of another type.
    pub(crate) fn parse(text: &'a str) -> Option<Object<'a>> {
        if !text.trim_start().starts_with('{') {
            return None;
        }
        serde_json::from_str(text).ok()
    }

    /// The value of `key`, the last one of duplicates; `null` counts as absent.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        let (_, value) = self.members.iter().rev().find(|(name, _)| name == key)?;
        (*value != "null").then_some(*value)
    }

    /// Whether there is such a member, be it `null`.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.members.iter().any(|(name, _)| name == key)
    }

    /// The names of the members.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(name, _)| &**name)
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(Key(key)) = map.next_key()? {
                    members.push((key, map.next_value::<&RawValue>()?.get()));
                }
                Ok(Object { members })
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A member's name, borrowed unless it holds escapes.
pub(crate) struct Key<'a>(pub(crate) Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl<'de> Visitor<'de> for Name {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Key<'de>, E> {
                Ok(Key(String::from_utf8_lossy(bytes)))
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(String::from_utf8_lossy(bytes).into_owned())))
            }
        }
        // As bytes, since a lone surrogate in a name is no reason to refuse the object.
        deserializer.deserialize_bytes(Name)
    }
}

/// The decoded text of a JSON string, with lone surrogates as three bytes; `None` for other values.
pub(crate) fn string_bytes(text: &str) -> Option<Cow<'_, [u8]>> {
    if !text.starts_with('"') {
        return None;
    }
    match Scanner::new(text.as_bytes(), 1).next_token() {
        Ok(Some(Token::String(string))) => Some(match string.plain() {
            Some(bytes) => Cow::Borrowed(bytes),
            None => {
                let mut decoded = Vec::with_capacity(string.raw().len());
                string.decode_into(&mut decoded);
                Cow::Owned(decoded)
            }
        }),
        _ => None,
    }
}

/// The decoded text of a JSON string; lone surrogates become the replacement character. `None` for other values.
pub(crate) fn string(text: &str) -> Option<Cow<'_, str>> {
    match string_bytes(text)? {
        Cow::Borrowed(bytes) => Some(String::from_utf8_lossy(bytes)),
        Cow::Owned(bytes) => Some(Cow::Owned(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })),
    }
}

/// A value in words, for a message: `a number (12)`.
pub(crate) fn found(text: &str) -> String {
    let text = text.trim_start();
    let kind = match text.as_bytes().first() {
        Some(b'{') => return "an object".into(),
        Some(b'[') => return "an array".into(),
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => return "null".into(),
        _ => "a number",
    };
    format!("{kind} ({})", shorten(text))
}

/// The length of the first JSON value in `bytes`, leading white space included.
///
/// # Errors
/// When no complete value stands there. The offset counts from the start of `bytes`.
pub(crate) fn value_length(bytes: &[u8]) -> Result<usize, Fault> {
    let mut stream = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    match stream.next() {
        Some(Ok(_)) => Ok(stream.byte_offset()),
        Some(Err(error)) => Err(explain(bytes, &error)),
        None => Err(Fault { at: bytes.len(), message: "expected a JSON value".into(), cut: true }),
    }
}

/// Whether `bytes` are one complete object or array and nothing else.
pub(crate) fn is_whole(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii();
    matches!((bytes.first(), bytes.last()), (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')))
        && serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}

/// `bytes` as text.
///
/// # Errors
/// Names the first byte that is no UTF-8.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Fault::new(at, format!("found byte 0x{:02x}, expected UTF-8 text", bytes[at]))
    })
}

/// What the JSON parser met, in words of what was found and expected.
pub(crate) fn explain(bytes: &[u8], error: &serde_json::Error) -> Fault {
    if error.classify() == Category::Data {
        return Fault::new(offset(bytes, error), bare_message(error));
    }
    let cut = error.classify() == Category::Eof;
    let mut scanner = Scanner::new(bytes, DEPTH_LIMIT);
    let wrong = loop {
        match scanner.next_token() {
            Ok(Some(_)) => {}
            Ok(None) => break None,
            Err(wrong) => break Some(wrong),
        }
    };
    match wrong.map(|wrong| (wrong.at, wrong.found, wrong.fault)) {
        Some((at, None, Wrong::Expected(what))) => {
            Fault { at, message: format!("the JSON ends early: expected {what}, found the end"), cut: true }
        }
        Some((at, Some(byte), Wrong::Expected(what))) => {
            Fault { at, message: format!("found {}, expected {what}", byte_in_words(byte)), cut }
        }
        _ => Fault {
            at: offset(bytes, error),
            message: format!("no valid JSON: {}", bare_message(error)),
            cut,
        },
    }
}

fn byte_in_words(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("'{}'", byte as char) } else { format!("byte 0x{byte:02x}") }
}

/// The parser's message without its own line and column, which count from the start of one value.
pub(crate) fn bare_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).unwrap_or(&message).to_string()
}

/// The parser's line and column as an offset.
fn offset(bytes: &[u8], error: &serde_json::Error) -> usize {
    let lines_before = error.line().saturating_sub(1);
    let line_start = match lines_before {
        0 => 0,
        count => memchr::memchr_iter(b'\n', bytes).nth(count - 1).map_or(bytes.len(), |at| at + 1),
    };
    (line_start + error.column().saturating_sub(1)).min(bytes.len())
}

/// At most [`SHOWN`] characters of a text, for a message.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
