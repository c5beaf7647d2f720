//! Numbers: one spelling for each value, exact at any precision.
//!
//! A number that is not zero is a sign, digits d1…dk without zeros at either end, and an exponent n, so that its
//! value is 0.d1…dk × 10^n. That triple is unique, so it decides equality: `1`, `1.0` and `1e0` are one number;
//! 9007199254740993 and 9007199254740992 are two, though a double holds only one of them. The triple is spelled
//! in the layout of ECMAScript's `Number::toString` (ECMA-262, 6.1.6.1.20), for any number of digits.
//!
//! Exponents are not bounded either: one that no machine integer holds is added to digit by digit.

use std::io::Write;

/// A number with more places before the point is spelled with an exponent (ECMAScript's layout).
const MOST_PLACES: i64 = 21;

/// A fraction with this many zeros or more behind the point is spelled with an exponent (ECMAScript's layout).
const MOST_ZEROS: i64 = 6;

/// Decimal digits that an `i64` always holds, with room to add the length of any slice.
const SMALL_EXPONENT_DIGITS: usize = 18;

/// Appends the normal form of a number, which is `spelled` by JSON's grammar.
///
/// Takes time and space linear in the length of `spelled`, whatever its value.
pub fn push_number(spelled: &[u8], output: &mut Vec<u8>) {
    let (sign, magnitude) = spelled.split_at(usize::from(spelled[0] == b'-'));
    let plain = magnitude.len() <= MOST_PLACES as usize && magnitude.iter().all(u8::is_ascii_digit);
    if plain && magnitude != b"0" {
        return output.extend_from_slice(spelled);
    }
    let number = Decimal::parse(magnitude);
    if number.is_zero() {
        return output.push(b'0');
    }
    output.extend_from_slice(sign);
    number.push(output);
}

/// A magnitude, taken apart. Its digits are counted from the first one, as if there were no point.
struct Decimal<'a> {
    whole: &'a [u8],
    fraction: &'a [u8],
    /// d1…dk: the digits between leading and trailing zeros.
    significant: std::ops::Range<usize>,
    exponent: Exponent<'a>,
}

/// What stands behind the `e`; +0 where there is none.
struct Exponent<'a> {
    negative: bool,
    /// Without leading zeros.
    digits: &'a [u8],
}

impl<'a> Decimal<'a> {
    fn parse(magnitude: &'a [u8]) -> Decimal<'a> {
        let (mantissa, exponent) = split_once(magnitude, |byte| matches!(byte, b'e' | b'E'));
        let (whole, fraction) = split_once(mantissa, |byte| byte == b'.');
        let digits = || whole.iter().chain(fraction);
        let leading = digits().take_while(|digit| **digit == b'0').count();
        let trailing = digits().rev().take_while(|digit| **digit == b'0').count();
        let end = whole.len() + fraction.len() - trailing;
        Decimal {
            whole,
            fraction,
            significant: leading..end.max(leading),
            exponent: Exponent::parse(exponent),
        }
    }

    fn is_zero(&self) -> bool {
        self.significant.is_empty()
    }

    fn push(&self, output: &mut Vec<u8>) {
        let count = self.significant.len() as i64;
        // What the position of the first significant digit adds to the exponent.
        let shift = self.whole.len() as i64 - self.significant.start as i64;
        let Some(exponent) = self.exponent.small() else {
            self.push_mantissa(output);
            return self.exponent.push_plus(shift - 1, output);
        };
        let n = exponent + shift;
        if count <= n && n <= MOST_PLACES {
            self.push_digits(0, count, output);
            push_zeros(n - count, output);
        } else if 0 < n && n <= MOST_PLACES {
            self.push_digits(0, n, output);
            output.push(b'.');
            self.push_digits(n, count, output);
        } else if -MOST_ZEROS < n && n <= 0 {
            output.extend_from_slice(b"0.");
            push_zeros(-n, output);
            self.push_digits(0, count, output);
        } else {
            self.push_mantissa(output);
            write!(output, "{:+}", n - 1).expect("a Vec takes everything");
        }
    }

    /// `d1.d2…dke`
    fn push_mantissa(&self, output: &mut Vec<u8>) {
        let count = self.significant.len() as i64;
        self.push_digits(0, 1, output);
        if count > 1 {
            output.push(b'.');
            self.push_digits(1, count, output);
        }
        output.push(b'e');
    }

    /// The significant digits from one to before another.
    fn push_digits(&self, from: i64, to: i64, output: &mut Vec<u8>) {
        let from = self.significant.start + from as usize;
        let to = self.significant.start + to as usize;
        let point = self.whole.len();
        output.extend_from_slice(&self.whole[from.min(point)..to.min(point)]);
        output.extend_from_slice(&self.fraction[from.max(point) - point..to.max(point) - point]);
    }
}

impl<'a> Exponent<'a> {
    fn parse(spelled: &'a [u8]) -> Exponent<'a> {
        let digits = spelled.strip_prefix(b"+").or(spelled.strip_prefix(b"-")).unwrap_or(spelled);
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        Exponent { negative: spelled.starts_with(b"-"), digits: &digits[zeros..] }
    }

    /// Its value, unless it is too large for a machine integer.
    fn small(&self) -> Option<i64> {
        if self.digits.len() > SMALL_EXPONENT_DIGITS {
            return None;
        }
        let value = self.digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        Some(if self.negative { -value } else { value })
    }

    /// Appends the sum of this exponent, which is not small, and `shift`, which is smaller than it.
    fn push_plus(&self, shift: i64, output: &mut Vec<u8>) {
        output.push(if self.negative { b'-' } else { b'+' });
        let start = output.len();
        output.extend_from_slice(self.digits);
        let mut carry = if self.negative { -shift } else { shift };
        for digit in output[start..].iter_mut().rev() {
            let sum = i64::from(*digit - b'0') + carry;
            *digit = b'0' + sum.rem_euclid(10) as u8;
            carry = sum.div_euclid(10);
        }
        if carry > 0 {
            output.insert(start, b'1');
        } else if output[start] == b'0' {
            output.remove(start);
        }
    }
}

/// What stands before and behind the first byte that `separates`; all and nothing when there is none.
fn split_once(bytes: &[u8], separates: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| separates(*byte)) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, b""),
    }
}

fn push_zeros(count: i64, output: &mut Vec<u8>) {
    output.resize(output.len() + count as usize, b'0');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(spelled: &str) -> String {
        let mut output = Vec::new();
        push_number(spelled.as_bytes(), &mut output);
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn one_value_has_one_spelling() {
        let cases: &[(&str, &[&str])] = &[
            ("0", &["0", "-0", "0.0", "-0.000e5", "0e99999999999999999999", "0E-99999999999999999999"]),
            ("1", &["1", "1.0", "1e0", "1E+0", "10e-1", "0.1e1", "1e-0", "0.0001e4", "100e-00002"]),
            ("-1.5", &["-1.5", "-15e-1", "-0.15e+1", "-1.50"]),
            ("100", &["100", "1e2", "1.00e2", "0.1e3"]),
            ("9007199254740993", &["9007199254740993", "9007199254740993.0", "9.007199254740993e15"]),
            ("100000000000000000000", &["1e20", "100000000000000000000"]),
            ("123456789012345678901", &["123456789012345678901", "1.23456789012345678901e20"]),
            ("1e+21", &["1e21", "1000000000000000000000"]),
            ("1.234567890123456789012e+21", &["1234567890123456789012", "1234567890123456789012.0"]),
            ("123456789012345678901.5", &["123456789012345678901.5", "1234567890123456789015e-1"]),
            ("0.000001", &["0.000001", "1e-6"]),
            ("1e-7", &["0.0000001", "1e-7", "1E-07"]),
            ("1.25e-7", &["0.000000125", "125e-9"]),
            ("0.00000125", &["0.00000125", "125e-8"]),
            ("1e+999999999999999999", &["1e999999999999999999", "10e999999999999999998"]),
            ("1e-999999999999999999", &["1e-999999999999999999"]),
        ];
        for (expected, spellings) in cases {
            for spelled in *spellings {
                assert_eq!(normal(spelled), *expected, "{spelled}");
            }
        }
    }

    #[test]
    fn exponents_beyond_machine_integers_stay_exact() {
        let cases: &[(&str, &[&str])] = &[
            (
                "1e+1000000000000000000000",
                &["1e1000000000000000000000", "10e999999999999999999999", "0.01e+01000000000000000000002"],
            ),
            (
                "1e-1000000000000000000000",
                &["1e-1000000000000000000000", "0.1e-999999999999999999999", "1000e-1000000000000000000003"],
            ),
            // The sum has a digit more or less than the exponent that is spelled.
            ("1e+999999999999999999", &["0.1e1000000000000000000"]),
            ("1e-999999999999999999", &["10e-1000000000000000000"]),
            ("1.5e+9223372036854775808", &["1.5e9223372036854775808", "15e9223372036854775807"]),
            ("-1e-9223372036854775809", &["-1e-9223372036854775809"]),
        ];
        for (expected, spellings) in cases {
            for spelled in *spellings {
                assert_eq!(normal(spelled), *expected, "{spelled}");
            }
        }
    }

    #[test]
    fn long_numbers_stay_exact() {
        let nines = "9".repeat(100_000);
        assert_eq!(normal(&nines), format!("9.{}e+99999", &nines[1..]));
        assert_eq!(normal(&format!("0.{nines}")), format!("0.{nines}"));
        let zeros = "0".repeat(100_000);
        assert_eq!(normal(&format!("1{zeros}")), "1e+100000");
        assert_eq!(normal(&format!("1{zeros}e-100000")), "1");
        assert_eq!(normal(&format!("0.{zeros}1e100001")), "1");
        assert_eq!(normal(&format!("0.{zeros}")), "0");
        assert_eq!(normal(&format!("1e{zeros}3")), "1000");
        assert_eq!(normal(&format!("1e{nines}")), format!("1e+{nines}"));
        assert_eq!(normal(&format!("10e{nines}")), format!("1e+1{zeros}"));
    }
}
