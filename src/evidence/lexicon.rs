//! Lists of words, looked up by hash.

use std::sync::OnceLock;

use super::hash::of_bytes;

/// Longest word of any list, in bytes.
const LONGEST: usize = 24;

/// A list of lower-case words; looking one up disregards letter case.
pub(super) struct Lexicon {
    words: &'static [&'static str],
    hashes: OnceLock<Vec<u64>>,
}

impl Lexicon {
    /// A list of words in lower case.
    pub const fn new(words: &'static [&'static str]) -> Lexicon {
        Lexicon { words, hashes: OnceLock::new() }
    }

    /// Is the word in the list?
    pub fn has(&self, word: &[u8]) -> bool {
        if word.is_empty() || word.len() > LONGEST {
            return false;
        }
        let mut lower = [0u8; LONGEST];
        let lower = &mut lower[..word.len()];
        lower.copy_from_slice(word);
        lower.make_ascii_lowercase();
        let hashes = self.hashes.get_or_init(|| {
            let mut hashes: Vec<u64> = self.words.iter().map(|word| of_bytes(word.as_bytes())).collect();
            hashes.sort_unstable();
            hashes
        });
        hashes.binary_search(&of_bytes(lower)).is_ok()
    }
}
