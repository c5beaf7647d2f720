//! The bare audit against an independent implementation, on random traces.

#[path = "common/json.rs"]
mod json;
#[path = "common/python.rs"]
mod python;

use json::{Dice, Value, any_value, spell};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use wheelspin::audit::{BareAudit, DEFAULT_REPEAT_LIMIT};
use wheelspin::signature::Signer;
use wheelspin::step::{Kind, Payload, Step};

/// Traces that are compared.
const TRACES: usize = 4_000;

/// A plain trace, with the audit's options beside its steps.
struct Trace {
    max_steps: Option<u64>,
    repeat_limit: Option<u64>,
    steps: Vec<PlainStep>,
}

#[derive(Clone)]
struct PlainStep {
    kind: Kind,
    tool: &'static str,
    /// JSON text.
    arguments: Option<String>,
}

impl std::fmt::Display for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let steps: Vec<String> = self.steps.iter().map(PlainStep::to_string).collect();
        write!(f, "{{\"steps\":[{}]", steps.join(","))?;
        if let Some(limit) = self.max_steps {
            write!(f, ",\"max_steps\":{limit}")?;
        }
        if let Some(limit) = self.repeat_limit {
            write!(f, ",\"repeat_limit\":{limit}")?;
        }
        f.write_str("}")
    }
}

impl std::fmt::Display for PlainStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            // The kind that is meant when none is named.
            Kind::Tool => write!(f, "{{\"tool\":\"{}\"", self.tool)?,
            Kind::Delegation => write!(f, "{{\"kind\":\"delegation\",\"tool\":\"{}\"", self.tool)?,
            Kind::User => f.write_str("{\"kind\":\"message\",\"agent\":\"user\"")?,
            Kind::Summary => f.write_str("{\"kind\":\"message\"")?,
        }
        if let Some(arguments) = &self.arguments {
            write!(f, ",\"args\":{arguments}")?;
        }
        f.write_str("}")
    }
}

fn audit(trace: &Trace) -> serde_json::Value {
    let mut signer = Signer::new();
    let mut audit = BareAudit::new(trace.max_steps, trace.repeat_limit.unwrap_or(DEFAULT_REPEAT_LIMIT));
    for (index, plain) in trace.steps.iter().enumerate() {
        let arguments =
            plain.arguments.as_ref().map_or(Payload::Absent, |text| Payload::Json(text.as_bytes()));
        let step = Step { kind: plain.kind, tool: plain.tool, arguments, ..Step::default() };
        let signature = signer.sign(&step, &[]);
        audit.step(index as u64, step.kind, signature, || signer.text_signature(&step, &[]));
    }
    let steps_used = audit.steps_used();
    let violations: Vec<String> = audit.finish().iter().map(|violation| violation.render(None)).collect();
    serde_json::json!({"ok": violations.is_empty(), "steps_used": steps_used, "violations": violations})
}

/// A trace of few distinct calls, each spelled anew every time, so that runs are common.
fn random_trace(arguments: &[Value], dice: &mut Dice) -> Trace {
    let mut steps = Vec::new();
    let mut call = random_call(arguments, dice);
    for _ in 0..dice.roll(25) {
        if dice.one_in(3) {
            call = random_call(arguments, dice);
        }
        if dice.one_in(6) {
            steps.push(PlainStep {
                kind: dice.pick(&[Kind::User, Kind::Summary]),
                tool: "",
                arguments: None,
            });
        }
        let (kind, tool, value) = call;
        steps.push(PlainStep { kind, tool, arguments: spell_arguments(value, dice) });
    }
    Trace {
        max_steps: dice.one_in(2).then(|| dice.roll(20) as u64),
        repeat_limit: dice.one_in(2).then(|| 1 + dice.roll(5) as u64),
        steps,
    }
}

fn random_call<'a>(arguments: &'a [Value], dice: &mut Dice) -> (Kind, &'static str, Option<&'a Value>) {
    let kind = dice.pick(&[Kind::Tool, Kind::Tool, Kind::Tool, Kind::Delegation]);
    let value = (!dice.one_in(6)).then(|| &arguments[dice.roll(arguments.len())]);
    (kind, dice.pick(&["ls", "søk"]), value)
}

/// One spelling of arguments: JSON, JSON inside a string, or one of the ways to have none.
fn spell_arguments(value: Option<&Value>, dice: &mut Dice) -> Option<String> {
    let Some(value) = value else {
        return dice.pick(&[None, Some("null"), Some("{ }"), Some("\" \"")]).map(String::from);
    };
    // The trace is one line of a batch: a line break between tokens would end it.
    let text = spell(value, dice).replace(['\n', '\r'], " ");
    Some(if dice.one_in(4) { serde_json::Value::from(text).to_string() } else { text })
}

#[test]
fn random_traces_have_the_violations_of_the_reference() {
    let mut runner = TestRunner::deterministic();
    let values = any_value(true);
    let traces: Vec<Trace> = (0..TRACES)
        .map(|seed| {
            let mut value = || values.new_tree(&mut runner).expect("nothing is rejected").current();
            random_trace(&[value(), value()], &mut Dice(seed as u64))
        })
        .collect();
    let mut violations = 0;
    for (trace, answer) in traces.iter().zip(python::answers("bare_audit.py", &traces)) {
        assert_eq!(audit(trace), answer, "{trace}");
        violations += answer["violations"].as_array().map_or(0, Vec::len);
    }
    assert!(violations > TRACES, "violations are common: {violations}");
}
