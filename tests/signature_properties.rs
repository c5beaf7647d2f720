//! What holds for the signature of any arguments.

#[path = "common/json.rs"]
mod json;

use json::{Dice, Number, Value, any_value, spell};
use proptest::prelude::*;
use wheelspin::signature::{MAX_DEPTH, Signer};
use wheelspin::step::{Payload, Step};

fn canonical(arguments: Payload<'_>) -> Vec<u8> {
    let step = Step { tool: "t", arguments, ..Step::default() };
    Signer::new().canonical(&step, &[]).to_vec()
}

/// Form and payload, behind kind, length and the tool's one letter.
fn payload(arguments: Payload<'_>) -> Vec<u8> {
    canonical(arguments)[6..].to_vec()
}

/// The value of a number as it is spelled, with an exponent that fits an `i64`.
fn read_number(spelled: &str) -> Number {
    let (negative, magnitude) = match spelled.strip_prefix('-') {
        Some(magnitude) => (true, magnitude),
        None => (false, spelled),
    };
    let (mantissa, exponent) = magnitude.split_once(['e', 'E']).unwrap_or((magnitude, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse().expect("a small exponent");
    Number::new(negative, &format!("{whole}{fraction}"), exponent - fraction.len() as i64)
}

/// Equality of values as serde_json reads them, numbers exactly.
fn same(a: &serde_json::Value, b: &serde_json::Value) -> bool {
    use serde_json::Value::*;
    match (a, b) {
        (Number(a), Number(b)) => read_number(a.as_str()) == read_number(b.as_str()),
        (Array(a), Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Object(a), Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// The value with one thing in it changed, or unchanged.
fn changed(value: &Value, dice: &mut Dice) -> Value {
    match value {
        Value::Array(items) if !items.is_empty() && !dice.one_in(4) => {
            let mut items = items.clone();
            let at = dice.roll(items.len());
            match dice.roll(4) {
                0 => drop(items.remove(at)),
                1 => items.swap(0, at),
                _ => items[at] = changed(&items[at], dice),
            }
            Value::Array(items)
        }
        Value::Object(members) if !members.is_empty() && !dice.one_in(4) => {
            let mut members = members.clone();
            let at = dice.roll(members.len());
            match dice.roll(4) {
                0 => drop(members.remove(at)),
                1 => members.swap(0, at),
                _ => members[at].1 = changed(&members[at].1, dice),
            }
            Value::Object(members)
        }
        Value::String(points) => Value::String(points.iter().copied().chain([0x30]).collect()),
        Value::Number(_) => Value::Number(Number::new(dice.one_in(2), dice.pick(&["1", "10", "0"]), 0)),
        _ => dice.pick(&[Value::Null, Value::Bool(true), value.clone()]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn spelling_never_matters(value in any_value(true), one: u64, other: u64) {
        let one = spell(&value, &mut Dice(one));
        let other = spell(&value, &mut Dice(other));
        prop_assert_eq!(
            canonical(Payload::Json(one.as_bytes())),
            canonical(Payload::Json(other.as_bytes())),
            "{} {}", one, other
        );
    }

    #[test]
    fn the_canonical_form_is_its_own(value in any_value(true), seed: u64) {
        let text = spell(&value, &mut Dice(seed));
        let first = payload(Payload::Json(text.as_bytes()));
        if first[0] == b'j' {
            prop_assert_eq!(payload(Payload::Json(&first[1..])), first, "{}", text);
        }
    }

    #[test]
    fn the_canonical_form_is_the_same_value(value in any_value(false), seed: u64) {
        let text = spell(&value, &mut Dice(seed));
        let payload = payload(Payload::Json(text.as_bytes()));
        if payload[0] == b'j' {
            let before = serde_json::from_str(&text).unwrap();
            let after = serde_json::from_slice(&payload[1..]).unwrap();
            prop_assert!(same(&before, &after), "{} {}", before, after);
        }
    }

    #[test]
    fn identities_are_equal_exactly_when_the_values_are(value in any_value(false), seed: u64) {
        let mut dice = Dice(seed);
        // In an array, so that a string at the top is not read as text.
        let one = format!("[{}]", spell(&value, &mut dice));
        let other = format!("[{}]", spell(&changed(&value, &mut dice), &mut dice));
        let equal = same(&serde_json::from_str(&one).unwrap(), &serde_json::from_str(&other).unwrap());
        let signed_equal = canonical(Payload::Json(one.as_bytes())) == canonical(Payload::Json(other.as_bytes()));
        prop_assert_eq!(signed_equal, equal, "{} {}", one, other);
    }

    #[test]
    fn json_inside_a_string_is_that_json(value in any_value(false), seed: u64) {
        let text = spell(&value, &mut Dice(seed));
        let quoted = serde_json::Value::from(text.as_str()).to_string();
        prop_assert_eq!(canonical(Payload::Json(quoted.as_bytes())), canonical(Payload::Text(text.as_bytes())));
    }

    #[test]
    fn any_bytes_are_signed_and_only_white_space_around_them_is_dropped(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..60),
            r#"[\[\]{}",:0-9.eE+\-\\ua-d \n]{0,60}"#.prop_map(String::into_bytes),
        ],
    ) {
        let padded = [b" \n".as_slice(), &bytes, b"\t\x0c\r "].concat();
        let mut signer = Signer::new();
        for (plain, padded) in [(Payload::Json(&bytes), Payload::Json(&padded)), (Payload::Text(&bytes), Payload::Text(&padded))] {
            prop_assert_eq!(canonical(plain), canonical(padded));
            let is_json = serde_json::from_slice::<Box<serde_json::value::RawValue>>(plain.bytes().trim_ascii()).is_ok();
            let form = payload(plain)[0];
            prop_assert!(is_json || form == b'x' || plain.bytes().trim_ascii().is_empty());
            signer.text_signature(&Step { arguments: plain, ..Step::default() }, &["a.b".into(), "c".into()]);
        }
    }
}

#[test]
fn a_signer_remembers_nothing_of_the_step_before() {
    let deep = format!("{}1{}", "{\"b\":0,\"a\":".repeat(MAX_DEPTH + 1), "}".repeat(MAX_DEPTH + 1));
    let steps = [
        Payload::Json(br#"{"b":"\n","\u0061":[{"z":1,"y":2}]}"#),
        Payload::Json(deep.as_bytes()),
        Payload::Json(br#""{\"b\":1,\"a\":2}""#),
        Payload::Json(br#"{"b":{"c":{"#),
        Payload::Text(b"ls"),
        Payload::Absent,
    ];
    let mut signer = Signer::new();
    for first in steps {
        for second in steps {
            signer.canonical(&Step { tool: "t", arguments: first, ..Step::default() }, &[]);
            let after = Step { tool: "t", arguments: second, ..Step::default() };
            assert_eq!(signer.canonical(&after, &[]), canonical(second));
        }
    }
}
