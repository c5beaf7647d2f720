//! Numbers as values: `1`, `1.0` and `10e-1` are one, at any precision.

use super::hash::{mix, of_bytes};

/// Numbers up to this many characters are read without allocating.
const INLINE: usize = 48;

/// A hash of the number that a JSON number or Python literal spells. Equal exactly for equal decimals.
pub(super) fn value_hash(spelled: &[u8]) -> u64 {
    let (negative, rest) = match spelled {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let at = rest.iter().position(|b| matches!(b, b'e' | b'E')).unwrap_or(rest.len());
    let Some(written_exponent) = exponent(rest.get(at + 1..).unwrap_or(b"")) else {
        return mix(2, of_bytes(spelled));
    };
    let mut buffer = [0u8; INLINE];
    let mut long = Vec::new();
    let digits: &mut [u8] = if at <= INLINE {
        &mut buffer[..at]
    } else {
        long.resize(at, 0);
        &mut long
    };
    let mut length = 0;
    let mut after_point = 0i64;
    let mut point = false;
    for &byte in &rest[..at] {
        match byte {
            b'.' => point = true,
            b'0'..=b'9' => {
                after_point += i64::from(point);
                digits[length] = byte;
                length += 1;
            }
            _ => {}
        }
    }
    let mut power = written_exponent - after_point;
    while length > 0 && digits[length - 1] == b'0' {
        length -= 1;
        power += 1;
    }
    let start = digits[..length].iter().position(|&d| d != b'0').unwrap_or(length);
    let significant = &digits[start..length];
    if significant.is_empty() {
        return mix(1, 0);
    }
    mix(mix(u64::from(negative) + 3, power as u64), of_bytes(significant))
}

/// The exponent as spelled; `None` where it is too large to be added to.
fn exponent(spelled: &[u8]) -> Option<i64> {
    if spelled.is_empty() {
        return Some(0);
    }
    let value: i64 = std::str::from_utf8(spelled).ok()?.parse().ok()?;
    (value.abs() < 1 << 40).then_some(value)
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
