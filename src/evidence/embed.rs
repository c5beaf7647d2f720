//! The default embedding: words hashed to a vector of fixed length.
//!
//! Every word adds to a few places with signs from its hash (feature hashing, Weinberger et al. 2009); words that
//! only join others count half. Vectors have length one, so the cosine is their dot product.

use super::hash::{mix, of_bytes};
use super::lexicon::Lexicon;
use crate::kernel::dot;

/// Length of a vector.
const DIMENSIONS: usize = 512;
/// Places that a word adds to.
const PLACES: u64 = 2;
/// What a word that only joins others counts.
const JOINING_WEIGHT: f32 = 0.5;

#[rustfmt::skip]
static JOINING: Lexicon = Lexicon::new(&[
    "a", "an", "the", "and", "or", "but", "if", "of", "to", "in", "on", "at", "by", "for", "from", "with",
    "as", "is", "are", "was", "were", "be", "been", "it", "its", "this", "that", "these", "those", "there",
    "has", "have", "had", "will", "would", "which", "who", "than", "then", "so", "into", "after",
]);

/// The cosine of two texts by their [`words`].
pub(super) fn cosine(a: &[Vec<u8>], b: &[Vec<u8>]) -> f32 {
    let (a, b) = (embed(a), embed(b));
    dot(&a, &b)
}

fn embed(words: &[Vec<u8>]) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    for word in words {
        let hash = of_bytes(word);
        let weight = if JOINING.has(word) { JOINING_WEIGHT } else { 1.0 };
        for place in 0..PLACES {
            let hash = mix(place, hash);
            let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
            vector[hash as usize % DIMENSIONS] += sign * weight;
        }
    }
    let length = dot(&vector, &vector).sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}

/// The words of a text in lower case.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    text.split(|b| !(b.is_ascii_alphanumeric() || *b >= 0x80 || *b == b'\''))
        .map(|word| word.strip_prefix(b"'").unwrap_or(word))
        .map(|word| word.strip_suffix(b"'").unwrap_or(word))
        .filter(|word| !word.is_empty())
        .map(<[u8]>::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::{cosine, words};

    #[test]
    fn the_same_words_have_cosine_one_and_other_words_less() {
        let of = |text: &str| words(text.as_bytes()).collect::<Vec<_>>();
        let text = of("The lamp above the landing lights the whole bay.");
        assert!(cosine(&text, &text) > 0.999);
        let near = cosine(&text, &of("The lamp above the landing lights the outer bay."));
        assert!((0.7..0.95).contains(&near), "{near}");
        assert!(cosine(&text, &of("Bread is sold until noon.")) < 0.3);
    }
}
