//! What must hold for any output: changes that mean nothing never make two results different, one salient change
//! always does, and no bytes make the judge panic.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use wheelspin::evidence::{Comparison, DifferenceKind, Evidence, Judge};
use wheelspin::finding::Level;
use wheelspin::policy::Options;
use wheelspin::step::{Payload, Step};

fn of_text(text: &str) -> Evidence {
    Evidence::of(&Step { output: Payload::Text(text.as_bytes()), ..Step::default() })
}

/// Compares both ways and explains; checks what must hold of every answer.
fn compare(a: &Evidence, b: &Evidence) -> Comparison {
    let rules = Options::default().for_tool("tool");
    let mut judge = Judge::default();
    let answer = judge.compare(a, b, &rules);
    let back = judge.compare(b, a, &rules);
    assert_eq!((answer.same, answer.level), (back.same, back.level), "comparing is symmetric");
    let explained = judge.explain(a, b, &rules);
    assert_eq!(explained.comparison, answer, "explaining and comparing agree");
    assert_eq!(answer.same, answer.level != Level::None);
    let content = explained.differences.iter().any(|difference| difference.kind == DifferenceKind::Content);
    assert!(
        !(answer.same && content),
        "a change of content is listed for results that are the same: {explained:?}"
    );
    assert_eq!(judge.compare(a, a, &rules).level, Level::Identical);
    answer
}

const WORDS: [&str; 24] = [
    "quay", "crane", "anchor", "harbour", "pilot", "lantern", "rope", "keel", "sail", "mast", "deck", "tide",
    "buoy", "ferry", "berth", "chart", "hull", "oar", "net", "cabin", "bridge", "cargo", "tug", "wharf",
];

fn word() -> impl Strategy<Value = String> {
    select(WORDS.to_vec()).prop_map(str::to_string)
}

fn sentence() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 1..8).prop_map(|words| words.join(" "))
}

/// A leaf that no mask may touch.
fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        sentence().prop_map(Value::String),
        (0..100_000u32).prop_map(|n| json!(n)),
        any::<bool>().prop_map(|b| json!(b))
    ]
}

fn object() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map("[a-z]{3,6}_x", leaf(), 1..6).prop_map(|map| map.into_iter().collect())
}

fn value() -> impl Strategy<Value = Map<String, Value>> {
    (object(), prop::collection::vec(object(), 0..5), object()).prop_map(|(mut top, rows, inner)| {
        top.insert("rows".to_string(), json!(rows));
        top.insert("inner".to_string(), json!(inner));
        top
    })
}

/// The same value with its keys and rows in the order that `seed` gives, spelled another way.
fn respelled(value: &Value, seed: u64) -> Value {
    match value {
        Value::Object(map) => {
            let mut members: Vec<_> =
                map.iter().map(|(key, value)| (key.clone(), respelled(value, seed / 3))).collect();
            rotate(&mut members, seed);
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => {
            let mut items: Vec<_> = items.iter().map(|item| respelled(item, seed / 5)).collect();
            if items.iter().all(Value::is_object) {
                rotate(&mut items, seed);
            }
            Value::Array(items)
        }
        other => other.clone(),
    }
}

fn rotate<T>(items: &mut [T], seed: u64) {
    if !items.is_empty() {
        let by = seed as usize % items.len();
        items.rotate_left(by);
        if seed & 1 == 1 {
            items.reverse();
        }
    }
}

/// Changes one leaf into another value; returns false when there is none.
fn change(value: &mut Value, at: &Index) -> bool {
    fn leaves<'v>(value: &'v mut Value, out: &mut Vec<&'v mut Value>) {
        match value {
            Value::Object(map) => map.values_mut().for_each(|value| leaves(value, out)),
            Value::Array(items) => items.iter_mut().for_each(|item| leaves(item, out)),
            leaf => out.push(leaf),
        }
    }
    let mut all = Vec::new();
    leaves(value, &mut all);
    if all.is_empty() {
        return false;
    }
    let chosen = at.index(all.len());
    let leaf = &mut *all[chosen];
    *leaf = match leaf {
        Value::String(text) => {
            json!(format!("{text} {}", if text.contains("failed") { "passed" } else { "failed" }))
        }
        Value::Number(number) => json!(number.as_u64().unwrap_or(0) + 1),
        Value::Bool(flag) => json!(!*flag),
        _ => json!("else"),
    };
    true
}

/// Details that move by themselves, as `n` gives them.
fn noise(n: u64) -> Vec<(&'static str, Value)> {
    vec![
        (
            "generated_at",
            json!(format!("2025-05-{:02}T{:02}:{:02}:{:02}Z", n % 28 + 1, n % 24, n % 60, n % 59 + 1)),
        ),
        ("durationMs", json!(n % 9000 + 1)),
        ("pid", json!(n % 60000 + 100)),
        ("request_id", json!(format!("req-{:x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))),
        ("elapsed", json!(format!("{}.{}s", n % 50, n % 9 + 1))),
    ]
}

/// Lines of a log with volatile details as `n` gives them.
fn log(lines: &[String], n: u64) -> String {
    let line = |(at, text): (usize, &String)| match at % 4 {
        0 => format!("{text} in {}.{:02}s", n % 60, n % 100),
        1 => format!("[{:02}:{:02}:{:02}] {text}", n % 24, n % 60, n % 60),
        2 => format!("{text} at 0x7f{:010x}", n.wrapping_mul(0x9e37_79b9) % (1 << 40)),
        _ => format!("{text} (pid {})", n % 40000 + 2),
    };
    lines.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn key_order_layout_and_row_order_mean_nothing(value in value(), seed in any::<u64>()) {
        let value = Value::Object(value);
        let other = respelled(&value, seed);
        let a = of_text(&value.to_string());
        prop_assert!(compare(&a, &of_text(&serde_json::to_string_pretty(&other).unwrap())).level >= Level::Values);
        let fenced = |value: &Value| of_text(&format!("Berth:\n```json\n{value:#}\n```"));
        prop_assert!(compare(&fenced(&value), &fenced(&other)).same);
        let block = |value: &Value| of_text(&json!({"content": [{"type": "text", "text": value.to_string()}]}).to_string());
        prop_assert!(compare(&block(&value), &block(&other)).same);
    }

    #[test]
    fn fresh_times_and_request_ids_mean_nothing(value in value(), n in any::<u64>(), m in any::<u64>()) {
        let with = |n: u64| {
            let mut all = value.clone();
            all.extend(noise(n).into_iter().map(|(key, value)| (key.to_string(), value)));
            of_text(&Value::Object(all).to_string())
        };
        prop_assert!(compare(&with(n), &with(m)).same);
    }

    #[test]
    fn one_salient_change_is_different(value in value(), at in any::<Index>(), n in any::<u64>()) {
        let with = |value: &Value, n: u64| {
            let mut all = value.as_object().unwrap().clone();
            all.extend(noise(n).into_iter().map(|(key, value)| (key.to_string(), value)));
            of_text(&Value::Object(all).to_string())
        };
        let value = Value::Object(value);
        let mut changed = value.clone();
        prop_assume!(change(&mut changed, &at));
        prop_assert!(!compare(&with(&value, n), &with(&changed, n + 1)).same);
    }

    #[test]
    fn one_row_more_is_different(value in value(), row in object()) {
        let mut longer = value.clone();
        longer["rows"].as_array_mut().unwrap().push(Value::Object(row));
        prop_assert!(!compare(&of_text(&Value::Object(value).to_string()), &of_text(&Value::Object(longer).to_string())).same);
    }

    #[test]
    fn lines_of_a_log(lines in prop::collection::vec(sentence(), 2..12), n in any::<u64>(), m in any::<u64>(), at in any::<Index>()) {
        let a = of_text(&log(&lines, n));
        prop_assert!(compare(&a, &of_text(&log(&lines, m))).same);
        let mut indented: Vec<String> = log(&lines, m).lines().map(|line| format!("{line}  \r")).collect();
        indented.rotate_left(1);
        prop_assert!(compare(&a, &of_text(&indented.join("\n"))).same);
        let mut changed = lines.clone();
        let index = at.index(lines.len());
        changed[index].push_str(" failed");
        prop_assert!(!compare(&a, &of_text(&log(&changed, m))).same);
        let mut shorter = lines;
        let text = shorter.remove(index);
        prop_assume!(!shorter.contains(&text) || shorter.len() > 1);
        prop_assert!(!compare(&a, &of_text(&log(&shorter, n))).same);
    }

    #[test]
    fn a_side_effect_made_again_and_another_record(subject in sentence(), n in 10..99_999u32, m in 10..99_999u32) {
        prop_assume!(n != m);
        let mail = |id: u32, subject: &str| of_text(&format!("subject: {subject} to the whole crew\nstatus: sent\nid_: '{id}'"));
        prop_assert!(compare(&mail(n, &subject), &mail(m, &subject)).same);
        let other = format!("{subject} again");
        prop_assert!(!compare(&mail(n, &subject), &mail(m, &other)).same);
        let alone = |id: u32| of_text(&json!({"head": format!("{:012x}", u64::from(id) * 0x9e37_79b9_7f4a)}).to_string());
        prop_assert!(!compare(&alone(n), &alone(m)).same);
    }

    #[test]
    fn any_bytes_are_evidence(a in prop::collection::vec(any::<u8>(), 0..400), b in prop::collection::vec(any::<u8>(), 0..400)) {
        for payload in [Payload::Text, Payload::Json] {
            let (x, y) = (
                Evidence::of(&Step { output: payload(&a), ..Step::default() }),
                Evidence::of(&Step { output: payload(&b), ..Step::default() }),
            );
            if !x.is_missing() && !y.is_missing() {
                compare(&x, &y);
            }
        }
    }

    #[test]
    fn any_structure_is_evidence(a in "[\\[\\]{}()'\":,.\\-0-9a-eT \n\r\\\\_#|>@<$/]{0,120}", b in "[\\[\\]{}()'\":,.\\-0-9a-eT \n\r\\\\_#|>@<$/]{0,120}") {
        compare(&of_text(&a), &of_text(&b));
        compare(&of_text(&a), &of_text(&format!("{a}{b}")));
    }
}
