//! The steps behind a finding. The engine says where a run starts, how long its unit is and how often it came;
//! people want to see the calls. This lays the run's steps out by pass and position, from the trace itself.

use std::collections::HashMap;

use wheelspin::finding::{Finding, FindingKind};
use wheelspin::policy::{Options, ToolOptions};
use wheelspin::signature::{Signature, Signer};
use wheelspin::step::{Kind, Step};
use wheelspin_ingest::{Content, Trace, TraceStep};

/// Steps by pass and position; `passes[0][0]` is the index of a step of the trace.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// One row a pass, one step a position. Never empty, and all rows have one length.
    pub passes: Vec<Vec<usize>>,
}

/// What a gateway that heeds the finding would have saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Savings {
    /// The first call that it would have refused.
    pub refused_step: u64,
    /// Counted steps of the agent from that call to the end of the finding.
    pub steps: u64,
    /// Tokens of those steps, where at least one of them is known.
    pub tokens: Option<u64>,
}

/// Where each step of a trace stands: signatures and rules are worked out once a tool.
pub struct Steps<'a> {
    trace: &'a Trace,
    options: &'a Options,
    rules: HashMap<&'a str, ToolOptions>,
    signer: Signer,
    /// Findings overlap: each step is signed once, when it is asked for first.
    signatures: Vec<Option<Signature>>,
}

impl<'a> Steps<'a> {
    /// The steps of one trace under the options that it was audited with.
    pub fn new(trace: &'a Trace, options: &'a Options) -> Self {
        Steps { trace, options, rules: HashMap::new(), signer: Signer::default(), signatures: Vec::new() }
    }

    /// One step.
    pub fn step(&self, index: usize) -> Step<'a> {
        self.trace.steps[index].step()
    }

    /// The rules of a tool.
    pub fn rules(&mut self, tool: &'a str) -> &ToolOptions {
        self.rules.entry(tool).or_insert_with(|| self.options.for_tool(tool))
    }

    fn signature(&mut self, index: usize) -> Signature {
        self.signatures.resize(self.trace.steps.len(), None);
        if let Some(signature) = self.signatures[index] {
            return signature;
        }
        let step = self.step(index);
        let rules = self.rules.entry(step.tool).or_insert_with(|| self.options.for_tool(step.tool));
        let signature = self.signer.sign(&step, &rules.ignore_args);
        self.signatures[index] = Some(signature);
        signature
    }

    /// The counted steps of the finding's agent in its extent; what a limit is about goes on to the end.
    fn counted(&self, finding: &Finding) -> impl Iterator<Item = usize> + use<'a> {
        let trace = self.trace;
        let agent: Box<str> = finding.agent.clone();
        let last = trace.steps.len().saturating_sub(1);
        let end = match finding.kind {
            FindingKind::StepLimit | FindingKind::TokenLimit => last,
            _ => usize::try_from(finding.end).unwrap_or(usize::MAX).min(last),
        };
        let start = usize::try_from(finding.start).unwrap_or(usize::MAX);
        (start..=end).filter(move |&index| {
            let step = &trace.steps[index];
            *step.agent == *agent && step.step().kind != Kind::User
        })
    }

    /// The finding's steps by pass and position; one position where a finding has no unit. `None` where the
    /// finding does not fit the trace.
    pub fn unit(&mut self, finding: &Finding) -> Option<Unit> {
        match finding.kind {
            FindingKind::Cycle => {
                let counted: Vec<usize> = self.counted(finding).collect();
                // A run lives in one of two views: all counted steps, or calls alone.
                let calls: Vec<usize> =
                    counted.iter().copied().filter(|&index| self.kind(index).is_call()).collect();
                self.run(&counted, finding).or_else(|| self.run(&calls, finding))
            }
            FindingKind::Recurrence => {
                let counted: Vec<usize> = self.counted(finding).collect();
                let same = counted.into_iter().filter(|&index| self.signature(index) == finding.signature);
                column(same.collect())
            }
            FindingKind::Stagnation => {
                let first = self.trace.steps.get(usize::try_from(finding.start).ok()?)?.step().tool;
                let calls = self.counted(finding).filter(|&index| self.kind(index).is_call());
                column(calls.filter(|&index| self.step(index).tool == first).collect())
            }
            FindingKind::StepLimit | FindingKind::TokenLimit => None,
        }
    }

    fn kind(&self, index: usize) -> Kind {
        self.step(index).kind
    }

    fn turn(&self, index: usize) -> Option<u64> {
        self.trace.steps.get(index).and_then(|step| step.step().turn)
    }

    /// `steps` cut into passes of `finding.period` positions, if they repeat.
    fn run(&mut self, steps: &[usize], finding: &Finding) -> Option<Unit> {
        let symbols = self.symbols(steps);
        let period = usize::try_from(finding.period).ok()?;
        let mut positions = 0;
        let length = 1 + symbols.iter().position(|symbol| {
            positions += symbol.len();
            positions >= period
        })?;
        if positions != period {
            return None;
        }
        let passes: Vec<Vec<usize>> =
            symbols.chunks_exact(length).map_while(|pass| in_order_of(&symbols[..length], pass)).collect();
        (passes.len() >= usize::try_from(finding.passes).ok()?).then_some(Unit { passes })
    }

    /// The distinct signatures of each turn, each with the last step whose output is known, in the order of
    /// their first steps.
    fn symbols(&mut self, steps: &[usize]) -> Vec<Vec<(Signature, usize)>> {
        let mut symbols: Vec<Vec<(Signature, usize)>> = Vec::new();
        let mut open = None;
        for &index in steps {
            let turn = self.step(index).turn;
            let signature = self.signature(index);
            match symbols.last_mut().filter(|_| turn.is_some() && turn == open) {
                Some(symbol) => match symbol.iter_mut().find(|(known, _)| *known == signature) {
                    Some((_, last)) if is_known(&self.trace.steps[index]) => *last = index,
                    Some(_) => {}
                    None => symbol.push((signature, index)),
                },
                None => symbols.push(vec![(signature, index)]),
            }
            open = turn;
        }
        symbols
    }

    /// What stopping at the finding would have saved.
    pub fn savings(&self, finding: &Finding) -> Option<Savings> {
        let stops = match finding.kind {
            FindingKind::Cycle => !finding.is_inconclusive(),
            FindingKind::StepLimit | FindingKind::TokenLimit => true,
            FindingKind::Recurrence | FindingKind::Stagnation => false,
        };
        // Calls of the turn that brought the finding had been admitted before it.
        let turn = self.turn(usize::try_from(finding.earliest_step).ok()?);
        let after = |&index: &usize| {
            stops && index as u64 > finding.earliest_step && (turn.is_none() || self.turn(index) != turn)
        };
        let refused = self.counted(finding).filter(after).find(|&index| self.kind(index).is_call())?;
        let saved = || self.counted(finding).filter(|&index| index >= refused);
        let tokens: u64 = saved().map(|index| self.step(index).tokens).sum();
        Some(Savings {
            refused_step: refused as u64,
            steps: saved().count() as u64,
            tokens: (tokens > 0).then_some(tokens),
        })
    }
}

fn is_known(step: &TraceStep) -> bool {
    step.output != Content::Absent && !step.redacted && !step.truncated
}

/// One position: every step is a pass.
fn column(steps: Vec<usize>) -> Option<Unit> {
    (!steps.is_empty()).then(|| Unit { passes: steps.into_iter().map(|step| vec![step]).collect() })
}

/// The steps of a pass in the order of the unit's positions, if it holds the same symbols.
fn in_order_of(unit: &[Vec<(Signature, usize)>], pass: &[Vec<(Signature, usize)>]) -> Option<Vec<usize>> {
    let mut steps = Vec::new();
    for (expected, found) in unit.iter().zip(pass) {
        if expected.len() != found.len() {
            return None;
        }
        for (signature, _) in expected {
            steps.push(found.iter().find(|(known, _)| known == signature)?.1);
        }
    }
    Some(steps)
}
