//! Rung 4: does running text say the same in other words?
//!
//! The cosine alone cannot tell a changed figure from a changed filler word, so a guard comes first: a number, a
//! name, a status word or a negation that one side has and the other has not is a change at any cosine.

use std::collections::HashMap;

use super::embed;
use super::status::is_salient;

/// Words around a change that are looked at with it. In a longer sentence the change of a word that matters would
/// drown: beside these it costs more than the default threshold allows, and the change of one that only joins
/// others does not.
const CONTEXT_WORDS: usize = 14;

/// The cosine of the sentences that are least alike; `None` when what differs is salient: another word, words in
/// another order (`3 of 5` is not `5 of 3`), a sentence more or less.
///
/// By sentence, so that a change does not drown in a long text.
pub(super) fn similarity(a: &[u8], b: &[u8]) -> Option<f32> {
    let (left, right) = (sentences(a), sentences(b));
    if left.len() != right.len() {
        return None;
    }
    let mut least: f32 = 1.0;
    for (a, b) in left.into_iter().zip(right) {
        if a != b {
            let guarded = salient_words(a) == salient_words(b) && shared_in_order(a, b);
            least = least.min(guarded.then(|| cosine_around_change(a, b))?);
        }
    }
    Some(least)
}

/// The cosine of what changed between two sentences, with the words around it.
fn cosine_around_change(a: &[u8], b: &[u8]) -> f32 {
    let (a, b): (Vec<_>, Vec<_>) = (embed::words(a).collect(), embed::words(b).collect());
    let shorter = a.len().min(b.len());
    let before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let after = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count().min(shorter - before);
    let kept_before = before.min((CONTEXT_WORDS / 2).max(CONTEXT_WORDS.saturating_sub(after)));
    let kept_after = after.min(CONTEXT_WORDS - kept_before);
    let around = |words: &[Vec<u8>]| words[before - kept_before..words.len() - after + kept_after].to_vec();
    embed::cosine(&around(&a), &around(&b))
}

/// A sentence ends with a full stop, an exclamation or a question mark before white space.
fn sentences(text: &[u8]) -> Vec<&[u8]> {
    let mut all = Vec::new();
    let mut start = 0;
    for (at, pair) in text.windows(2).enumerate() {
        if matches!(pair[0], b'.' | b'!' | b'?') && pair[1].is_ascii_whitespace() {
            all.push(text[start..=at].trim_ascii());
            start = at + 1;
        }
    }
    all.push(text[start..].trim_ascii());
    all
}

/// Do the words that both have as often stand in the same order?
fn shared_in_order(a: &[u8], b: &[u8]) -> bool {
    let (left, right): (Vec<_>, Vec<_>) = (embed::words(a).collect(), embed::words(b).collect());
    let mut surplus: HashMap<&[u8], isize> = HashMap::new();
    left.iter().for_each(|word| *surplus.entry(word).or_default() += 1);
    right.iter().for_each(|word| *surplus.entry(word).or_default() -= 1);
    let shared = |word: &&Vec<u8>| surplus.get(word.as_slice()) == Some(&0);
    left.iter().filter(shared).eq(right.iter().filter(shared))
}

fn salient_words(text: &[u8]) -> Vec<Vec<u8>> {
    exact_words(text).into_iter().filter(|word| is_salient(word)).collect()
}

/// Words with numbers whole (`0.4`) and names in their letter case; the first word of a sentence in lower case.
fn exact_words(text: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut opens = true;
    for part in text.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()) {
        let keep = |b: &u8| b.is_ascii_alphanumeric() || *b >= 0x80;
        let Some(start) = part.iter().position(keep) else { continue };
        let end = part.iter().rposition(keep).map_or(part.len(), |at| at + 1);
        let mut word = part[start..end].to_vec();
        if opens && word.len() > 1 && word[1..].iter().all(u8::is_ascii_lowercase) {
            word[0].make_ascii_lowercase();
        }
        opens = matches!(part.last(), Some(b'.' | b'!' | b'?' | b':'));
        if part[end..].contains(&b'%') {
            word.push(b'%');
        }
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::similarity;

    #[test]
    fn a_salient_difference_is_a_change_at_any_cosine() {
        let table = [
            ("The gap under door nine is wide by 0.4 cm.", "The gap under door nine is wide by 0.6 cm."),
            (
                "Your phone can send picture messages to others now.",
                "Your phone cannot send picture messages to others now.",
            ),
            (
                "The import of the yearly archive has failed again.",
                "The import of the yearly archive has passed again.",
            ),
            ("The key was handed to Ann by the porter.", "The key was handed to Bob by the porter."),
            ("The heron watched the otter from the bank.", "The otter watched the heron from the bank."),
            ("The gate is shut for the night.", "The gate is shut for the night. Use the other one."),
            ("Team 3 beat team 5 in the final game.", "Team 5 beat team 3 in the final game."),
        ];
        for (a, b) in table {
            assert_eq!(similarity(a.as_bytes(), b.as_bytes()), None, "{a}");
        }
    }

    #[test]
    fn a_change_does_not_drown_in_a_long_text() {
        let long = "The lamp above the landing lights the whole bay. ".repeat(40);
        let (a, b) = (format!("{long}The pump hums."), format!("{long}The pump leaks."));
        assert!(similarity(a.as_bytes(), b.as_bytes()).is_some_and(|cosine| cosine < 0.8));
    }

    #[test]
    fn a_word_that_matters_does_not_drown_in_a_long_sentence() {
        let sentence = |word: &str| {
            format!(
                "the weather tomorrow will be {word} in the north of the country with light wind from the sea and \
                 mild air during the night so that most people will be able to spend the evening outside"
            )
        };
        let cosine = |a: &str, b: &str| similarity(sentence(a).as_bytes(), sentence(b).as_bytes());
        assert!(cosine("sunny", "rainy").is_none_or(|cosine| cosine < 0.95));
        assert!(cosine("as sunny", "so sunny").is_some_and(|cosine| cosine >= 0.95));
    }

    #[test]
    fn a_filler_word_costs_some_cosine() {
        let cosine = similarity(
            b"The keeper promises to oil the hinges and to paint the shutters again before the summer rains.",
            b"The keeper promises to oil the hinges and to paint the shutters again before the summer fairs.",
        );
        assert!(cosine.is_some_and(|cosine| (0.9..0.95).contains(&cosine)), "{cosine:?}");
    }
}
