//! Export requests as they are written.
//!
//! Accepted beside the letter of OTLP/JSON: snake_case names with nulls, base64 ids, numbers in place of strings and
//! names in place of numbers, the older `instrumentationLibrarySpans`, and attributes as one object.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{self, Object};

/// Levels of arrays and maps inside an attribute; deeper ones are left out.
const VALUE_DEPTH: usize = 64;
/// Bytes of a trace id and of a span id.
const ID_BYTES: [usize; 2] = [16, 8];

#[derive(Deserialize)]
struct Export<'a> {
    #[serde(borrow, rename = "resourceSpans", alias = "resource_spans", alias = "batches")]
    resources: Option<Vec<Resource<'a>>>,
}

#[derive(Deserialize)]
struct Resource<'a> {
    #[serde(borrow, rename = "scopeSpans", alias = "scope_spans")]
    scopes: Option<Vec<Scope<'a>>>,
    #[serde(borrow, rename = "instrumentationLibrarySpans", alias = "instrumentation_library_spans")]
    libraries: Option<Vec<Scope<'a>>>,
}

#[derive(Deserialize)]
struct Scope<'a> {
    #[serde(borrow)]
    spans: Option<Vec<WireSpan<'a>>>,
}

/// A span as it is written.
#[derive(Deserialize)]
pub(super) struct WireSpan<'a> {
    #[serde(borrow, rename = "traceId", alias = "trace_id")]
    trace: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "spanId", alias = "span_id")]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "parentSpanId", alias = "parent_span_id", alias = "parent_id")]
    parent: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "startTimeUnixNano", alias = "start_time_unix_nano")]
    start: Option<&'a RawValue>,
    #[serde(borrow, rename = "endTimeUnixNano", alias = "end_time_unix_nano")]
    end: Option<&'a RawValue>,
    #[serde(borrow)]
    attributes: Option<&'a RawValue>,
    #[serde(borrow)]
    events: Option<Vec<WireEvent<'a>>>,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct WireEvent<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    attributes: Option<&'a RawValue>,
}

/// The spans of an export request, or the one that `text` is; `None` when it is neither.
///
/// # Errors
/// When `text` is no JSON, or a known member has another type.
pub(super) fn spans(text: &str) -> Result<Option<Vec<WireSpan<'_>>>, serde_json::Error> {
    let export: Export<'_> = serde_json::from_str(text)?;
    let Some(resources) = export.resources else {
        let span: WireSpan<'_> = serde_json::from_str(text)?;
        return Ok(span.id.is_some().then(|| vec![span]));
    };
    let scopes = resources
        .into_iter()
        .flat_map(|resource| resource.scopes.into_iter().chain(resource.libraries))
        .flatten();
    Ok(Some(scopes.filter_map(|scope| scope.spans).flatten().collect()))
}

impl<'a> WireSpan<'a> {
    pub(super) fn trace_id(&self) -> String {
        id(self.trace.as_deref())
    }

    pub(super) fn span_id(&self) -> String {
        id(self.id.as_deref())
    }

    /// Empty for a root.
    pub(super) fn parent_id(&self) -> String {
        let parent = id(self.parent.as_deref());
        if parent.bytes().all(|byte| byte == b'0') { String::new() } else { parent }
    }

    /// Start and end in nanoseconds; 0 where unknown.
    pub(super) fn times(&self) -> (u64, u64) {
        let nanoseconds = |value: Option<&RawValue>| {
            value.and_then(|value| value.get().trim_matches('"').parse().ok()).unwrap_or(0)
        };
        (nanoseconds(self.start), nanoseconds(self.end))
    }

    /// Whether the status is an error, and its message.
    pub(super) fn status(&self) -> (bool, Option<&'a str>) {
        let Some(status) = self.status.and_then(|status| Object::parse(status.get())) else {
            return (false, None);
        };
        let code = status.get("code").map(|code| code.trim_matches('"')).unwrap_or("");
        (code == "2" || code.ends_with("ERROR"), status.get("message"))
    }

    /// The attributes, with those of events that carry a call's content.
    pub(super) fn attributes(&self) -> Attributes<'a> {
        let mut attributes = Attributes::default();
        attributes.add(self.attributes);
        for event in self.events.iter().flatten() {
            let name = event.name.as_deref().unwrap_or("");
            if name == "exception" || name.starts_with("gen_ai.") {
                attributes.add(event.attributes);
            }
        }
        attributes
    }
}

/// Ids in hex; the other spelling in use is base64.
fn id(id: Option<&str>) -> String {
    let id = id.unwrap_or("").trim_start_matches("0x");
    let is_hex =
        ID_BYTES.iter().any(|bytes| id.len() == bytes * 2) && id.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hex {
        return id.to_ascii_lowercase();
    }
    match STANDARD.decode(id) {
        Ok(bytes) if ID_BYTES.contains(&bytes.len()) => {
            bytes.iter().map(|byte| format!("{byte:02x}")).collect()
        }
        _ => id.to_string(),
    }
}

/// Attributes by name. Values are turned into JSON when they are asked for.
#[derive(Default)]
pub(super) struct Attributes<'a> {
    list: Vec<(Cow<'a, str>, &'a str)>,
}

#[derive(Deserialize)]
struct WireAttribute<'a> {
    #[serde(borrow)]
    key: Cow<'a, str>,
    #[serde(borrow)]
    value: Option<&'a RawValue>,
}

impl<'a> Attributes<'a> {
    fn add(&mut self, attributes: Option<&'a RawValue>) {
        let Some(attributes) = attributes.map(RawValue::get) else { return };
        if let Ok(list) = serde_json::from_str::<Vec<WireAttribute<'a>>>(attributes) {
            self.list.extend(list.into_iter().filter_map(|one| Some((one.key, one.value?.get()))));
        } else if let Some(object) = Object::parse(attributes) {
            self.list.extend(object.into_members());
        }
    }

    /// The value of the first of `keys` that has one, as JSON.
    pub(super) fn json(&self, keys: &[&str]) -> Option<Cow<'a, str>> {
        keys.iter().find_map(|key| {
            let (_, value) = self.list.iter().find(|(name, _)| name == key)?;
            value_json(value, VALUE_DEPTH)
        })
    }

    /// The text of the first of `keys` that has one.
    pub(super) fn text(&self, keys: &[&str]) -> Option<String> {
        let json = self.json(keys)?;
        let text = json::string(&json).map_or_else(|| json.to_string(), Cow::into_owned);
        (!text.is_empty()).then_some(text)
    }

    /// The sum of counts, for the first pair of keys of which one is there.
    pub(super) fn count(&self, sums: &[&[&str]]) -> u64 {
        let sum = |keys: &&[&str]| {
            let counts = keys.iter().filter_map(|key| self.text(&[key])?.parse::<f64>().ok());
            counts.map(|count| count as u64).reduce(u64::saturating_add)
        };
        sums.iter().find_map(sum).unwrap_or(0)
    }

    /// Names that begin with `prefix`, without it, and their values as JSON.
    pub(super) fn under(&self, prefix: &str) -> impl Iterator<Item = (&str, Cow<'a, str>)> {
        self.list.iter().filter_map(move |(name, value)| {
            Some((name.strip_prefix(prefix)?, value_json(value, VALUE_DEPTH)?))
        })
    }
}

/// An attribute's value as JSON. What is no `AnyValue` is taken as it is.
fn value_json(value: &str, depth: usize) -> Option<Cow<'_, str>> {
    if value == "null" || depth == 0 {
        return None;
    }
    let Some(object) = Object::parse(value) else { return Some(Cow::Borrowed(value)) };
    let variant = |names: [&str; 2]| names.into_iter().find_map(|name| object.get(name));
    if let Some(text) = variant(["stringValue", "string_value"]).or(variant(["bytesValue", "bytes_value"])) {
        return Some(Cow::Borrowed(text));
    }
    if let Some(number) = variant(["intValue", "int_value"]) {
        return Some(Cow::Borrowed(number.trim_matches('"')));
    }
    if let Some(plain) = variant(["boolValue", "bool_value"]).or(variant(["doubleValue", "double_value"])) {
        return Some(Cow::Borrowed(plain));
    }
    if let Some(array) = variant(["arrayValue", "array_value"]) {
        let values =
            Object::parse(array).and_then(|array| json::elements(array.get("values")?)).unwrap_or_default();
        let values: Vec<Cow<'_, str>> =
            values.into_iter().map(|value| value_json(value, depth - 1).unwrap_or("null".into())).collect();
        return Some(Cow::Owned(format!("[{}]", values.join(","))));
    }
    if let Some(list) = variant(["kvlistValue", "kvlist_value"]) {
        let members =
            Object::parse(list).and_then(|list| json::elements(list.get("values")?)).unwrap_or_default();
        let members: Vec<String> = members
            .into_iter()
            .filter_map(|member| {
                let member = Object::parse(member)?;
                let value = member.get("value").and_then(|value| value_json(value, depth - 1));
                Some(format!("{}:{}", member.get("key")?, value.as_deref().unwrap_or("null")))
            })
            .collect();
        return Some(Cow::Owned(format!("{{{}}}", members.join(","))));
    }
    let is_any_value = object.keys().all(|key| key.ends_with("Value") || key.ends_with("_value"));
    (!is_any_value).then_some(Cow::Borrowed(value))
}
