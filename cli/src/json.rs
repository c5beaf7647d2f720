//! The members of one JSON object, each still as it is spelled: numbers stay exact and nothing is built.

use wheelspin::json::{DEPTH_LIMIT, Error, Fault, Scanner, Token};
use wheelspin::step::Payload;

/// A value as it is spelled, and decoded where it is a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value<'a> {
    /// The JSON text of the value.
    pub raw: &'a [u8],
    /// The decoded bytes of a string.
    pub text: Option<Vec<u8>>,
}

impl Value<'_> {
    /// As a result: a string is text, `null` is nothing, anything else is JSON.
    pub fn payload(&self) -> Payload<'_> {
        match &self.text {
            Some(text) => Payload::Text(text),
            None if self.raw == b"null" => Payload::Absent,
            None => Payload::Json(self.raw),
        }
    }
}

/// What a payload says: its bytes, and of a JSON string what it holds.
pub fn spoken<'a>(payload: Payload<'a>, scratch: &'a mut Vec<u8>) -> &'a [u8] {
    match payload {
        Payload::Json(json) => match Scanner::new(json, DEPTH_LIMIT).next_token() {
            Ok(Some(Token::String(text))) => text.decode(scratch),
            _ => json,
        },
        Payload::Absent | Payload::Text(_) => payload.bytes(),
    }
}

/// The members of the object that `bytes` hold, in their order.
///
/// # Errors
/// When the bytes are no JSON, or hold another value than an object.
pub fn members(bytes: &[u8]) -> Result<Vec<(Vec<u8>, Value<'_>)>, Error> {
    let mut scanner = Scanner::new(bytes, DEPTH_LIMIT);
    match scanner.next_token()? {
        Some(Token::ObjectStart) => {}
        _ => {
            let at = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
            return Err(Error { at, found: bytes.get(at).copied(), fault: Fault::Expected("an object") });
        }
    }
    let mut members = Vec::new();
    while let Some(token) = scanner.next_token()? {
        let Token::Key(name) = token else { continue };
        let mut decoded = Vec::new();
        name.decode_into(&mut decoded);
        let from = scanner.offset();
        let Some(first) = scanner.next_token()? else { break };
        scanner.skip_rest_of(first)?;
        let text = match first {
            Token::String(text) => {
                let mut decoded = Vec::new();
                text.decode_into(&mut decoded);
                Some(decoded)
            }
            _ => None,
        };
        members.push((decoded, Value { raw: bytes[from..scanner.offset()].trim_ascii(), text }));
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_spelling() {
        let found = members(br#" {"a" : 1.00 , "b\u0041": "x\ny", "c": {"d": [1]}, "e": null} "#).unwrap();
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_slice()).collect();
        assert_eq!(names, [&b"a"[..], b"bA", b"c", b"e"]);
        assert_eq!(found[0].1.payload(), Payload::Json(b"1.00"));
        assert_eq!(found[1].1.payload(), Payload::Text(b"x\ny"));
        assert_eq!(found[2].1.payload(), Payload::Json(br#"{"d": [1]}"#));
        assert_eq!(found[3].1.payload(), Payload::Absent);
    }

    #[test]
    fn another_value_or_no_json_is_an_error() {
        assert_eq!(members(b" [1]").unwrap_err().to_string(), "byte 1: expected an object, found '['");
        assert!(members(b"{\"a\": 1").is_err());
        assert!(members(b"{\"a\": 1} x").is_err());
        assert!(members(b"").is_err());
    }
}
