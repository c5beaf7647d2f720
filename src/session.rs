//! One agent in one workflow: steps in, findings out.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::evidence::{Evidence, Judge};
use crate::finding::{Finding, FindingKind, Level};
use crate::fingerprint::FingerprintKey;
use crate::policy::{Options, ToolOptions};
use crate::signature::{Signature, Signer};
use crate::step::{Kind, Step};
use crate::structure::{Cycles, Loose, Occurrence, Outputs, Position, Recurrences, Rule, Stagnation};

/// Outputs whose texts a session keeps, however short they are.
const MOST_KEPT_TEXTS: usize = 16_384;

/// Distinct calls that one turn can hold; more open another turn. A model starts a handful in parallel.
const LARGEST_TURN: usize = 256;

/// Tools whose rules are remembered; more than an agent has, fewer than an attacker can invent.
const REMEMBERED_TOOLS: usize = 256;

/// Buffers, and the rules of tools, that sessions with the same options share on one thread.
pub struct Scratch {
    options: Options,
    signer: Signer,
    judge: Judge,
    signature: Signature,
    rules: HashMap<Box<str>, Arc<ToolOptions>>,
    summary_rules: Arc<ToolOptions>,
}

impl Scratch {
    /// For sessions with these options.
    pub fn new(options: &Options) -> Self {
        Scratch {
            options: options.clone(),
            signer: Signer::new(),
            judge: Judge::new(options),
            signature: Signature(0),
            rules: HashMap::new(),
            summary_rules: Arc::new(Options { tools: Vec::new(), ..options.clone() }.for_tool("")),
        }
    }

    /// The signature of the counted step that was recorded last.
    pub fn last_signature(&self) -> Signature {
        self.signature
    }

    /// The text signature of a step.
    pub fn text_signature(&mut self, step: &Step<'_>) -> String {
        let rules = self.rules_for(step);
        self.signer.text_signature(step, &rules.ignore_args)
    }

    fn rules_for(&mut self, step: &Step<'_>) -> Arc<ToolOptions> {
        if step.kind == Kind::Summary {
            return self.summary_rules.clone();
        }
        if let Some(rules) = self.rules.get(step.tool) {
            return rules.clone();
        }
        if self.rules.len() == REMEMBERED_TOOLS {
            self.rules.clear();
        }
        let rules = Arc::new(self.options.for_tool(step.tool));
        self.rules.insert(step.tool.into(), rules.clone());
        rules
    }
}

/// The secrets that a session makes its ids and fingerprints with.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Finding ids leave the process: one secret for a deployment keeps them stable and unguessable.
    pub findings: FingerprintKey,
    /// Fingerprints of calls stay inside: any secret does, best another one in each process.
    pub calls: u64,
}

/// What is kept of a step's output, with the rules of its tool.
#[derive(Clone)]
struct Kept {
    evidence: Evidence,
    rules: Arc<ToolOptions>,
}

/// Structure asks about kept outputs; the judge compares their evidence.
struct KeptOutputs<'a>(&'a mut Judge);

impl Outputs for KeptOutputs<'_> {
    type Output = Kept;

    fn is_missing(&self, output: &Kept) -> bool {
        output.evidence.is_missing()
    }

    fn equal(&self, a: &Kept, b: &Kept) -> bool {
        a.evidence.is_identical(&b.evidence)
    }

    fn same(&mut self, a: &Kept, b: &Kept) -> Option<(Level, f32)> {
        let comparison = self.0.compare(&a.evidence, &b.evidence, &a.rules);
        comparison.same.then_some((comparison.level, comparison.similarity))
    }
}

/// The outputs whose texts are kept, oldest first, within a budget of bytes.
struct KeptTexts {
    budget: usize,
    bytes: usize,
    texts: VecDeque<(Evidence, usize)>,
}

impl KeptTexts {
    fn new(budget: usize) -> Self {
        KeptTexts { budget, bytes: 0, texts: VecDeque::new() }
    }

    /// Counts an output in, and gives up the oldest texts that no longer fit beside it.
    fn add(&mut self, evidence: &Evidence) {
        let bytes = evidence.kept_bytes();
        if bytes == 0 {
            return;
        }
        self.bytes += bytes;
        self.texts.push_back((evidence.clone(), bytes));
        while self.bytes > self.budget || self.texts.len() > MOST_KEPT_TEXTS {
            let Some((oldest, bytes)) = self.texts.pop_front() else { return };
            oldest.forget_text();
            self.bytes -= bytes;
        }
    }
}

/// Follows one agent in one workflow.
///
/// One caller at a time. Memory is bounded by `options.window` and `options.output_memory`; what was found and is over is forgotten once the
/// next step comes, so take [`Session::changed`] after every call.
pub struct Session {
    options: Arc<Options>,
    keys: Keys,
    agent: Box<str>,
    identity: u64,
    cycles: Cycles<Kept>,
    recurrences: Recurrences<Kept>,
    stagnation: Stagnation<Kept>,
    counted: u64,
    tokens: u64,
    turn: u64,
    turn_id: Option<u64>,
    kept_texts: KeptTexts,
    changed: Vec<Finding>,
}

impl Session {
    /// A session without steps.
    ///
    /// # Panics
    /// When `options` are invalid ([`Options::validate`]).
    pub fn new(options: Arc<Options>, keys: Keys, workflow: &str, agent: &str) -> Self {
        options.validate().expect("options were validated");
        let framed = [&(workflow.len() as u64).to_le_bytes(), workflow.as_bytes(), agent.as_bytes()].concat();
        Session {
            identity: keys.findings.fingerprint(&framed),
            keys,
            agent: agent.into(),
            cycles: Cycles::new(&options),
            recurrences: Recurrences::new(options.recurrence),
            stagnation: Stagnation::new(options.stagnation),
            counted: 0,
            tokens: 0,
            turn: 0,
            turn_id: None,
            kept_texts: KeptTexts::new(options.output_memory as usize),
            changed: Vec::new(),
            options,
        }
    }

    /// Takes in a finished counted step. `index` is the step's number as the caller counts; it must grow.
    ///
    /// # Panics
    /// When the step is a user step: that is a [`Session::boundary`].
    pub fn record(&mut self, scratch: &mut Scratch, index: u64, step: &Step<'_>) {
        assert!(step.kind != Kind::User, "a user step is a boundary");
        self.changed.clear();
        self.follow(scratch, index, step);
        self.spend(index, step.tokens);
        self.collect();
        if step.progress {
            self.start_anew(index);
            self.recurrences.reset();
            self.collect_cycles();
        }
    }

    /// Input from outside came as step `index`.
    pub fn boundary(&mut self, index: u64) {
        self.changed.clear();
        self.start_anew(index);
        self.recurrences.user_boundary();
        self.collect_cycles();
    }

    /// The workflow ended with step `index`.
    pub fn finish(&mut self, index: u64) {
        self.changed.clear();
        self.start_anew(index);
        self.collect_cycles();
    }

    /// Findings that are new or have grown with the latest call of [`Session::record`], [`Session::boundary`] or
    /// [`Session::finish`].
    pub fn changed(&self) -> &[Finding] {
        &self.changed
    }

    /// Would this call go on with a run that stands still? Records nothing.
    pub fn would_extend(&self, scratch: &mut Scratch, step: &Step<'_>) -> bool {
        let rules = scratch.rules_for(step);
        scratch.signer.canonical(step, &rules.ignore_args);
        let fingerprint = scratch.signer.fingerprint_of_last(self.keys.calls);
        let turn = (step.turn.is_some() && step.turn == self.turn_id).then_some(self.turn);
        self.cycles.would_extend(turn, fingerprint)
    }

    /// Counted steps so far.
    pub fn counted_steps(&self) -> u64 {
        self.counted
    }

    fn follow(&mut self, scratch: &mut Scratch, index: u64, step: &Step<'_>) {
        self.counted += 1;
        self.open_turn(step.turn);
        let rules = scratch.rules_for(step);
        scratch.signature = scratch.signer.sign(step, &rules.ignore_args);
        let signature = scratch.signature.0;
        let fingerprint = scratch.signer.fingerprint_of_last(self.keys.calls);
        let id = if step.id.is_empty() {
            xxh3_64(&index.to_le_bytes())
        } else {
            xxh3_64_with_seed(step.id.as_bytes(), 1)
        };
        let evidence = Evidence::of(step);
        let (known, trivial, error) = (!evidence.is_missing(), evidence.is_trivial(), evidence.is_error());
        self.kept_texts.add(&evidence);
        let output = Kept { evidence, rules: rules.clone() };
        let position = Position {
            fingerprint,
            signature,
            summary: step.kind == Kind::Summary,
            rule: Rule { min_repeats: rules.min_repeats, exempt: rules.exempt, stable: rules.stable },
            index,
            id,
            output: output.clone(),
        };
        let mut outputs = KeptOutputs(&mut scratch.judge);
        self.cycles.record(self.turn, position, &mut outputs);
        self.recurrences.advance(self.counted);
        if !step.kind.is_call() {
            return;
        }
        if !known || trivial || rules.exempt || rules.stable {
            self.stagnation.reset();
            return;
        }
        let call = Occurrence {
            ordinal: self.counted,
            index,
            id,
            turn: self.turn,
            fingerprint,
            soft: scratch.signer.soft_fingerprint_of_last(self.keys.calls),
            signature,
            tool: xxh3_64_with_seed(step.tool.as_bytes(), step.kind as u64),
            own_min_repeats: rules.own_min_repeats,
            output,
            error,
            output_bytes: step.output.bytes().len(),
            large: step.output.bytes().len() >= self.options.large_output as usize,
        };
        let cycles = &self.cycles;
        self.recurrences.record(call.clone(), &mut outputs, |index| cycles.covers(index));
        self.stagnation.record(call, &mut outputs);
    }

    fn open_turn(&mut self, turn_id: Option<u64>) {
        let full = self.cycles.calls_of_turn(self.turn) >= LARGEST_TURN;
        if turn_id.is_none() || turn_id != self.turn_id || full {
            self.turn += 1;
        }
        self.turn_id = turn_id;
    }

    fn start_anew(&mut self, index: u64) {
        self.cycles.reset(index);
        self.stagnation.reset();
        self.turn_id = None;
    }

    fn spend(&mut self, index: u64, tokens: u64) {
        let before = self.tokens;
        self.tokens = self.tokens.saturating_add(tokens);
        if let Some(limit) = self.options.max_steps
            && self.counted == limit.saturating_add(1)
        {
            self.push_limit(FindingKind::StepLimit, index);
        }
        if let Some(limit) = self.options.max_tokens
            && before <= limit
            && self.tokens > limit
        {
            self.push_limit(FindingKind::TokenLimit, index);
        }
    }

    fn push_limit(&mut self, kind: FindingKind, index: u64) {
        self.changed.push(Finding {
            id: self.finding_id(kind, 0, 0),
            kind,
            agent: self.agent.clone(),
            start: index,
            end: index,
            period: 0,
            passes: 0,
            stagnant_positions: Vec::new(),
            earliest_step: index,
            evidence: Level::None,
            similarity: 0.0,
            signature: Signature(0),
        });
    }

    fn collect(&mut self) {
        self.collect_cycles();
        let recurrences: Vec<Finding> =
            self.recurrences.changed().map(|loose| self.loose(FindingKind::Recurrence, loose)).collect();
        self.changed.extend(recurrences);
        if let Some(loose) = self.stagnation.changed() {
            let finding = self.loose(FindingKind::Stagnation, loose);
            self.changed.push(finding);
        }
    }

    fn collect_cycles(&mut self) {
        for cycle in self.cycles.changed() {
            self.changed.push(Finding {
                id: self.finding_id(FindingKind::Cycle, cycle.signature, cycle.start_id),
                kind: FindingKind::Cycle,
                agent: self.agent.clone(),
                start: cycle.start,
                end: cycle.end,
                period: cycle.period,
                passes: cycle.passes,
                stagnant_positions: cycle.stagnant_positions.clone(),
                earliest_step: cycle.earliest_step,
                evidence: cycle.level,
                similarity: cycle.similarity,
                signature: Signature(cycle.signature),
            });
        }
    }

    fn loose(&self, kind: FindingKind, loose: &Loose) -> Finding {
        Finding {
            id: self.finding_id(kind, loose.signature, loose.start_id),
            kind,
            agent: self.agent.clone(),
            start: loose.start,
            end: loose.end,
            period: 0,
            passes: loose.calls,
            stagnant_positions: Vec::new(),
            earliest_step: loose.earliest_step,
            evidence: loose.level,
            similarity: loose.similarity,
            signature: Signature(loose.signature),
        }
    }

    fn finding_id(&self, kind: FindingKind, signature: u64, start: u64) -> u64 {
        let mut framed = [0; 25];
        framed[..8].copy_from_slice(&self.identity.to_le_bytes());
        framed[8..16].copy_from_slice(&signature.to_le_bytes());
        framed[16..24].copy_from_slice(&start.to_le_bytes());
        framed[24] = kind as u8;
        self.keys.findings.fingerprint(&framed)
    }
}
