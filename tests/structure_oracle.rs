//! A session agrees with the naive definition on arbitrary sequences.

mod oracle;

use std::collections::BTreeMap;

use oracle::{Rule, Step, What};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn check(steps: &[Step], options: &oracle::Options) -> Result<(), TestCaseError> {
    prop_assert_eq!(oracle::engine::findings(steps, options), oracle::findings(steps, options));
    Ok(())
}

/// What the steps are, before outputs and the rest are drawn.
fn symbols() -> impl Strategy<Value = Vec<u8>> {
    let random = |letters: u8| prop::collection::vec(0..letters, 0..48);
    let periodic = (
        prop::collection::vec(0u8..3, 1..6),
        1usize..48,
        prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    )
        .prop_map(|(unit, length, noise)| {
            let mut symbols: Vec<u8> = unit.iter().copied().cycle().take(length).collect();
            for at in noise {
                let at = at.index(symbols.len());
                symbols[at] = (symbols[at] + 1) % 4;
            }
            symbols
        });
    let fibonacci = (1usize..48).prop_map(|length| {
        let (mut a, mut b) = (vec![0u8], vec![0u8, 1]);
        while b.len() < length {
            let next = [b.as_slice(), a.as_slice()].concat();
            a = std::mem::replace(&mut b, next);
        }
        b.truncate(length);
        b
    });
    prop_oneof![random(2), random(3), random(6), periodic, fibonacci]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let alphabets = prop::sample::select(vec![
        // Letters to: calls of different tools; one tool with different arguments; calls and summaries.
        [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)],
        [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)],
        [(0, 0), (9, 9), (1, 0), (9, 9), (0, 1), (2, 0)],
        [(9, 9), (0, 0), (1, 0), (0, 1), (2, 0), (3, 0)],
    ]);
    let rarely = |weight: u32| prop::bool::weighted(1.0 / f64::from(weight));
    // How often outputs change, are missing, turns go on, boundaries come.
    let rates = (2u32..20, 2u32..30, 0u32..3, 4u32..60, 10u32..80);
    (symbols(), alphabets, rates).prop_flat_map(move |(symbols, alphabet, rates)| {
        let (change, missing, turns, users, progress) = rates;
        let details = (
            rarely(change),
            0u8..4,
            rarely(missing),
            rarely(2),
            rarely(users),
            0u8..3,
            rarely(progress),
            prop::bool::weighted(0.8),
            0u64..50,
        );
        let base = 0u8..2;
        let errors = any::<bool>();
        (prop::collection::vec(details, symbols.len()), base, errors).prop_map(
            move |(details, base, errors)| {
                let mut steps = Vec::new();
                let mut turn = 0;
                for (symbol, detail) in symbols.iter().zip(details) {
                    let (change, other, missing, same_turn, user, text, progress, error, tokens) = detail;
                    let quiet = Step {
                        what: What::User(text),
                        output: None,
                        error: false,
                        turn: None,
                        progress: false,
                        tokens: 0,
                    };
                    if user {
                        steps.push(quiet.clone());
                    }
                    turn += u64::from(!same_turn);
                    let (tool, argument) = alphabet[*symbol as usize];
                    let what = if tool == 9 { What::Summary } else { What::Call { tool, argument } };
                    steps.push(Step {
                        what,
                        output: (!missing).then_some(if change { other } else { base }),
                        error: errors && error && what != What::Summary,
                        turn: (turns > 0).then_some(turn),
                        progress,
                        tokens,
                    });
                }
                steps
            },
        )
    })
}

fn options() -> impl Strategy<Value = oracle::Options> {
    let min_repeats = prop_oneof![3 => 2u32..5, 1 => 5u32..=20];
    let rule = (prop::option::weighted(0.4, 2u32..=20), prop::bool::weighted(0.3), prop::bool::weighted(0.2))
        .prop_map(|(min_repeats, exempt, stable)| Rule { min_repeats, exempt, stable });
    let rules = prop::collection::btree_map(0u8..3, rule, 0..2);
    let limits = (prop::option::weighted(0.2, 1u64..30), prop::option::weighted(0.2, 1u64..500));
    let loose = (2u32..6, 2u32..6, 6u64..20, 2u32..6);
    (min_repeats, 1usize..9, any::<bool>(), rules, limits, loose).prop_map(
        |(min_repeats, max_unit, all_positions, rules, (max_steps, max_tokens), loose)| oracle::Options {
            min_repeats,
            max_unit,
            all_positions,
            max_steps,
            max_tokens,
            recurrence: loose.0,
            recurrence_errors: loose.1,
            within: loose.2.min(20 * max_unit as u64),
            stagnation: loose.3,
            rules,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        max_shrink_iters: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_session_agrees_with_the_naive_definition(steps in steps(), options in options()) {
        check(&steps, &options)?;
    }

    #[test]
    fn an_audit_reports_what_a_stream_told(steps in steps(), options in options()) {
        let told = oracle::engine::findings(&steps, &options);
        let reported = oracle::engine::audited(&steps, &options);
        prop_assert!(reported.is_subset(&told), "{:?} of {:?}", reported, told);
        let cycles: Vec<_> = reported.iter().filter(|f| f.kind == "cycle" && !f.inconclusive).collect();
        for left_out in told.difference(&reported) {
            let weak = left_out.kind == "recurrence" || left_out.kind == "stagnation";
            let inside = cycles.iter().any(|cycle| cycle.start <= left_out.start && left_out.end <= cycle.end);
            prop_assert!(weak && inside, "{:?} is missing from {:?}", left_out, reported);
        }
    }
}

/// The sequences above are worth something only if they lead to findings of every kind.
#[test]
fn the_sequences_lead_to_findings_of_every_kind() {
    let mut runner = TestRunner::deterministic();
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..2_000 {
        let (steps, options) = (steps(), options()).new_tree(&mut runner).expect("a sequence").current();
        for found in oracle::findings(&steps, &options) {
            *kinds.entry(if found.inconclusive { "inconclusive" } else { found.kind }).or_default() += 1;
            *kinds.entry("long unit").or_default() += u32::from(found.period > 2);
        }
    }
    let expected =
        ["cycle", "inconclusive", "long unit", "recurrence", "stagnation", "step_limit", "token_limit"];
    for kind in expected {
        assert!(kinds.get(kind).is_some_and(|count| *count > 100), "{kind}: {kinds:?}");
    }
}
