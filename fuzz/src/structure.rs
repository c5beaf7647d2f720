//! Sequences of steps: a session finds what the naive definition finds.

#[path = "../../tests/oracle/mod.rs"]
mod oracle;

use arbitrary::{Arbitrary, Result, Unstructured};
use oracle::{Options, Rule, Step, What};

/// The naive definition tries everything: longer sequences would only be slower.
const MOST_STEPS: usize = 64;

/// Options, then steps until the bytes are used up.
pub fn structure(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let Ok(options) = options(&mut input) else { return };
    let mut steps = Vec::new();
    while steps.len() < MOST_STEPS
        && !input.is_empty()
        && let Ok(step) = step(&mut input)
    {
        steps.push(step);
    }
    let told = oracle::engine::findings(&steps, &options);
    assert_eq!(told, oracle::findings(&steps, &options), "{steps:?}");
    assert!(oracle::engine::audited(&steps, &options).is_subset(&told), "{steps:?}");
}

fn options(input: &mut Unstructured<'_>) -> Result<Options> {
    let max_unit = input.int_in_range(1..=8)?;
    let mut rules = std::collections::BTreeMap::new();
    for tool in 0..input.int_in_range(0..=2)? {
        let rule = Rule {
            min_repeats: bool::arbitrary(input)?.then(|| input.int_in_range(2..=20)).transpose()?,
            exempt: input.ratio(1, 4)?,
            stable: input.ratio(1, 4)?,
        };
        rules.insert(tool, rule);
    }
    Ok(Options {
        min_repeats: input.int_in_range(2..=20)?,
        max_unit,
        all_positions: bool::arbitrary(input)?,
        max_steps: input.ratio(1, 8)?.then_some(7),
        max_tokens: input.ratio(1, 8)?.then_some(100),
        recurrence: input.int_in_range(2..=6)?,
        recurrence_errors: input.int_in_range(2..=6)?,
        within: input.int_in_range(6..=20)?.min(20 * max_unit as u64),
        stagnation: input.int_in_range(2..=6)?,
        rules,
    })
}

fn step(input: &mut Unstructured<'_>) -> Result<Step> {
    // The plain step takes one byte: a call of one of two tools, with one of two outputs.
    let byte = u8::arbitrary(input)?;
    let plain = Step {
        what: What::Call { tool: byte & 1, argument: 0 },
        output: Some(byte >> 1 & 1),
        error: false,
        turn: None,
        progress: false,
        tokens: 1,
    };
    let what = match byte >> 2 & 7 {
        0..=2 => return Ok(plain),
        3 => return Ok(Step { what: What::Summary, ..plain }),
        4 => return Ok(Step { what: What::User(byte >> 5 & 1), output: None, ..plain }),
        5 => return Ok(Step { output: None, ..plain }),
        6 => What::Call { tool: input.int_in_range(0..=3)?, argument: input.int_in_range(0..=2)? },
        _ => plain.what,
    };
    Ok(Step {
        what,
        output: input.ratio(7, 8)?.then_some(byte >> 5 & 3),
        error: input.ratio(1, 4)?,
        turn: bool::arbitrary(input)?.then(|| input.int_in_range(0..=2)).transpose()?,
        progress: input.ratio(1, 16)?,
        tokens: input.int_in_range(0..=50)?,
    })
}
