//! Signatures against golden vectors, and against an independent implementation.

#[path = "common/json.rs"]
mod json;
#[path = "common/python.rs"]
mod python;

use json::{Dice, any_value, spell};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use wheelspin::signature::Signer;
use wheelspin::step::{Kind, Payload, Step};

/// Random steps that are checked against the reference.
const RANDOM_STEPS: usize = 6_000;

/// What a step signs to, in the words of the vectors.
fn sign(input: &Value) -> Value {
    let kind = match input["kind"].as_str() {
        Some("tool") => Kind::Tool,
        Some("delegation") => Kind::Delegation,
        Some("summary") => Kind::Summary,
        Some("user") => Kind::User,
        other => panic!("no kind: {other:?}"),
    };
    let given = input["arguments"].as_object().and_then(|arguments| arguments.iter().next());
    let bytes = match given {
        Some((spelling, text)) if spelling.ends_with("_hex") => from_hex(text.as_str().expect("hex")),
        Some((_, text)) => text.as_str().expect("text").as_bytes().to_vec(),
        None => Vec::new(),
    };
    let arguments = match given {
        Some((spelling, _)) if spelling.starts_with("json") => Payload::Json(&bytes),
        Some(_) => Payload::Text(&bytes),
        None => Payload::Absent,
    };
    let ignore: Vec<String> = serde_json::from_value(input["ignore"].clone()).unwrap_or_default();
    let tool = input["tool"].as_str().expect("a tool");
    let step = Step { kind, tool, arguments, ..Step::default() };

    let mut signer = Signer::new();
    let hash = signer.sign(&step, &ignore).to_string();
    let text = signer.text_signature(&step, &ignore);
    match std::str::from_utf8(signer.canonical(&step, &ignore)) {
        Ok(canonical) => json!({"canonical": canonical, "hash": hash, "text": text}),
        Err(_) => {
            let hex = to_hex(signer.canonical(&step, &ignore));
            json!({"canonical_hex": hex, "hash": hash, "text": text})
        }
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal digits")).collect()
}

fn vectors() -> Vec<Value> {
    serde_json::from_str(include_str!("vectors/signature.json")).expect("the vectors are JSON")
}

/// The outputs that a vector asks for.
fn expected(vector: &Value) -> Value {
    let fields = ["canonical", "canonical_hex", "hash", "text"];
    let present = fields.iter().filter_map(|field| Some((field.to_string(), vector.get(*field)?.clone())));
    Value::Object(present.collect())
}

#[test]
fn the_golden_vectors_hold() {
    for vector in vectors() {
        assert_eq!(sign(&vector), expected(&vector), "{}", vector["name"]);
    }
}

#[test]
fn the_golden_vectors_hold_in_the_reference() {
    let vectors = vectors();
    for (vector, answer) in vectors.iter().zip(python::answers("signature.py", &vectors)) {
        assert_eq!(answer, expected(vector), "{}", vector["name"]);
    }
}

#[test]
fn random_steps_sign_to_the_same_in_the_reference() {
    let mut runner = TestRunner::deterministic();
    let values = any_value(true);
    let steps: Vec<Value> = (0..RANDOM_STEPS)
        .map(|seed| {
            let value = values.new_tree(&mut runner).expect("nothing is rejected").current();
            let mut dice = Dice(seed as u64);
            let text = spell(&value, &mut dice);
            random_step(&text, &mut dice)
        })
        .collect();
    for (step, answer) in steps.iter().zip(python::answers("signature.py", &steps)) {
        assert_eq!(sign(step), answer, "{step}");
    }
}

/// A step with arguments made from a JSON text: as it is, as text, inside a JSON string, or damaged.
fn random_step(text: &str, dice: &mut Dice) -> Value {
    let arguments = match dice.roll(8) {
        0..=3 => json!({"json": text}),
        4 => json!({"text": text}),
        5 => json!({"json": Value::from(text).to_string()}),
        6 => json!({"json_hex": to_hex(&damage(text.as_bytes(), dice))}),
        _ => json!({"text_hex": to_hex(&damage(text.as_bytes(), dice))}),
    };
    let ignored = ["a", "id", "b.a", "a.b", "a.id", "a.a.a", "", "é"];
    let ignore: Vec<&str> = (0..dice.roll(3)).map(|_| dice.pick(&ignored)).collect();
    let kind = dice.pick(&["tool", "tool", "tool", "delegation", "summary", "user"]);
    json!({"kind": kind, "tool": dice.pick(&["", "bash", "søk"]), "arguments": arguments, "ignore": ignore})
}

/// The bytes with one of them changed, removed or doubled.
fn damage(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    let at = dice.roll(damaged.len());
    match dice.roll(3) {
        0 => damaged[at] = dice.pick(b"\xff\xed\xa0\x80\"\\{}[],:0.e-\x0b "),
        1 => drop(damaged.remove(at)),
        _ => damaged.insert(at, damaged[at]),
    }
    damaged
}
