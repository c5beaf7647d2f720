//! JSON to nodes.

use super::{DEPTH, Document, Kind};
use crate::json::{Scanner, Token};

/// Reads the JSON value at the beginning of `bytes` and returns where it ends. When there is none, leaves the document
/// as it was and returns how many bytes were read to find out.
pub(super) fn prefix(document: &mut Document, key: (u32, u32), bytes: &[u8]) -> Result<usize, usize> {
    let mark = document.mark();
    let mut scanner = Scanner::new(bytes, DEPTH.saturating_sub(document.depth));
    if read(document, key, &mut scanner).is_some() {
        return Ok(scanner.offset());
    }
    document.rewind(mark);
    Err(scanner.offset())
}

fn read(document: &mut Document, key: (u32, u32), scanner: &mut Scanner<'_>) -> Option<()> {
    let mut open: [u32; DEPTH] = [0; DEPTH];
    let mut level = 0;
    let mut key = key;
    let mut scratch = Vec::new();
    while let Some(token) = scanner.next_token().ok()? {
        match token {
            Token::Key(text) => {
                key = document.store(text.decode(&mut scratch));
                continue;
            }
            Token::ObjectStart | Token::ArrayStart => {
                let kind = if token == Token::ObjectStart { Kind::Object } else { Kind::List };
                open[level] = document.open(kind, key) as u32;
                level += 1;
            }
            Token::ObjectEnd | Token::ArrayEnd => {
                level -= 1;
                document.close(open[level] as usize);
            }
            Token::String(text) => {
                let at = document.store(text.decode(&mut scratch));
                document.text_value(key, at);
            }
            Token::Number(spelled) => {
                let at = document.store(spelled);
                document.leaf(Kind::Number, key, at);
            }
            Token::Bool(value) => {
                let at = document.store(if value { b"true" } else { b"false" });
                document.leaf(if value { Kind::True } else { Kind::False }, key, at);
            }
            Token::Null => {
                let at = document.store(b"null");
                document.leaf(Kind::Null, key, at);
            }
        }
        key = (0, 0);
        if level == 0 {
            return Some(());
        }
    }
    None
}
