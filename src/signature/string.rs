//! Decoded strings → canonical JSON strings: as few escapes as JSON allows.

/// The hexadecimal digits of canonical escapes.
const HEX: &[u8; 16] = b"0123456789abcdef";

/// The first byte of every surrogate in WTF-8 (and of U+D000 to U+D7FF).
const SURROGATE_LEAD: u8 = 0xed;

/// Appends a string in quotes. It is given as UTF-8 in which lone surrogates may stand (WTF-8).
///
/// Escaped are the quote, the backslash and control characters, as in RFC 8785 section 3.2.2.2, and lone
/// surrogates, for which UTF-8 has no bytes.
pub(super) fn push_string(decoded: &[u8], output: &mut Vec<u8>) {
    let special = |byte: &u8| *byte < 0x20 || matches!(*byte, b'"' | b'\\' | SURROGATE_LEAD);
    output.push(b'"');
    let mut rest = decoded;
    while let Some(at) = rest.iter().position(special) {
        output.extend_from_slice(&rest[..at]);
        rest = push_special(&rest[at..], output);
    }
    output.extend_from_slice(rest);
    output.push(b'"');
}

/// Appends a string bare, with nothing but lone surrogates escaped.
pub(super) fn push_bare(decoded: &[u8], output: &mut Vec<u8>) {
    let mut rest = decoded;
    while let Some(at) = memchr::memchr(SURROGATE_LEAD, rest) {
        output.extend_from_slice(&rest[..at]);
        rest = push_surrogate(&rest[at..], output).unwrap_or_else(|| {
            output.push(SURROGATE_LEAD);
            &rest[at + 1..]
        });
    }
    output.extend_from_slice(rest);
}

/// Writes the character that `text` begins with; returns what follows it.
fn push_special<'a>(text: &'a [u8], output: &mut Vec<u8>) -> &'a [u8] {
    let short = match text[0] {
        b'"' => b'"',
        b'\\' => b'\\',
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        SURROGATE_LEAD => {
            return push_surrogate(text, output).unwrap_or_else(|| {
                output.push(SURROGATE_LEAD);
                &text[1..]
            });
        }
        control => {
            push_unicode_escape(u16::from(control), output);
            return &text[1..];
        }
    };
    output.extend_from_slice(&[b'\\', short]);
    &text[1..]
}

/// Writes the lone surrogate that `text` begins with, if it does; returns what follows it.
fn push_surrogate<'a>(text: &'a [u8], output: &mut Vec<u8>) -> Option<&'a [u8]> {
    match text {
        [SURROGATE_LEAD, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, rest @ ..] => {
            let unit = 0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f);
            push_unicode_escape(unit, output);
            Some(rest)
        }
        _ => None,
    }
}

fn push_unicode_escape(unit: u16, output: &mut Vec<u8>) {
    let digit = |shift: u16| HEX[usize::from(unit >> shift & 0xf)];
    output.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_to_be_escaped_is_escaped() {
        let cases: &[(&[u8], &str)] = &[
            (b"", r#""""#),
            (b"\"\\/", r#""\"\\/""#),
            (b"\x08\t\n\x0c\r", r#""\b\t\n\f\r""#),
            (b"\x00\x01\x0b\x1f", r#""\u0000\u0001\u000b\u001f""#),
            (b"\x7f", "\"\u{7f}\""),
            ("é\u{2028}😀\u{d7ff}".as_bytes(), "\"é\u{2028}😀\u{d7ff}\""),
            (b"\xed\xa0\x80x\xed\xbf\xbf", r#""\ud800x\udfff""#),
        ];
        for (decoded, expected) in cases {
            let mut output = Vec::new();
            push_string(decoded, &mut output);
            assert_eq!(String::from_utf8(output).unwrap(), *expected);
        }
    }

    #[test]
    fn a_bare_string_escapes_lone_surrogates_alone() {
        let mut output = Vec::new();
        push_bare(b"a\"\\\n\xed\x9f\xbf\xed\xa0\x80\xed", &mut output);
        assert_eq!(output, b"a\"\\\n\xed\x9f\xbf\\ud800\xed");
    }
}
