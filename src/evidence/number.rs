//! Numbers as values: `1`, `1.0` and `10e-1` are one, at any precision.

use super::hash::{mix, of_bytes};
use crate::json::push_number;

/// An integer of up to this many digits is its own normal form.
const PLAIN_DIGITS: usize = 18;

/// A hash of the number that a JSON number or Python literal spells. Equal exactly for equal decimals.
pub(super) fn value_hash(spelled: &[u8]) -> u64 {
    let spelled = spelled.strip_prefix(b"+").unwrap_or(spelled);
    let plain = spelled.len() <= PLAIN_DIGITS && spelled.iter().all(u8::is_ascii_digit);
    if spelled.is_empty() || (plain && spelled[0] != b'0') {
        return mix(3, of_bytes(spelled));
    }
    let mut normal = Vec::with_capacity(spelled.len());
    push_number(spelled, &mut normal);
    mix(3, of_bytes(&normal))
}

#[cfg(test)]
mod tests {
    use super::value_hash;

    #[test]
    fn spellings_of_one_number_are_equal_and_other_numbers_are_not() {
        for (a, b) in
            [("1", "1.0"), ("1", "10e-1"), ("-0", "0"), ("1e2", "100"), ("0.50", "5E-1"), ("0e9", "0")]
        {
            assert_eq!(value_hash(a.as_bytes()), value_hash(b.as_bytes()), "{a} {b}");
        }
        for (a, b) in [("1", "-1"), ("9007199254740993", "9007199254740992"), ("10", "1"), ("1e400", "1e401")]
        {
            assert_ne!(value_hash(a.as_bytes()), value_hash(b.as_bytes()), "{a} {b}");
        }
    }
}
