//! The spans of one trace together: steps in the order in which they began.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use wheelspin::step::Kind;

use super::span::{Role, Span};
use crate::json;
use crate::trace::{Content, Names, TraceStep};

/// The steps that `spans` stand for.
pub(super) fn steps(mut spans: Vec<Span>) -> Vec<TraceStep> {
    spans.sort_by_key(|span| (span.start, span.position));
    let mut seen = HashSet::new();
    spans.retain(|span| span.id.is_empty() || seen.insert(span.id.clone()));
    let around = ancestors(&spans);
    let stand_in = stand_ins(&mut spans, &around);
    let delegations = delegations(&spans, &around, &stand_in);
    let turns = turns(&spans, &around);
    let mut writer = Writer { spans, around, stand_in, delegations, turns, ..Writer::default() };
    for at in 0..writer.spans.len() {
        writer.add(at);
    }
    writer.finish()
}

/// The nearest ancestors of a span that matter.
#[derive(Clone, Copy, Default)]
struct Around {
    agent: Option<usize>,
    /// A tool inside that agent.
    tool: Option<usize>,
    /// A model call inside that agent and tool.
    model: Option<usize>,
}

impl Around {
    /// What is around the children of the span `at`.
    fn below(self, at: usize, role: Role) -> Around {
        match role {
            Role::Agent => Around { agent: Some(at), tool: None, model: None },
            Role::Tool | Role::Retrieval => Around { tool: Some(at), model: None, ..self },
            Role::Model => Around { model: Some(at), ..self },
            Role::Other => self,
        }
    }
}

/// Every span's ancestors, each looked up once however deep the tree is. A parent that is not in the file, or a
/// circle of parents, ends the chain.
fn ancestors(spans: &[Span]) -> Vec<Around> {
    let by_id: HashMap<&str, usize> = spans.iter().enumerate().map(|(at, span)| (&*span.id, at)).collect();
    let mut known: Vec<Option<Around>> = vec![None; spans.len()];
    let mut visited = vec![false; spans.len()];
    for start in 0..spans.len() {
        let mut path = Vec::new();
        let mut next = Some(start);
        let mut around = Around::default();
        while let Some(at) = next {
            if let Some(found) = known[at] {
                around = found.below(at, spans[at].role);
                break;
            }
            if std::mem::replace(&mut visited[at], true) {
                break;
            }
            path.push(at);
            let parent = &spans[at].parent;
            next = if parent.is_empty() { None } else { by_id.get(&**parent).copied() };
        }
        for at in path.into_iter().rev() {
            known[at] = Some(around);
            around = around.below(at, spans[at].role);
        }
    }
    known.into_iter().map(Option::unwrap_or_default).collect()
}

/// For every span the one that stands for it: itself, or the outermost tool span when several instrumentations saw
/// the same call, or the tool that a search in documents is a part of. The outermost one learns what the others know.
fn stand_ins(spans: &mut [Span], around: &[Around]) -> Vec<usize> {
    let mut stand_in: Vec<Option<usize>> = vec![None; spans.len()];
    for start in 0..spans.len() {
        let mut path = Vec::new();
        let mut at = start;
        let outermost = loop {
            if let Some(found) = stand_in[at] {
                break found;
            }
            path.push(at);
            match around[at].tool.filter(|outer| is_part_of(&spans[*outer], &spans[at])) {
                Some(outer) => at = outer,
                None => break at,
            }
        };
        for at in path {
            stand_in[at] = Some(outermost);
        }
    }
    let stand_in: Vec<usize> =
        stand_in.into_iter().enumerate().map(|(at, found)| found.unwrap_or(at)).collect();
    for (at, &outermost) in stand_in.iter().enumerate() {
        if outermost != at && spans[at].role == Role::Tool {
            let inner = std::mem::take(&mut spans[at].call);
            spans[outermost].call.learn(inner);
        }
    }
    stand_in
}

fn is_part_of(outer: &Span, inner: &Span) -> bool {
    match inner.role {
        Role::Tool => is_same_call(outer, inner),
        Role::Retrieval => true,
        _ => false,
    }
}

fn is_same_call(outer: &Span, inner: &Span) -> bool {
    // A client may put the server's name in front of the tool's.
    let with_server = || {
        let server = outer.name.strip_suffix(&*inner.name).unwrap_or("");
        inner.call.is_mcp && server.ends_with(['_', '.', '/', ':', '-'])
    };
    (outer.name == inner.name || with_server()) && is_same_value(&outer.call.arguments, &inner.call.arguments)
}

/// Whether two contents say the same, be it as a value or as a string that holds it. What is not known may be.
fn is_same_value(one: &Content, other: &Content) -> bool {
    fn value(text: &str) -> Option<serde_json::Value> {
        let inner = json::string(text);
        serde_json::from_str(inner.as_deref().unwrap_or(text)).ok()
    }
    match (one, other) {
        (Content::Absent, _) | (_, Content::Absent) => true,
        (Content::Json(one), Content::Json(other)) => {
            one == other || value(one).is_some_and(|found| Some(found) == value(other))
        }
        _ => one == other,
    }
}

/// What a span is as a delegation.
#[derive(Clone, Default)]
enum Delegation {
    /// None.
    #[default]
    No,
    /// An agent that another one runs.
    Agent,
    /// A tool that runs one agent, whose span is given: one call, of that agent.
    Tool(usize),
}

fn delegations(spans: &[Span], around: &[Around], stand_in: &[usize]) -> Vec<Delegation> {
    let mut delegations = vec![Delegation::No; spans.len()];
    let mut run_by_tool: HashMap<usize, Vec<usize>> = HashMap::new();
    for at in (0..spans.len()).filter(|at| spans[*at].role == Role::Agent) {
        match around[at] {
            Around { tool: Some(tool), .. } => {
                run_by_tool.entry(stand_in[tool]).or_default().push(at);
            }
            Around { agent: Some(caller), .. } if !is_same_agent(&spans[caller], &spans[at]) => {
                delegations[at] = Delegation::Agent;
            }
            _ => {}
        }
    }
    for (tool, agents) in run_by_tool {
        match agents[..] {
            [agent] => delegations[tool] = Delegation::Tool(agent),
            _ => agents.into_iter().for_each(|agent| delegations[agent] = Delegation::Agent),
        }
    }
    delegations
}

/// Two instrumentations may report one run of an agent, one inside the other.
fn is_same_agent(one: &Span, other: &Span) -> bool {
    match (&one.agent_id, &other.agent_id) {
        (Some(one), Some(other)) => one == other,
        _ => own_name(one) == own_name(other),
    }
}

fn own_name(agent: &Span) -> &str {
    agent.agent_name.as_deref().unwrap_or(&agent.name)
}

/// The model span that asked for each call id; none for an id that several answers used, as counters are.
fn asked_by<'s>(spans: &'s [Span], around: &[Around]) -> HashMap<&'s str, Option<usize>> {
    let mut asked_by: HashMap<&str, Option<usize>> = HashMap::new();
    for (at, span) in spans.iter().enumerate().filter(|(at, _)| around[*at].model.is_none()) {
        for id in span.asked.iter().filter(|id| !id.is_empty()) {
            let model = asked_by.entry(id).or_insert(Some(at));
            *model = model.filter(|model| *model == at);
        }
    }
    asked_by
}

/// The turn of every call: of the model's answer that asked for it, else shared with the siblings that run at the
/// same time.
fn turns(spans: &[Span], around: &[Around]) -> Vec<Option<u64>> {
    let asked_by = asked_by(spans, around);
    let mut by_answer: HashMap<(Option<usize>, &str), u64> = HashMap::new();
    let mut running: HashMap<&str, (u64, u64)> = HashMap::new();
    let mut turns = vec![None; spans.len()];
    let mut count = 0;
    for (at, span) in spans.iter().enumerate() {
        let is_call = match span.role {
            Role::Tool | Role::Retrieval => true,
            Role::Agent => around[at].agent.is_some(),
            _ => false,
        };
        if !is_call {
            continue;
        }
        let mut new_turn = || {
            count += 1;
            count
        };
        let model = asked_by.get(&*span.call.id).copied().flatten();
        let turn = if model.is_some() || !span.response.is_empty() {
            *by_answer.entry((model, &*span.response)).or_insert_with(new_turn)
        } else {
            match running.get(&*span.parent) {
                Some((end, turn)) if span.start < *end && !span.parent.is_empty() => *turn,
                _ => new_turn(),
            }
        };
        let end = running.get(&*span.parent).map_or(0, |(end, _)| *end).max(span.end);
        running.insert(&span.parent, (end, turn));
        turns[at] = Some(turn);
    }
    turns
}

/// Writes the steps down.
#[derive(Default)]
struct Writer {
    spans: Vec<Span>,
    around: Vec<Around>,
    stand_in: Vec<usize>,
    delegations: Vec<Delegation>,
    turns: Vec<Option<u64>>,
    steps: Vec<TraceStep>,
    names: Names,
    /// The step of a tool span.
    step_of: HashMap<usize, usize>,
    /// Tokens of answers whose steps did not begin yet, by agent.
    unspent: HashMap<Arc<str>, u64>,
    /// The latest step of each agent.
    latest: HashMap<Arc<str>, usize>,
}

impl Writer {
    fn add(&mut self, at: usize) {
        match (self.spans[at].role, &self.delegations[at]) {
            (Role::Tool | Role::Retrieval, _) if self.stand_in[at] != at => {}
            (Role::Tool | Role::Retrieval, Delegation::Tool(agent)) => {
                let target = self.identity(*agent);
                self.call(at, Kind::Delegation, target);
            }
            (Role::Tool | Role::Retrieval, _) => {
                let tool = self.names.get(&self.spans[at].name);
                self.call(at, Kind::Tool, tool);
            }
            (Role::Agent, Delegation::Agent) => {
                let target = self.identity(at);
                self.call(at, Kind::Delegation, target);
            }
            (Role::Model, _) if self.around[at].model.is_none() => self.model(at),
            _ => {}
        }
    }

    fn call(&mut self, at: usize, kind: Kind, tool: Arc<str>) {
        let agent = match self.spans[at].role {
            Role::Agent => self.around[at].agent.map(|caller| self.identity(caller)).unwrap_or_default(),
            _ => self.caller(at),
        };
        let span = &mut self.spans[at];
        let call = std::mem::take(&mut span.call);
        let id = if call.id.is_empty() { span.id.clone() } else { call.id };
        let step = TraceStep {
            agent,
            kind,
            tool,
            arguments: call.arguments,
            output: call.output,
            error: call.error,
            redacted: call.redacted,
            turn: self.turns[at],
            id,
            ..TraceStep::default()
        };
        self.step_of.insert(at, self.steps.len());
        self.push(step);
    }

    fn model(&mut self, at: usize) {
        let tokens = self.spans[at].tokens;
        if let Some(tool) = self.around[at].tool {
            // A tool that asks a model: its text is no word of the agent.
            if let Some(step) = self.step_of.get(&self.stand_in[tool]) {
                self.steps[*step].tokens += tokens;
            }
            return;
        }
        let agent = self.caller(at);
        *self.unspent.entry(agent.clone()).or_default() += tokens;
        let output = std::mem::take(&mut self.spans[at].text);
        if output != Content::Absent {
            let id = self.spans[at].id.clone();
            self.push(TraceStep { agent, kind: Kind::Summary, output, id, ..TraceStep::default() });
        }
    }

    fn push(&mut self, mut step: TraceStep) {
        step.tokens += self.unspent.remove(&step.agent).unwrap_or(0);
        self.latest.insert(step.agent.clone(), self.steps.len());
        self.steps.push(step);
    }

    fn finish(mut self) -> Vec<TraceStep> {
        // An answer that started nothing that was recorded was still paid for.
        for (agent, tokens) in self.unspent {
            if let Some(step) = self.latest.get(&agent) {
                self.steps[*step].tokens += tokens;
            }
        }
        self.steps
    }

    /// Who runs the agent span `at`.
    fn identity(&mut self, at: usize) -> Arc<str> {
        let span = &self.spans[at];
        self.names.get(span.agent_id.as_deref().unwrap_or_else(|| own_name(span)))
    }

    /// Who does what the span `at` stands for: its own attribute, else the nearest agent around it.
    fn caller(&mut self, at: usize) -> Arc<str> {
        let span = &self.spans[at];
        let agent = self.around[at].agent;
        let own = span.agent_id.as_deref().or(span.agent_name.as_deref());
        match (own, agent) {
            (None, None) => self.names.get(""),
            (None, Some(agent)) => self.identity(agent),
            (Some(_), Some(agent)) if is_named_like(span, &self.spans[agent]) => self.identity(agent),
            (Some(own), _) => self.names.get(own),
        }
    }
}

/// Whether a span names the agent around it, so that both count as one even where one of them lacks the id.
fn is_named_like(span: &Span, agent: &Span) -> bool {
    match (&span.agent_id, &agent.agent_id) {
        (Some(own), Some(id)) => own == id,
        _ => span.agent_name.as_deref().is_some_and(|name| name == own_name(agent)),
    }
}
