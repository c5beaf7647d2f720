//! Calls that differ in nothing that matters: white space, quoting, letter case, the order of flags or words, a
//! trailing slash, a word that only asks politely.
//!
//! The soft signature is a sum over the words of the canonical identity, so their order and what stands between
//! them do not count. It decides nothing that stops an agent.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Words that ask for nothing.
const THROWAWAY: [&[u8]; 10] =
    [b"a", b"again", b"an", b"just", b"kindly", b"now", b"please", b"really", b"the", b"then"];

/// Longer words are told apart by this many bytes and their length.
const LONGEST_WORD: usize = 64;

/// The sum over the words of `payload`, which starts with `identity` (kind and tool, compared as they are).
pub fn soft(identity: &[u8], payload: &[u8], seed: u64) -> u64 {
    let mut sum = xxh3_64_with_seed(identity, seed);
    let mut rest = payload;
    while let Some(start) = rest.iter().position(|byte| is_kept(*byte)) {
        rest = &rest[start..];
        let length = if is_word(rest[0]) { rest.iter().take_while(|b| is_word(**b)).count() } else { 1 };
        let (word, behind) = rest.split_at(length);
        sum = sum.wrapping_add(of_word(word, seed));
        rest = behind;
    }
    sum
}

fn of_word(word: &[u8], seed: u64) -> u64 {
    let mut lower = [0; LONGEST_WORD];
    let kept = word.len().min(LONGEST_WORD);
    lower[..kept].copy_from_slice(&word[..kept]);
    lower[..kept].make_ascii_lowercase();
    if THROWAWAY.contains(&&lower[..kept]) {
        return 0;
    }
    xxh3_64_with_seed(&lower[..kept], seed ^ word.len() as u64)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Words, and the signs that turn one request into another.
fn is_kept(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'<' | b'>' | b'=' | b'!' | b'+' | b'*' | b'%' | b'^' | b'~')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> u64 {
        soft(b"t", text.as_bytes(), 7)
    }

    #[test]
    fn what_does_not_matter() {
        let variants = [
            ("ls -l -a src/", "ls  -a -l \"src\""),
            ("SELECT name FROM ships", "select name from ships;"),
            ("depots in the north", "please: depots in north"),
        ];
        for (a, b) in variants {
            assert_eq!(of(a), of(b), "{a} / {b}");
        }
    }

    #[test]
    fn what_does() {
        let different = [
            ("x > 5", "x < 5"),
            ("page 1", "page 2"),
            ("ls src", "ls lib"),
            ("count ships", "count ships ships"),
            ("λιμάνι", "γέφυρα"),
        ];
        for (a, b) in different {
            assert_ne!(of(a), of(b), "{a} / {b}");
        }
    }
}
