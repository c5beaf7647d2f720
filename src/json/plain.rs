//! The plain part of a string: everything up to its end, an escape, or a byte that may not stand there.
//!
//! Most bytes of a JSON text are plain, so they are looked at eight at a time.

/// The plain bytes that a text begins with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plain {
    pub(super) length: usize,
    /// They are all ASCII.
    pub(super) ascii: bool,
}

/// A word with this byte in every place.
const fn everywhere(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The highest bit of every byte.
const HIGH: u64 = everywhere(0x80);

/// Measures the bytes before the first quote, backslash or control character, or before the end.
pub(super) fn plain_prefix(text: &[u8]) -> Plain {
    let (words, rest) = text.as_chunks::<8>();
    let mut seen = 0;
    for (place, bytes) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        let special = special_bytes(word);
        if special != 0 {
            let length = special.trailing_zeros() / 8;
            // Only what stands before the special byte belongs to the prefix.
            seen |= word & !(u64::MAX << (8 * length));
            return Plain { length: 8 * place + length as usize, ascii: seen & HIGH == 0 };
        }
        seen |= word;
    }
    let length = rest.iter().take_while(|byte| **byte >= 0x20 && !matches!(**byte, b'"' | b'\\')).count();
    let ascii = seen & HIGH == 0 && rest[..length].is_ascii();
    Plain { length: 8 * words.len() + length, ascii }
}

/// The high bit of the first (lowest) byte that is a quote, a backslash or a control character; bits above it
/// mean nothing. The tests for a zero byte and for a byte less than n are the classic ones ("Bit Twiddling
/// Hacks", Sean Anderson): their borrows spoil higher bytes only.
fn special_bytes(word: u64) -> u64 {
    let zero = |word: u64| word.wrapping_sub(everywhere(1)) & !word;
    let control = word.wrapping_sub(everywhere(0x20)) & !word;
    (zero(word ^ everywhere(b'"')) | zero(word ^ everywhere(b'\\')) | control) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, byte by byte.
    fn naive(text: &[u8]) -> Plain {
        let special = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
        let length = text.iter().position(special).unwrap_or(text.len());
        Plain { length, ascii: text[..length].is_ascii() }
    }

    #[test]
    fn any_byte_at_any_place_is_seen_as_the_definition_sees_it() {
        for first in 0..=255 {
            for second in [b'a', 0x00, 0x1f, 0x20, 0x21, b'"', b'#', b'\\', b']', 0x7f, 0x80, 0xa2, 0xff] {
                for place in 0..18 {
                    let mut text = [b'a'; 19];
                    text[place] = first;
                    text[place + 1] = second;
                    assert_eq!(plain_prefix(&text), naive(&text), "{text:?}");
                    assert_eq!(plain_prefix(&text[..=place]), naive(&text[..=place]));
                }
            }
        }
    }
}
