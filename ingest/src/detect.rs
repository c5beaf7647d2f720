//! Which format a value is, by its content.
//!
//! A value is looked at through a [`Glance`]: the keys and short strings near its root, in the order in which they
//! are written. That costs the same for a large value as for a small one and works for a damaged one as well.

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::format::Format;
use crate::json::{self, Key};

/// Values that are looked at before the format counts as unknown: a log may begin with other lines.
pub(crate) const SAMPLE: usize = 64;
/// Levels below the root that are looked at: a content block of a message of a request is the deepest sign.
const DEPTH: usize = 6;
/// Keys and strings that are looked at: more than any real header before the first sign.
const BUDGET: usize = 4096;
/// The longest string that can be a sign, in bytes.
const SIGN: usize = 64;

/// The format of the first value that shows one.
///
/// # Errors
/// Says what was found and which signs were looked for.
pub(crate) fn detect<'a>(values: impl Iterator<Item = &'a [u8]>) -> Result<Format, String> {
    let mut found = None;
    for value in values {
        let glance = Glance::at(value);
        if let Some(format) = recognise(&glance) {
            return Ok(format);
        }
        found.get_or_insert_with(|| glance.describe(value));
    }
    let found = found.unwrap_or_else(|| "no JSON".into());
    Err(format!("found {found}, expected a trace: an object with \"steps\" (plain)"))
}

fn recognise(glance: &Glance) -> Option<Format> {
    glance.has("steps").then_some(Format::Plain)
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

    fn describe(&self, value: &[u8]) -> String {
        match value.trim_ascii_start().first() {
            Some(b'{' | b'[') => {}
            Some(byte) if !matches!(byte, b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                return format!("'{}' where JSON begins", byte.escape_ascii());
            }
            _ => return json::found(&String::from_utf8_lossy(&value[..value.len().min(SIGN)])),
        }
        let keys: Vec<&str> =
            self.seen.iter().map(|(path, _)| path.as_str()).filter(|path| !path.contains('.')).collect();
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
