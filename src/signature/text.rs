//! The call as a line for people: `tool|k1=v1,k2=v2`.

use super::string::{push_bare, push_string};
use super::{Form, MAX_DEPTH, Scanner, Token};
use crate::json::Text;

/// The text signature of a canonical identity, given in its parts.
pub(super) fn text_signature(tool: &[u8], form: Form, payload: &[u8]) -> String {
    let mut line = tool.to_vec();
    line.push(b'|');
    match form {
        Form::Nothing => {}
        Form::Opaque => push_string(payload, &mut line),
        Form::Json if payload.starts_with(b"{") => push_members(payload, &mut line),
        Form::Json => line.extend_from_slice(payload),
    }
    String::from_utf8(line).unwrap_or_else(|bytes| String::from_utf8_lossy(bytes.as_bytes()).into_owned())
}

/// Writes the members of a canonical object as `k1=v1,k2=v2`.
fn push_members(object: &[u8], line: &mut Vec<u8>) {
    const CANONICAL: &str = "a canonical payload is JSON";
    let mut scanner = Scanner::new(object, MAX_DEPTH);
    scanner.next_token().expect(CANONICAL);
    let mut first = true;
    while let Some(Token::Key(key)) = scanner.next_token().expect(CANONICAL) {
        if !first {
            line.push(b',');
        }
        first = false;
        push_text(key, line);
        line.push(b'=');
        let value_at = scanner.offset();
        match scanner.next_token().expect(CANONICAL).expect(CANONICAL) {
            Token::String(text) => push_text(text, line),
            value => {
                scanner.skip_rest_of(value).expect(CANONICAL);
                line.extend_from_slice(&object[value_at..scanner.offset()]);
            }
        }
    }
}

fn push_text(text: Text<'_>, line: &mut Vec<u8>) {
    push_bare(text.decode(&mut Vec::new()), line);
}
