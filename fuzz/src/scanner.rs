//! The scanner accepts what serde_json accepts, hands out balanced tokens, and never panics.

use serde_json::value::RawValue;
use wheelspin::json::{DEPTH_LIMIT, Error, Fault, Scanner, Token};

/// Compares with serde_json whether the bytes are JSON.
pub fn scanner(bytes: &[u8]) {
    let theirs = serde_json::from_slice::<&RawValue>(bytes);
    match scan(bytes) {
        // serde_json passes over a raw value of any depth.
        Err(error) if matches!(error.fault, Fault::TooDeep(_)) => {}
        ours => assert_eq!(ours.is_ok(), theirs.is_ok(), "{ours:?} {theirs:?}"),
    }
}

/// Reads the bytes as JSON, with a look at every token.
fn scan(bytes: &[u8]) -> Result<(), Error> {
    let mut scanner = Scanner::new(bytes, DEPTH_LIMIT);
    let mut scratch = Vec::new();
    let mut open = 0;
    loop {
        let before = scanner.offset();
        match scanner.next_token() {
            Ok(Some(token)) => {
                assert!(scanner.offset() > before, "every token takes bytes");
                match token {
                    Token::ObjectStart | Token::ArrayStart => open += 1,
                    Token::ObjectEnd | Token::ArrayEnd => open -= 1,
                    Token::Key(text) | Token::String(text) => drop(text.decode(&mut scratch).len()),
                    Token::Number(_) | Token::Bool(_) | Token::Null => {}
                }
                assert_eq!(open, scanner.depth());
            }
            Ok(None) => {
                assert_eq!((open, scanner.offset()), (0, bytes.len()));
                assert_eq!(scanner.next_token(), Ok(None), "the end stays the end");
                return Ok(());
            }
            Err(error) => {
                assert!(error.at <= bytes.len());
                assert_eq!(error.found, bytes.get(error.at).copied());
                assert_eq!(scanner.next_token(), Err(error), "an error stays an error");
                return Err(error);
            }
        }
    }
}
