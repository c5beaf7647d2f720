//! JSON values and their spellings: what one value can look like in a text.

use proptest::prelude::*;

/// A JSON value. Characters are code points, lone surrogates included.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(Number),
    String(Vec<u32>),
    Array(Vec<Value>),
    /// The keys are different.
    Object(Vec<(Vec<u32>, Value)>),
}

/// digits × 10^exponent; the digits have no zero at either end, and zero has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Number {
    pub fn new(negative: bool, digits: &str, exponent: i64) -> Number {
        let digits = digits.trim_start_matches('0');
        let significant = digits.trim_end_matches('0');
        if significant.is_empty() {
            return Number { negative: false, digits: String::new(), exponent: 0 };
        }
        let zeros = (digits.len() - significant.len()) as i64;
        Number { negative, digits: significant.to_string(), exponent: exponent + zeros }
    }
}

/// A stream of choices that a seed decides (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % sides as u64) as usize
    }

    pub fn one_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len())].clone()
    }
}

/// One of the many texts for a value: white space, key order, escapes, spelling of numbers, and members that a
/// later duplicate overrides.
pub fn spell(value: &Value, dice: &mut Dice) -> String {
    let mut text = String::new();
    spell_into(value, dice, &mut text);
    text
}

fn spell_into(value: &Value, dice: &mut Dice, text: &mut String) {
    space(dice, text);
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => spell_number(number, dice, text),
        Value::String(points) => spell_string(points, dice, text),
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                spell_into(item, dice, text);
            }
            space(dice, text);
            text.push(']');
        }
        Value::Object(members) => spell_object(members, dice, text),
    }
    space(dice, text);
}

fn spell_object(members: &[(Vec<u32>, Value)], dice: &mut Dice, text: &mut String) {
    let mut order: Vec<usize> = (0..members.len()).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, dice.roll(place + 1));
    }
    text.push('{');
    for (place, member) in order.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        if dice.one_in(8) {
            let overridden = dice.pick(&order[place..]);
            spell_member(&members[overridden].0, &Value::Bool(true), dice, text);
            text.push(',');
        }
        spell_member(&members[*member].0, &members[*member].1, dice, text);
    }
    space(dice, text);
    text.push('}');
}

fn spell_member(key: &[u32], value: &Value, dice: &mut Dice, text: &mut String) {
    space(dice, text);
    spell_string(key, dice, text);
    space(dice, text);
    text.push(':');
    spell_into(value, dice, text);
}

fn space(dice: &mut Dice, text: &mut String) {
    while dice.one_in(6) {
        text.push_str(dice.pick(&[" ", "\n", "\t", "\r\n"]));
    }
}

fn spell_number(number: &Number, dice: &mut Dice, text: &mut String) {
    if number.digits.is_empty() {
        return text.push_str(dice.pick(&["0", "-0", "0.0", "0e7", "-0.00E-3"]));
    }
    if number.negative {
        text.push('-');
    }
    let small_integer = (0..=21).contains(&number.exponent);
    let zeros = match dice.roll(3) {
        0 if small_integer => number.exponent as usize,
        1 => 0,
        _ => dice.roll(25),
    };
    let digits = format!("{}{}", number.digits, "0".repeat(zeros));
    let places = if dice.one_in(2) { 0 } else { dice.roll(digits.len() + 1) };
    let whole = digits.len() - places;
    let exponent = number.exponent - zeros as i64 + (digits.len() - whole) as i64;
    text.push_str(if whole == 0 { "0" } else { &digits[..whole] });
    if whole < digits.len() {
        text.push('.');
        text.push_str(&digits[whole..]);
    }
    if exponent != 0 || dice.one_in(4) {
        text.push_str(dice.pick(&["e", "E"]));
        text.push_str(if exponent < 0 { "-" } else { dice.pick(&["", "+", "0"]) });
        text.push_str(&exponent.unsigned_abs().to_string());
    }
}

fn spell_string(points: &[u32], dice: &mut Dice, text: &mut String) {
    text.push('"');
    for point in points {
        let short = match point {
            0x22 => Some('"'),
            0x5c => Some('\\'),
            0x2f => Some('/'),
            0x08 => Some('b'),
            0x09 => Some('t'),
            0x0a => Some('n'),
            0x0c => Some('f'),
            0x0d => Some('r'),
            _ => None,
        };
        let must_escape = *point < 0x20 || *point == 0x22 || *point == 0x5c;
        match (short, char::from_u32(*point)) {
            (_, Some(scalar)) if !must_escape && !dice.one_in(4) => text.push(scalar),
            (Some(short), _) if dice.one_in(2) => {
                text.push('\\');
                text.push(short);
            }
            (_, Some(scalar)) => {
                for unit in scalar.encode_utf16(&mut [0; 2]) {
                    spell_unit(*unit, dice, text);
                }
            }
            (_, None) => spell_unit(*point as u16, dice, text),
        }
    }
    text.push('"');
}

fn spell_unit(unit: u16, dice: &mut Dice, text: &mut String) {
    match dice.roll(2) {
        0 => text.push_str(&format!("\\u{unit:04x}")),
        _ => text.push_str(&format!("\\u{unit:04X}")),
    }
}

/// Any value, nested up to four deep. With `lone_surrogates`, strings may hold them.
pub fn any_value(lone_surrogates: bool) -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any_number().prop_map(Value::Number),
        any_string(lone_surrogates).prop_map(Value::String),
    ];
    scalar.prop_recursive(4, 40, 6, move |inner| {
        let key = any_string(lone_surrogates);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec((key, inner), 0..6).prop_map(|mut members| {
                let mut seen = std::collections::HashSet::new();
                members.retain(|(key, _)| seen.insert(key.clone()));
                Value::Object(members)
            }),
        ]
    })
}

fn any_number() -> impl Strategy<Value = Number> {
    // Around 10^18 lies the end of what the engine adds in machine integers.
    let huge = 10_i64.pow(18);
    let exponent = prop_oneof![
        4 => -30..30_i64,
        1 => any::<i32>().prop_map(i64::from),
        1 => huge - 40..huge + 40,
        1 => -huge - 40..-huge + 40,
    ];
    prop_oneof![
        3 => (any::<bool>(), "[0-9]{1,3}", Just(0)),
        2 => (any::<bool>(), "[0-9]{1,40}", exponent),
        1 => (any::<bool>(), "900719925474099[0-9]", Just(0)),
    ]
    .prop_map(|(negative, digits, exponent)| Number::new(negative, &digits, exponent))
}

fn any_string(lone_surrogates: bool) -> impl Strategy<Value = Vec<u32>> {
    let of = |words: &'static [&'static str]| prop::sample::select(words);
    let word = of(&[
        "",
        "a",
        "b",
        "A",
        "id",
        "a.b",
        "b.c",
        "prefix_one",
        "prefix_two",
        "é",
        "e\u{301}",
        "\n",
        "=",
        ",",
    ])
    .prop_map(|word| word.chars().map(u32::from).collect());
    let scalars = prop::collection::vec(any::<char>().prop_map(u32::from), 0..6);
    let odd = prop::collection::vec(
        prop_oneof![
            0..0x30_u32,
            Just(0x5c),
            Just(0x7f),
            Just(0xd7ff),
            Just(0xe000),
            Just(0xffff),
            Just(0x10ffff)
        ],
        0..6,
    );
    let surrogates = prop::collection::vec(prop_oneof![0xd800..0xe000_u32, 0x41..0x5b_u32], 0..5);
    prop_oneof![
        6 => word.boxed(),
        2 => scalars.boxed(),
        2 => odd.boxed(),
        if lone_surrogates { 1 } else { 0 } => surrogates.boxed(),
    ]
    .prop_map(join_pairs)
}

/// A high surrogate before a low one is one character: two escapes in a row cannot mean anything else.
fn join_pairs(points: Vec<u32>) -> Vec<u32> {
    let mut joined: Vec<u32> = Vec::new();
    for point in points {
        match joined.last() {
            Some(high @ 0xd800..0xdc00) if (0xdc00..0xe000).contains(&point) => {
                let scalar = 0x10000 + ((high - 0xd800) << 10) + (point - 0xdc00);
                joined.pop();
                joined.push(scalar);
            }
            _ => joined.push(point),
        }
    }
    joined
}
