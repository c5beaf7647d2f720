//! The audit of a bare trace: a limit on steps, and the same call again and again without another in between.
//!
//! It looks at calls alone: no outputs, no agents, no turns. A run of equal signatures is a loop when it reaches
//! the limit, and one violation however long it gets. Memory does not grow with the trace, only with its
//! violations: of the current run it keeps the signature, the length and the first index.

use super::Violation;
use crate::signature::Signature;
use crate::step::Kind;

/// The audit of one bare trace, fed step by step.
pub struct BareAudit {
    max_steps: Option<u64>,
    repeat_limit: u64,
    steps: u64,
    run: Option<Run>,
    loops: Vec<Violation>,
}

/// The run of equal signatures that the last call belongs to.
struct Run {
    signature: Signature,
    length: u64,
    first_step: u64,
}

impl BareAudit {
    /// An audit that allows `max_steps` calls (any number when `None`), and calls `repeat_limit` equal calls in a
    /// row a loop. With a limit of 1 every call is one.
    ///
    /// # Panics
    /// When `repeat_limit` is 0.
    pub fn new(max_steps: Option<u64>, repeat_limit: u64) -> BareAudit {
        assert!(repeat_limit > 0, "a loop has at least one step");
        BareAudit { max_steps, repeat_limit, steps: 0, run: None, loops: Vec::new() }
    }

    /// The next step, which stands at `index` in the whole trace; `text` spells its text signature. Steps that
    /// are no calls are passed over.
    pub fn step(&mut self, index: u64, kind: Kind, signature: Signature, text: impl FnOnce() -> String) {
        if !kind.is_call() {
            return;
        }
        self.steps += 1;
        let run = match self.run.take() {
            Some(run) if run.signature == signature => Run { length: run.length + 1, ..run },
            _ => Run { signature, length: 1, first_step: index },
        };
        if run.length == self.repeat_limit {
            // The first step of the run has the same text: equal identities read the same.
            self.loops.push(Violation::RepeatLoop { text_signature: text(), first_step: run.first_step });
        }
        self.run = Some(run);
    }

    /// Calls seen so far.
    pub fn steps_used(&self) -> u64 {
        self.steps
    }

    /// The trace is over: its violations, sorted by the bytes of their rendered form.
    pub fn finish(self) -> Vec<Violation> {
        let over = self.max_steps.filter(|limit| self.steps > *limit);
        let mut violations = self.loops;
        violations.extend(over.map(|limit| Violation::StepLimit { limit }));
        violations.sort_by_cached_key(|violation| violation.render(None));
        violations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Signer;
    use crate::step::{Payload, Step};

    /// Kind, tool and arguments.
    type Call = (Kind, &'static str, &'static str);

    /// The violations of a trace of these steps.
    fn audit(max_steps: Option<u64>, repeat_limit: u64, calls: &[Call]) -> Vec<String> {
        let mut audit = BareAudit::new(max_steps, repeat_limit);
        let mut signer = Signer::new();
        for (index, (kind, tool, arguments)) in calls.iter().enumerate() {
            let arguments = Payload::Json(arguments.as_bytes());
            let step = Step { kind: *kind, tool, arguments, ..Step::default() };
            let signature = signer.sign(&step, &[]);
            audit.step(index as u64, step.kind, signature, || signer.text_signature(&step, &[]));
        }
        audit.finish().iter().map(|violation| violation.render(None)).collect()
    }

    const LS: Call = (Kind::Tool, "ls", r#"{"b":1,"a":"x"}"#);
    const LS_AGAIN: Call = (Kind::Tool, "ls", r#"{"a":"x","b":1.0}"#);
    const CAT: Call = (Kind::Tool, "cat", "");
    const USER: Call = (Kind::User, "", "");
    const HAND_OFF: Call = (Kind::Delegation, "ls", r#"{"b":1,"a":"x"}"#);

    #[test]
    fn a_run_is_one_loop_from_its_limit_on() {
        let cases: &[(u64, &[Call], &[&str])] = &[
            (3, &[], &[]),
            (3, &[LS, LS], &[]),
            (3, &[LS, LS_AGAIN, LS], &["repeat_loop:ls|a=x,b=1@0"]),
            (3, &[CAT, LS, LS, LS, LS, LS], &["repeat_loop:ls|a=x,b=1@1"]),
            (3, &[LS, CAT, LS, CAT, LS, CAT], &[]),
            (3, &[LS, LS, CAT, LS], &[]),
            (3, &[LS, LS, HAND_OFF], &[]),
            (
                2,
                &[LS, LS, CAT, CAT, LS, LS],
                &["repeat_loop:cat|@2", "repeat_loop:ls|a=x,b=1@0", "repeat_loop:ls|a=x,b=1@4"],
            ),
            (1, &[LS, CAT], &["repeat_loop:cat|@1", "repeat_loop:ls|a=x,b=1@0"]),
        ];
        for (repeat_limit, calls, expected) in cases {
            assert_eq!(audit(None, *repeat_limit, calls), *expected, "{calls:?}");
        }
    }

    #[test]
    fn only_calls_count_but_every_step_has_an_index() {
        assert_eq!(audit(Some(3), 3, &[USER, LS, USER, LS, LS]), ["repeat_loop:ls|a=x,b=1@1"]);
        assert_eq!(audit(Some(2), 4, &[USER, LS, USER, LS, LS]), ["step_limit:2"]);
        assert_eq!(audit(Some(0), 3, &[USER]), [""; 0]);
    }

    #[test]
    fn violations_are_sorted_by_their_bytes() {
        let calls = [LS; 12].map(|(kind, _, arguments)| (kind, "é", arguments));
        let runs: Vec<_> = calls.iter().flat_map(|call| [*call, *call, CAT]).collect();
        let rendered = audit(Some(1), 2, &runs);
        assert!(rendered.is_sorted());
        assert_eq!(rendered[0], "repeat_loop:é|a=x,b=1@0");
        assert_eq!(rendered[2], "repeat_loop:é|a=x,b=1@15", "as text, 15 stands before 3");
        assert_eq!(rendered[12], "step_limit:1");
    }
}
