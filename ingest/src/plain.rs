//! Wheelspin's own format: `{"trace_id": …, "steps": [{"agent": …, "tool": …, "args": …, "output": …}, …]}`.
//!
//! Only `steps` is needed, and of a step only `tool`. Unknown fields are ignored; a known one of another type is an
//! error, since a step that is read differently from how it was meant gives a wrong verdict.

use std::collections::HashMap;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use wheelspin::step::Kind;

use crate::json::{self, Key, Object};
use crate::problem::Fault;
use crate::trace::{Content, Names, Trace, TraceStep};

/// Reads one trace; `fallback_id` names it when it has no id of its own.
///
/// # Errors
/// When `text` is no JSON, holds no `steps`, or a known field has another type.
pub(crate) fn read(text: &str, fallback_id: &str) -> Result<Trace, Fault> {
    let mut wrong_step = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parts = Document { wrong_step: &mut wrong_step }
        .deserialize(&mut deserializer)
        .and_then(|parts| deserializer.end().map(|()| parts))
        .map_err(|error| match wrong_step.take() {
            Some((step, message)) => Fault::new(offset_of(step, text), message),
            None => wrong_document(text, &error),
        })?;
    let id = match parts.trace_id {
        None => fallback_id.to_string(),
        Some(id) => name(id).ok_or_else(|| wrong_type(text, "trace_id", id, "a string"))?,
    };
    if let Some(config) = parts.config
        && !config.starts_with('{')
    {
        return Err(wrong_type(text, "config", config, "an object"));
    }
    let Some(steps) = parts.steps else {
        return Err(Fault::new(0, without_steps(text)));
    };
    let config = parts.config.map(|config| RawValue::from_string(config.to_string()));
    Ok(Trace { id, steps, config: config.and_then(Result::ok) })
}

/// Where in `text` a part of it stands.
fn offset_of(part: &str, text: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn wrong_type(text: &str, key: &str, value: &str, expected: &str) -> Fault {
    let message = format!("{key}: found {}, expected {expected}", json::found(value));
    Fault::new(offset_of(value, text), message)
}

/// A string, or a number as it is spelled.
fn name(value: &str) -> Option<String> {
    match value.as_bytes().first() {
        Some(b'-' | b'0'..=b'9') => Some(value.to_string()),
        _ => json::string(value).map(|text| text.into_owned()),
    }
}

fn wrong_document(text: &str, error: &serde_json::Error) -> Fault {
    let fault = json::explain(text.as_bytes(), error);
    if !error.is_data() {
        return fault;
    }
    if !text.trim_start().starts_with('{') {
        return Fault::new(
            0,
            format!("found {}, expected a trace: an object with \"steps\"", json::found(text)),
        );
    }
    match Object::parse(text).and_then(|object| object.get("steps")) {
        Some(steps) if !steps.starts_with('[') => wrong_type(text, "steps", steps, "an array"),
        _ => fault,
    }
}

/// What an object without `steps` holds instead.
fn without_steps(text: &str) -> String {
    let object = Object::parse(text).unwrap_or_default();
    if object.has("steps") {
        return "steps: found null, expected an array".into();
    }
    let keys: Vec<String> =
        object.keys().take(json::KEYS_SHOWN).map(|key| format!("\"{}\"", json::shorten(key))).collect();
    let found = if keys.is_empty() { "no keys".into() } else { format!("the keys {}", keys.join(", ")) };
    format!("found an object with {found}, expected a trace: an object with \"steps\"")
}

/// The members of a trace that are read.
#[derive(Default)]
struct Parts<'a> {
    trace_id: Option<&'a str>,
    config: Option<&'a str>,
    steps: Option<Vec<TraceStep>>,
}

/// Reads a trace; leaves behind the text of a step that could not be read, with the reason.
struct Document<'e, 'de> {
    wrong_step: &'e mut Option<(&'de str, String)>,
}

impl<'de> DeserializeSeed<'de> for Document<'_, 'de> {
    type Value = Parts<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Parts<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_, 'de> {
    type Value = Parts<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a trace")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts<'de>, A::Error> {
        let mut parts = Parts::default();
        while let Some(Key(key)) = map.next_key()? {
            if key == "steps" {
                parts.steps = map.next_value_seed(Steps { wrong_step: self.wrong_step })?;
                continue;
            }
            let value = map.next_value::<&RawValue>()?.get();
            let value = (value != "null").then_some(value);
            match &*key {
                "trace_id" => parts.trace_id = value,
                "config" => parts.config = value,
                _ => {}
            }
        }
        Ok(parts)
    }
}

/// Turns the array of steps into steps one by one, so that it is never held twice. `null` is no array.
struct Steps<'e, 'de> {
    wrong_step: &'e mut Option<(&'de str, String)>,
}

impl<'de> DeserializeSeed<'de> for Steps<'_, 'de> {
    type Value = Option<Vec<TraceStep>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Steps<'_, 'de> {
    type Value = Option<Vec<TraceStep>>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of steps")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut steps = Vec::new();
        let mut reader = StepReader::default();
        while let Some(element) = array.next_element::<&RawValue>()? {
            match reader.step(element.get()) {
                Ok(step) => steps.push(step),
                Err(message) => {
                    let message = format!("step {}: {message}", steps.len());
                    *self.wrong_step = Some((element.get(), message));
                    return Err(Error::custom("a step could not be read"));
                }
            }
        }
        Ok(Some(steps))
    }
}

/// Reads steps one after the other and remembers what they share.
#[derive(Default)]
struct StepReader {
    names: Names,
    turns: Turns,
}

impl StepReader {
    /// One step, or what is wrong with it.
    fn step(&mut self, text: &str) -> Result<TraceStep, String> {
        let Some(object) = Object::parse(text) else {
            return Err(format!("found {}, expected an object", json::found(text)));
        };
        let agent = optional(&object, "agent", "a string or null", json::string)?.unwrap_or_default();
        let kind = kind(&object, &agent)?;
        let mut step = TraceStep {
            agent: self.names.get(&agent),
            kind,
            output: Content::json(object.get("output")),
            error: flag(&object, "error")?,
            turn: optional(&object, "turn", "a number or a string", |turn| self.turns.number(turn))?,
            redacted: flag(&object, "redacted")?,
            truncated: flag(&object, "truncated")?,
            progress: flag(&object, "progress")?,
            tokens: optional(&object, "tokens", "a number that is not negative", count)?.unwrap_or(0),
            id: optional(&object, "id", "a string", name)?.unwrap_or_default().into(),
            ..TraceStep::default()
        };
        if kind.is_call() {
            let Some(tool) = optional(&object, "tool", "a string", json::string)? else {
                return Err(format!("tool: found nothing, expected a string (a {} needs one)", word(kind)));
            };
            step.tool = self.names.get(&tool);
            step.arguments = Content::json(object.get("args"));
        }
        Ok(step)
    }
}

/// A member that may be missing; one of another type is an error.
fn optional<'a, T>(
    object: &Object<'a>,
    key: &str,
    expected: &str,
    read: impl FnOnce(&'a str) -> Option<T>,
) -> Result<Option<T>, String> {
    let Some(value) = object.get(key) else { return Ok(None) };
    match read(value) {
        Some(value) => Ok(Some(value)),
        None => Err(format!("{key}: found {}, expected {expected}", json::found(value))),
    }
}

fn flag(object: &Object<'_>, key: &str) -> Result<bool, String> {
    let read = |value: &str| value.parse().ok();
    Ok(optional(object, key, "true, false or null", read)?.unwrap_or(false))
}

fn kind(object: &Object<'_>, agent: &str) -> Result<Kind, String> {
    const EXPECTED: &str = "tool, delegation, summary, user or message";
    let read = |value| {
        Some(match &*json::string(value)? {
            "tool" => Kind::Tool,
            "delegation" => Kind::Delegation,
            "summary" => Kind::Summary,
            "user" => Kind::User,
            "message" if agent == "user" => Kind::User,
            "message" => Kind::Summary,
            _ => return None,
        })
    };
    Ok(optional(object, "kind", EXPECTED, read)?.unwrap_or(Kind::Tool))
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Tool => "tool call",
        Kind::Delegation => "delegation",
        Kind::Summary => "summary",
        Kind::User => "user step",
    }
}

/// A count, also one that is spelled as a decimal fraction.
fn count(value: &str) -> Option<u64> {
    if let Ok(count) = value.parse() {
        return Some(count);
    }
    let count: f64 = value.parse().ok()?;
    (count >= 0.0 && count.is_finite()).then_some(count as u64)
}

/// Turn ids as numbers. A whole number stands for itself; any other spelling is counted from the top, where no
/// recorded number is met.
#[derive(Default)]
struct Turns {
    others: HashMap<Box<str>, u64>,
}

impl Turns {
    fn number(&mut self, value: &str) -> Option<u64> {
        if let Ok(turn) = value.parse() {
            return Some(turn);
        }
        if !matches!(value.as_bytes().first(), Some(b'"' | b'-' | b'0'..=b'9')) {
            return None;
        }
        let next = u64::MAX - self.others.len() as u64;
        Some(*self.others.entry(value.into()).or_insert(next))
    }
}
