//! The rules of the ladder, case by case.

use super::*;

fn evidence(text: &str) -> Evidence {
    Evidence::of(&Step { output: Payload::Text(text.as_bytes()), ..Step::default() })
}

fn rules() -> ToolOptions {
    crate::policy::Options::default().for_tool("tool")
}

fn level(a: &str, b: &str) -> Level {
    let mut judge = Judge::default();
    let (a, b) = (evidence(a), evidence(b));
    let there = judge.compare(&a, &b, &rules());
    let back = judge.compare(&b, &a, &rules());
    assert_eq!((there.same, there.level), (back.same, back.level), "comparing is symmetric");
    there.level
}

#[test]
fn equal_values_in_another_spelling_or_order() {
    let table = [
        (r#"{"a": 1, "b": [1, 2]}"#, r#"{"b":[1,2],"a":1.0}"#),
        (r#"{"doors": 2, "lit": true}"#, "{'lit': True, 'doors': 2}"),
        (r#"{"rows": [{"id": 7}, {"id": 9}]}"#, r#"{"rows": [{"id": 9}, {"id": 7}]}"#),
        ("[('Ann', 3), ('Bob', 5)]", "[('Bob', 5), ('Ann', 3)]"),
        ("name: Ann\nage: 7", "age: 7\nname: Ann"),
        ("- name: Ann\n  age: 7\n- name: Bob\n  age: 9", "- name: Bob\n  age: 9\n- name: Ann\n  age: 7"),
        ("crew:\n- name: Ann\n- name: Bob", "crew:\n- name: Bob\n- name: Ann"),
        ("The crew.\n* Full name: Ann\n* Full name: Bob", "The crew.\n* Full name: Bob\n* Full name: Ann"),
        ("The crew.\n- Ann: 3\n- Bob: 5", "The crew.\n- Bob: 5\n- Ann: 3"),
        ("first line\nsecond line", "second line\nfirst   line\n"),
        ("first line\r\nsecond line\r\n", "first line\nsecond line"),
        ("first line\rsecond line\r", "first line\nsecond line"),
        (
            "Berth:\n```json\n{\"id\": \"x\", \"t\": 40}\n```",
            "Berth:\n```json\n{\n \"t\": 40,\n \"id\": \"x\"\n}\n```",
        ),
        (
            r#"{"content": [{"type": "text", "text": "{\"s\":\"B\",\"n\":12}"}]}"#,
            r#"{"content": [{"type": "text", "text": "{\"n\": 12, \"s\": \"B\"}"}]}"#,
        ),
        ("pack: /srv/*.xz: no such file or directory\n0", "pack: 0\n/srv/*.xz: no such file or directory"),
    ];
    for (a, b) in table {
        assert_eq!(level(a, b), Level::Values, "{a}\n{b}");
    }
}

#[test]
fn volatile_details_are_no_difference() {
    let table = [
        (r#"{"now": "2025-05-01T10:41:07Z"}"#, r#"{"now": "2025-05-01T10:41:11Z"}"#),
        ("312 passed in 41.22s", "312 passed in 40.87s"),
        (
            r#"{"ok": true, "messageId": "7c1e9a40-52d8-4f3b-8e6a-1b90d4c7f238"}"#,
            r#"{"ok": true, "messageId": "e2b64f09-a7c1-4d85-9b30-6f8d12e4a597"}"#,
        ),
        (
            "to: ann@example.org\nbody: See you at the quay\nid_: '35'",
            "to: ann@example.org\nbody: See you at the quay\nid_: '36'",
        ),
        ("Title: Tides\nYou viewed this page 8 seconds ago.\nHigh at noon", "Title: Tides\nHigh at noon"),
        (
            "Receipt receipt_5104771 sent to ann with amount 200.",
            "Receipt receipt_5104772 sent to ann with amount 200.",
        ),
    ];
    for (a, b) in table {
        assert_eq!(level(a, b), Level::Volatile, "{a}\n{b}");
    }
}

#[test]
fn a_change_is_different() {
    let table = [
        (r#"{"head": "5e2d8f13bc6a"}"#, r#"{"head": "a91c4f7028eb"}"#),
        (r#"{"first": "Lynx", "second": "Otter"}"#, r#"{"first": "Otter", "second": "Lynx"}"#),
        ("first: Lynx\nsecond: Otter", "first: Otter\nsecond: Lynx"),
        ("a:\n  state: up\nb:\n  state: down", "a:\n  state: down\nb:\n  state: up"),
        ("a\n b\n  c", "a\n  c\n b"),
        (
            "Ann:\n  the task is still open here\nBob:\n  the task is closed since noon",
            "Ann:\n  the task is closed since noon\nBob:\n  the task is still open here",
        ),
        ("Server A\n  is up\nServer B\n  is down", "Server A\n  is down\nServer B\n  is up"),
        (r#"["a", "b"]"#, r#"["b", "a"]"#),
        ("gate 7\rready", "gate 9\rready"),
        ("gate 7\rready", "ready"),
        ("abc", "abc\0"),
        ("abc", "\x01abc"),
        ("abc def", "abc\x7fdef"),
        (r#"{"a": "abc"}"#, r#"{"a": "abc\u0000"}"#),
        ("#####\n#P..#\n#...#\n#####", "#####\n#...#\n#P..#\n#####"),
        ("#P   #", "# P  #"),
        ("#  P #", "# P  #"),
        ("#####\n#  P #\n#####", "#####\n# P  #\n#####"),
        ("X O .\n. X O\n. . .", ". X O\nX O .\n. . ."),
        (r#"[["X", "O"], [".", "X"]]"#, r#"[[".", "X"], ["X", "O"]]"#),
        (r#"["X O.", ". XO"]"#, r#"[". XO", "X O."]"#),
        ("waiting:\n- ann\n- bob", "waiting:\n- bob\n- ann"),
        ("waiting:\n  - ann\n  - bob", "waiting:\n  - bob\n  - ann"),
        ("- ann\n- bob\n- eve", "- ann\n- eve\n- bob"),
        ("Who waits now.\n\n* ann\n\n* bob", "Who waits now.\n\n* bob\n\n* ann"),
        (r#"{"id": 1, "n": "1"}"#, r#"{"id": 1, "n": 1}"#),
        ("2025-06-02T07:00:00Z copper 9.412", "2025-06-02T08:00:00Z copper 9.418"),
        ("HTTP 401: badge unknown", "HTTP 429: come back later"),
        (r#"{"link": "https://l.example/kT7mP"}"#, r#"{"link": "https://l.example/Kt7mP"}"#),
        ("[(2, 'Ann'), (1, 'Bob')] and more", "[(1, 'Bob'), (2, 'Ann')] and more"),
        ("dtype: float64", "dtype: float16"),
        (
            r#"{"rows": [{"id": 7, "s": "e"}, {"id": 9, "s": "w"}]}"#,
            r#"{"rows": [{"id": 8, "s": "e"}, {"id": 9, "s": "w"}]}"#,
        ),
        ("", "something"),
        ("[]", ""),
    ];
    for (a, b) in table {
        assert_eq!(level(a, b), Level::None, "{a}\n{b}");
    }
}

#[test]
fn missing_evidence_is_the_same_as_nothing() {
    let mut judge = Judge::default();
    let missing = Evidence::of(&Step { output: Payload::Json(b" null"), ..Step::default() });
    assert!(missing.is_missing() && !judge.compare(&missing, &missing, &rules()).same);
    let cut = Evidence::of(&Step { output: Payload::Text(b"x"), truncated: true, ..Step::default() });
    assert!(cut.is_missing());
    let empty = evidence("");
    assert!(!empty.is_missing() && judge.compare(&empty, &evidence(" \n"), &rules()).same);
}

#[test]
fn an_error_and_a_success_are_different() {
    let failed = Evidence::of(&Step { output: Payload::Text(b"x"), error: true, ..Step::default() });
    assert!(!Judge::default().compare(&failed, &evidence("x"), &rules()).same);
}

#[test]
fn ignored_fields_are_left_out() {
    let rules = ToolOptions { ignore_fields: vec!["seen".to_string(), "meta.n".to_string()], ..rules() };
    let mut judge = Judge::default();
    let a = evidence(r#"{"x": 1, "seen": 4, "meta": {"n": 1, "m": 2}}"#);
    assert!(judge.compare(&a, &evidence(r#"{"x": 1, "seen": 5, "meta": {"n": 7, "m": 2}}"#), &rules).same);
    assert!(!judge.compare(&a, &evidence(r#"{"x": 1, "seen": 5, "meta": {"n": 7, "m": 3}}"#), &rules).same);
    assert!(
        !judge
            .compare(&a, &evidence(r#"{"x": 1, "seen": 4, "meta": {"n": 1, "m": 2}, "n": 1}"#), &rules)
            .same
    );
}

#[test]
fn running_text_may_be_reworded_but_not_in_what_it_says() {
    let text =
        "The keeper promises to oil the hinges and to paint the shutters again before the summer rains.";
    let reworded =
        "The keeper promises to oil the hinges and to paint the shutters again before the summer fairs.";
    let mut judge = Judge::new(&Options { similarity: 0.9, ..Options::default() });
    let answer = judge.compare(&evidence(text), &evidence(reworded), &rules());
    assert_eq!((answer.same, answer.level), (true, Level::Similar));
    assert!(answer.similarity < 1.0);
    let a = "The gap under door nine is wide by 0.4 cm and lets in the rain.";
    let b = "The gap under door nine is wide by 0.6 cm and lets in the rain.";
    assert!(
        !Judge::new(&Options { similarity: 0.5, ..Options::default() })
            .compare(&evidence(a), &evidence(b), &rules())
            .same
    );
}

#[test]
fn what_is_too_long_to_be_read_is_compared_by_its_bytes() {
    let long = "x ".repeat(read_limit() / 2 + 1);
    assert_eq!(level(&long, &long), Level::Identical);
    assert_eq!(level(&long, &format!("{long} ")), Level::None);
}

#[test]
fn no_input_takes_quadratic_time() {
    let limit = read_limit() - 64;
    let fill = |part: &str| part.repeat(limit / part.len());
    for part in [
        "{\"a\": [\n",
        "[[1, 2\n",
        "key: 'v\n",
        "- a: 1\n",
        "a b c d e f g ",
        "<p <",
        "(1, 'x', [\n",
        "1.1.1.",
        "a\n b\n",
    ] {
        let text = fill(part);
        let start = std::time::Instant::now();
        level(&text, &format!("{text}\nend"));
        assert!(start.elapsed().as_secs() < 20, "{part}: {:?}", start.elapsed());
    }
}

fn read_limit() -> usize {
    Options::default().read_limit as usize
}
