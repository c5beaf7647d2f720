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
            json!(format!("2025-05-{:02}T{:02}:{:02}:{:02}Z", n % 28 + 1, n % 24, n % 60, n % 3 * (n % 20))),
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
    fn what_is_to_come_is_content(n in 1..90u32, m in 1..90u32, subject in sentence()) {
        prop_assume!(n != m);
        for (before, after) in [
            (format!("{subject}. Try again in "), " seconds."),
            (format!("{subject} failed, retry after "), "s"),
            (format!("{subject} will be done in "), " minutes"),
            ("In ".to_string(), " minutes your ferry is ready"),
        ] {
            let text = |n: u32| of_text(&format!("{before}{n}{after}"));
            prop_assert!(!compare(&text(n), &text(m)).same, "{before}");
        }
        let text = |n: u32| of_text(&format!("{subject} completed in {n} seconds"));
        prop_assert!(compare(&text(n), &text(m)).same);
    }

    #[test]
    fn slots_and_values_are_content(n in 0..24u32, m in 0..24u32, subject in sentence()) {
        prop_assume!(n != m);
        let slots = |n: u32| of_text(&json!({"slot": format!("2025-05-01T{n:02}:00:00Z")}).to_string());
        prop_assert!(!compare(&slots(n), &slots(m)).same);
        let bare = |n: u32| of_text(&json!([format!("2025-05-01T{n:02}:30"), "2025-05-02T08:00"]).to_string());
        prop_assert!(!compare(&bare(n), &bare(m)).same);
        let said = |n: u32| of_text(&format!("{subject} moved to 2025-05-01 at {n:02}:15"));
        prop_assert!(!compare(&said(n), &said(m)).same);
        let value = |n: u32| of_text(&json!({"balance": format!("0x2386f26fc1{n:04x}")}).to_string());
        prop_assert!(!compare(&value(n), &value(m)).same);
    }

    #[test]
    fn the_order_of_a_list_and_the_place_of_a_cell(words in prop::collection::hash_set(word(), 3..8), at in 0..12usize, to in 0..12usize) {
        let list: Vec<String> = words.into_iter().collect();
        let mut turned = list.clone();
        turned.rotate_left(1);
        for (head, mark) in [("waiting:", "- "), ("The crew that waits", "* "), ("", "- ")] {
            let text = |list: &[String]| {
                let items: Vec<String> = list.iter().map(|item| format!("{mark}{item}")).collect();
                of_text(&format!("{head}\n{}", items.join("\n")))
            };
            prop_assert!(!compare(&text(&list), &text(&turned)).same);
        }
        prop_assume!(at != to);
        let board = |at: usize, empty: &str| {
            let row = |y: usize| (0..4).map(|x| if y * 4 + x == at { "P" } else { empty }).collect::<String>();
            of_text(&format!("######\n#{}#\n#{}#\n#{}#\n######", row(0), row(1), row(2)))
        };
        prop_assert!(!compare(&board(at, " "), &board(to, " ")).same);
        prop_assert!(!compare(&board(at, "."), &board(to, ".")).same);
    }

    #[test]
    fn nothing_printed_is_lost(a in sentence(), b in sentence(), c in sentence(), control in select(vec!['\0', '\x01', '\x07', '\x08', '\x7f'])) {
        prop_assume!(a != b);
        let joined = |a: &str, between: &str, b: &str| of_text(&[a, between, b].concat());
        let control = control.to_string();
        prop_assert!(!compare(&joined(&a, "\r", &c), &joined(&b, "\r", &c)).same);
        prop_assert!(!compare(&of_text(&a), &joined(&a, &control, "")).same);
        prop_assert!(!compare(&joined(&a, " ", &c), &joined(&a, &control, &c)).same);
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
