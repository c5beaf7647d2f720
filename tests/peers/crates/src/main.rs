//! The peers from crates.io behind the protocol of `replay.py`: `peers NAME < traces`.
//!
//! Each is driven as its README drives it: tool calls in the trace's order, one detector a trace. A panic inside a peer is an
//! error of that step; the replay goes on.

use serde_json::{Value, json};
use std::io::{BufRead, stdin};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::time::{Duration, Instant};

/// What a peer says of a call. A stop is a warning too.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    Quiet,
    Warn,
    Stop,
}

/// One finished tool call.
struct Call<'a> {
    tool: &'a str,
    args: &'a Value,
    output: Option<&'a str>,
    error: Option<bool>,
}

trait Peer {
    fn call(&mut self, call: &Call) -> Level;
}

/// `LoopGuard::with_capacity(8, 3)` and `record`, as in the README. It sees no results.
struct ToolLoopGuard(tool_loop_guard::LoopGuard);

impl Peer for ToolLoopGuard {
    fn call(&mut self, call: &Call) -> Level {
        match self.0.record(call.tool, call.args) {
            Ok(()) => Level::Quiet,
            Err(_) => Level::Stop,
        }
    }
}

/// The README's configuration (hard stops on, a block after three failures), `before_call`, then `after_call` unless it
/// blocked. `reset_for_turn`, which the README does not mention, is not called.
struct LoopGuardrail(loop_guardrail::ToolCallGuardrailController);

impl Peer for LoopGuardrail {
    fn call(&mut self, call: &Call) -> Level {
        let mut decision = self.0.before_call(call.tool, Some(call.args));
        if decision.allows_execution() {
            decision = self.0.after_call(call.tool, Some(call.args), call.output, call.error);
        }
        match decision.action.as_str() {
            "allow" => Level::Quiet,
            "warn" => Level::Warn,
            _ => Level::Stop,
        }
    }
}

fn peer(name: &str) -> Box<dyn Peer> {
    match name {
        "tool-loop-guard" => Box::new(ToolLoopGuard(tool_loop_guard::LoopGuard::with_capacity(8, 3))),
        "loop-guardrail" => {
            let config = loop_guardrail::ToolCallGuardrailConfig {
                hard_stop_enabled: true,
                warnings_enabled: true,
                exact_failure_warn_after: 2,
                exact_failure_block_after: 3,
                ..Default::default()
            };
            Box::new(LoopGuardrail(loop_guardrail::ToolCallGuardrailController::new(Some(config))))
        }
        _ => panic!("unknown peer {name}, expected tool-loop-guard or loop-guardrail"),
    }
}

fn main() {
    let name = std::env::args().nth(1).expect("usage: peers NAME < traces");
    peer(&name); // an unknown name fails before panics are silenced
    set_hook(Box::new(|_| {}));
    let (mut calls, mut spent) = (0, Duration::ZERO);
    for line in stdin().lock().lines() {
        let trace: Value = serde_json::from_str(&line.expect("text")).expect("a JSON trace a line");
        let (mut peer, mut stop, mut warn, mut errors) = (peer(&name), vec![], vec![], json!({}));
        for (index, step) in trace["steps"].as_array().expect("steps").iter().enumerate() {
            let kind = step["kind"].as_str().unwrap_or("tool");
            if matches!(kind, "user" | "message" | "summary") {
                continue;
            }
            let call = Call {
                tool: step["tool"].as_str().expect("a tool"),
                args: &step["args"],
                output: step["output"].as_str(),
                error: step["error"].as_bool(),
            };
            let begun = Instant::now();
            let said = catch_unwind(AssertUnwindSafe(|| peer.call(&call)));
            spent += begun.elapsed();
            calls += 1;
            match said {
                Ok(Level::Quiet) => {}
                Ok(level) => {
                    warn.push(index);
                    if level == Level::Stop {
                        stop.push(index);
                    }
                }
                Err(panic) => errors[index.to_string()] = json!(message(&*panic)),
            }
        }
        println!("{}", json!({"trace_id": trace["trace_id"], "stop": stop, "warn": warn, "errors": errors}));
    }
    println!("{}", json!({"calls": calls, "seconds": spent.as_secs_f64()}));
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("?"))
}
