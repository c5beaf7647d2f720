//! Text of strangers on a terminal: made harmless, and short.
//!
//! Names, arguments and results come from traces and may hold anything, terminal escapes included. Everything
//! that is printed for people passes through [`harmless`] first.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Stands for what was left out.
pub const ELLIPSIS: &str = "…";

/// The text with every character spelled out that would move the cursor, change colours, break the line or
/// turn the reading direction.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if !is_harmful(character) => out.push(character),
            _ => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
        }
    }
    Cow::Owned(out)
}

/// Controls (C0, DEL, C1), line and paragraph separators, bidirectional marks, and characters without width.
pub fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// As [`harmless`], from bytes, cut in the middle where it is wider than `columns`: beginnings are often alike,
/// ends tell. What is no UTF-8 shows as `\u{fffd}`. Of long bytes only both ends are read.
pub fn harmless_bytes(bytes: &[u8], columns: usize) -> String {
    // A character has at most four bytes; a little more, so that what is too long is seen to be.
    let enough = 4 * columns + 8;
    if bytes.len() <= 2 * enough {
        return shorten_middle(&harmless(&String::from_utf8_lossy(bytes)), columns);
    }
    let ends = [&bytes[..enough], &bytes[bytes.len() - enough..]].map(String::from_utf8_lossy);
    shorten_middle(&harmless(&ends.concat()), columns)
}

/// As [`harmless_bytes`], with white space squeezed: of a laid-out document the words matter.
pub fn gist(bytes: &[u8], columns: usize) -> String {
    // White space is up to nine tenths of a pretty document.
    let enough = 10 * (4 * columns + 8);
    let cut = bytes.len().saturating_sub(enough).min(enough);
    let ends = [&bytes[..bytes.len().min(enough)], &bytes[bytes.len() - cut..]];
    let words = |end: &[u8]| String::from_utf8_lossy(end).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = ends.map(words).join(if cut > 0 { " " } else { "" });
    shorten_middle(&harmless(&text), columns)
}

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text, cut with an ellipsis where it is wider than `columns`.
pub fn shorten(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_string();
    }
    let mut left = columns.saturating_sub(1);
    let mut out = String::new();
    for character in text.chars() {
        let wide = character.width().unwrap_or(0);
        if wide > left {
            break;
        }
        left -= wide;
        out.push(character);
    }
    out + ELLIPSIS
}

/// The text, cut in the middle where it is wider than `columns`.
fn shorten_middle(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_string();
    }
    let tail_columns = columns / 3;
    let mut from = text.len();
    let mut tail = 0;
    for (at, character) in text.char_indices().rev() {
        tail += character.width().unwrap_or(0);
        if tail > tail_columns {
            break;
        }
        from = at;
    }
    shorten(text, columns - text[from..].width()) + &text[from..]
}

/// A count for people: `12,345`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 step`, `2 steps`.
pub fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        // The only irregular noun in use.
        _ if noun == "pass" => format!("{} passes", grouped(count)),
        _ => format!("{} {noun}s", grouped(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_survives() {
        let cases = [
            ("\x1b[31mred\x1b[0m", "\\u{1b}[31mred\\u{1b}[0m"),
            ("a\nb\tc\r", "a\\nb\\tc\\r"),
            ("\u{9b}2J\u{7f}\0", "\\u{9b}2J\\u{7f}\\u{0}"),
            ("abc\u{202e}def", "abc\\u{202e}def"),
            ("größer 日本 😀", "größer 日本 😀"),
        ];
        for (text, shown) in cases {
            assert_eq!(harmless(text), shown);
        }
        assert_eq!(harmless_bytes(b"a\xffb", 10), "a\u{fffd}b");
    }

    #[test]
    fn shortening_counts_columns() {
        assert_eq!(shorten("abcdef", 6), "abcdef");
        assert_eq!(shorten("abcdef", 5), "abcd…");
        assert_eq!(shorten("日本語", 5), "日本…");
        assert_eq!(harmless_bytes("日本語日本語日本語".as_bytes(), 4), "日…");
        assert_eq!(harmless_bytes(b"0123456789", 9), "01234…789");
        assert_eq!(harmless_bytes(&[b"a".repeat(1000), b"b".repeat(1000)].concat(), 9), "aaaaa…bbb");
    }

    #[test]
    fn the_gist_of_a_document_has_no_layout() {
        assert_eq!(gist(b"{\n        \"a\": 1,\n        \"b\": 2\n}\n", 40), r#"{ "a": 1, "b": 2 }"#);
        let long = [b"first ".repeat(1000), b"\n \n last".repeat(1000)].concat();
        assert_eq!(gist(&long, 21), "first first f…st last");
        assert_eq!(gist(b"", 10), "");
    }

    #[test]
    fn counts_are_grouped_and_nouns_follow_them() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(1000, "step"), "1,000 steps");
        assert_eq!(counted(2, "pass"), "2 passes");
    }
}
