//! The canonical form is the same value in its own canonical form; white space and key order never show in it.

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use wheelspin::signature::Signer;
use wheelspin::step::{Payload, Step};

/// Where the form byte stands without a tool name: behind the kind and the length.
const FORM_AT: usize = 5;

/// serde_json keeps exact numbers as objects with this key, so it reads such objects as numbers.
const SERDE_NUMBER: &[u8] = b"$serde_json::private::Number";

/// Signs the bytes as JSON and as text, and JSON again in other spellings.
pub fn canonical(bytes: &[u8]) {
    let mut signer = Signer::new();
    let text = payload(&mut signer, Payload::Text(bytes));
    let json = payload(&mut signer, Payload::Json(bytes));
    let past_a_limit = signer.exceeded().is_some();
    if matches!(bytes.trim_ascii().first(), Some(b'{' | b'[')) {
        assert_eq!(text, json, "text that holds an object or array is that value");
    }
    let padded = [b"\n\t ", bytes, b" \r\n"].concat();
    assert_eq!(payload(&mut signer, Payload::Json(&padded)), json);
    for arguments in [Payload::Json(bytes), Payload::Text(bytes)] {
        let step = Step { arguments, ..Step::default() };
        signer.text_signature(&step, &["a".into(), "b.c".into()]);
    }

    let is_json = serde_json::from_slice::<&RawValue>(bytes.trim_ascii()).is_ok();
    match json[0] {
        b'j' => {
            assert!(is_json, "only JSON has a canonical form");
            stays_itself(&mut signer, &json);
        }
        b'x' => assert!(!is_json || past_a_limit || bytes.trim_ascii().starts_with(b"\"")),
        form => assert_eq!((form, json.len()), (b'0', 1)),
    }
}

fn payload(signer: &mut Signer, arguments: Payload<'_>) -> Vec<u8> {
    signer.canonical(&Step { arguments, ..Step::default() }, &[])[FORM_AT..].to_vec()
}

/// The canonical form, read again as it is, spread out, and with its keys in the opposite order.
fn stays_itself(signer: &mut Signer, canonical: &[u8]) {
    assert_eq!(payload(signer, Payload::Json(&canonical[1..])), canonical);
    if canonical.windows(SERDE_NUMBER.len()).any(|window| window == SERDE_NUMBER) {
        return;
    }
    // Lone surrogates do not fit serde_json's strings, nor its depth limit the deepest values.
    let Ok(value) = serde_json::from_slice::<Value>(&canonical[1..]) else { return };
    let pretty = serde_json::to_vec_pretty(&value).expect("a value can be written");
    assert_eq!(payload(signer, Payload::Json(&pretty)), canonical, "white space");
    let mut turned = String::new();
    write_turned(&value, &mut turned);
    assert_eq!(payload(signer, Payload::Json(turned.as_bytes())), canonical, "key order");
}

/// Writes a value with the keys of its objects in the opposite order.
fn write_turned(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => write_members(members, out),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                write_turned(item, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn write_members(members: &Map<String, Value>, out: &mut String) {
    out.push('{');
    for (place, (key, value)) in members.iter().rev().enumerate() {
        out.push_str(if place > 0 { "," } else { "" });
        out.push_str(&Value::from(key.as_str()).to_string());
        out.push(':');
        write_turned(value, out);
    }
    out.push('}');
}
