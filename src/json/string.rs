//! A string of a JSON text, still as it is spelled.

/// The inside of a JSON string (without its quotes), valid by the grammar.
///
/// Escapes are decoded on demand. A lone surrogate (`"\ud800"`) survives: it is decoded to the three bytes that
/// UTF-8 would use for it (WTF-8), so that it differs from every other character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    raw: &'a [u8],
    escapes: Escapes,
}

/// Which escapes a string is spelled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Escapes {
    None,
    /// None but `\"`, `\\`, `\b`, `\f`, `\n`, `\r` and `\t`: nothing shorter says the same.
    Short,
    Any,
}

impl<'a> Text<'a> {
    pub(super) fn new(raw: &'a [u8], escapes: Escapes) -> Self {
        Text { raw, escapes }
    }

    /// The bytes as they are spelled.
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// The decoded bytes, where no escape has to be decoded.
    pub fn plain(self) -> Option<&'a [u8]> {
        (self.escapes == Escapes::None).then_some(self.raw)
    }

    /// The bytes as they are spelled, where no escape could be left out or shortened.
    pub fn minimal(self) -> Option<&'a [u8]> {
        (self.escapes <= Escapes::Short).then_some(self.raw)
    }

    /// Appends the decoded bytes to `out`.
    pub fn decode_into(self, out: &mut Vec<u8>) {
        if self.escapes == Escapes::None {
            out.extend_from_slice(self.raw);
            return;
        }
        let mut rest = self.raw;
        while let Some(backslash) = memchr::memchr(b'\\', rest) {
            out.extend_from_slice(&rest[..backslash]);
            rest = decode_escape(&rest[backslash + 1..], out);
        }
        out.extend_from_slice(rest);
    }

    /// The decoded bytes, in `scratch` only when something has to be decoded.
    pub fn decode<'b>(self, scratch: &'b mut Vec<u8>) -> &'b [u8]
    where
        'a: 'b,
    {
        match self.plain() {
            Some(bytes) => bytes,
            None => {
                scratch.clear();
                self.decode_into(scratch);
                scratch
            }
        }
    }
}

/// Decodes the escape whose backslash was just read; returns what follows it.
fn decode_escape<'a>(escape: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let plain = match escape[0] {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 0x08,
        b'f' => 0x0c,
        b'u' => return decode_unicode(&escape[1..], out),
        other => other,
    };
    out.push(plain);
    &escape[1..]
}

fn decode_unicode<'a>(digits: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let first = hex4(digits);
    let rest = &digits[4..];
    if (0xd800..0xdc00).contains(&first) && rest.starts_with(b"\\u") {
        let second = hex4(&rest[2..]);
        if (0xdc00..0xe000).contains(&second) {
            let scalar = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            push_code_point(scalar, out);
            return &rest[6..];
        }
    }
    push_code_point(first, out);
    rest
}

fn hex4(digits: &[u8]) -> u32 {
    digits[..4].iter().fold(0, |value, digit| {
        let nibble = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => digit - b'A' + 10,
        };
        value << 4 | u32::from(nibble)
    })
}

/// UTF-8 of a code point, surrogates included.
fn push_code_point(point: u32, out: &mut Vec<u8>) {
    match char::from_u32(point) {
        Some(scalar) => out.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes()),
        None => out.extend_from_slice(&[
            0xe0 | (point >> 12) as u8,
            0x80 | (point >> 6 & 0x3f) as u8,
            0x80 | (point & 0x3f) as u8,
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Scanner, Token};

    fn decoded(json: &str) -> Vec<u8> {
        let Ok(Some(Token::String(text))) = Scanner::new(json.as_bytes(), 1).next_token() else {
            panic!("not a string: {json}");
        };
        let mut out = Vec::new();
        text.decode_into(&mut out);
        out
    }

    #[test]
    fn escapes_and_letters_decode_to_the_same_bytes() {
        assert_eq!(decoded(r#""caf\u00e9""#), "café".as_bytes());
        assert_eq!(decoded(r#""\ud83d\ude00\/\"\\\b\f\n\r\t""#), "😀/\"\\\u{8}\u{c}\n\r\t".as_bytes());
    }

    #[test]
    fn a_spelling_is_minimal_when_no_escape_can_go() {
        let minimal = |json: &'static str| match Scanner::new(json.as_bytes(), 1).next_token() {
            Ok(Some(Token::String(text))) => text.minimal(),
            other => panic!("not a string: {other:?}"),
        };
        assert_eq!(minimal(r#""plain é""#), Some("plain é".as_bytes()));
        assert_eq!(minimal(r#""\"\\\b\f\n\r\t""#), Some(r#"\"\\\b\f\n\r\t"#.as_bytes()));
        assert_eq!(minimal(r#""\u0041\n""#), None);
        assert_eq!(minimal(r#""\/\n""#), None);
    }

    #[test]
    fn lone_surrogates_survive() {
        assert_eq!(decoded(r#""\ud800x""#), b"\xed\xa0\x80x");
        assert_eq!(decoded(r#""\ud800\u0041""#), b"\xed\xa0\x80A");
        assert_eq!(decoded(r#""\udc00\ud800""#), b"\xed\xb0\x80\xed\xa0\x80");
    }
}
