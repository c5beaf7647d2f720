//! Message bodies to traces.
//!
//! A client sends the whole history again with each request, and may have trimmed or compacted it in between. So a
//! conversation keeps the steps that it knows, and a body adds what stands behind them: the body's events are laid
//! over the known steps, first from the start, else where the end of the known steps recurs, else behind the last
//! call whose id is known. Ids that count up (`call_0`) prove nothing alone; their arguments then count too.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::message::{Call, Event, Raw};
use crate::trace::{Content, Names, Trace, TraceStep};
use wheelspin::step::Kind;

/// Conversations that may take turns in one file before the one that was not continued for longest counts as
/// ended: the agents that one client runs side by side.
const OPEN_LIMIT: usize = 8;
/// Letters and digits of a call id that cannot be a mere counter.
const UNIQUE_ID: usize = 8;
/// Steps in a row that make a match without ids believable.
const CONVINCING: usize = 3;

/// What one request or answer says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body<'a> {
    pub(crate) events: Vec<Event<'a>>,
    /// The events are the conversation so far, not only what is new.
    pub(crate) is_history: bool,
    /// The conversation's own id, where one was recorded.
    pub(crate) key: Option<String>,
    /// The answer that this request continues.
    pub(crate) follows: Option<String>,
    /// The id of this answer.
    pub(crate) response: Option<String>,
    /// Only a part of the answer: the next body may be another one.
    pub(crate) is_part: bool,
    pub(crate) agent: Option<String>,
}

/// The conversations of one file.
#[derive(Default)]
pub(crate) struct Conversations {
    open: Vec<Conversation>,
    clock: u64,
}

impl Conversations {
    /// Adds what `body` says to the conversation that it belongs to, or begins one, which `fallback_id` names.
    pub(crate) fn add(&mut self, body: Body<'_>, fallback_id: &str, out: &mut Vec<Trace>) {
        self.clock += 1;
        let units = units(&body.events);
        let (at, spots) = self.place(&body, &units).unwrap_or_else(|| {
            self.make_room(out);
            self.open.push(Conversation::new(body.key.clone(), fallback_id));
            (self.open.len() - 1, vec![Spot::New; units.len()])
        });
        let conversation = &mut self.open[at];
        conversation.touched = self.clock;
        conversation.add(body, &units, &spots);
    }

    /// Ends all conversations.
    pub(crate) fn finish(self) -> Vec<Trace> {
        self.open.into_iter().map(Conversation::into_trace).collect()
    }

    fn make_room(&mut self, out: &mut Vec<Trace>) {
        if self.open.len() < OPEN_LIMIT {
            return;
        }
        let oldest = (0..self.open.len()).min_by_key(|&at| self.open[at].touched).unwrap_or(0);
        out.push(self.open.remove(oldest).into_trace());
    }

    fn place(&self, body: &Body<'_>, units: &[Unit]) -> Option<(usize, Vec<Spot>)> {
        let may_be = |open: &Conversation| {
            // An answer may be logged without the key that its request had.
            open.key == body.key || body.key.is_none() && !body.is_history
        };
        let candidates = || self.open.iter().enumerate().filter(|(_, open)| may_be(open));
        if body.is_history {
            let sure = body.key.is_some();
            let placed = candidates().filter_map(|(at, open)| Some((at, open.lay_over(units, sure)?)));
            return placed.max_by_key(|(at, spots)| {
                let known = spots.iter().filter(|spot| matches!(spot, Spot::Known(_))).count();
                (known, self.open[*at].touched)
            });
        }
        let continued = body.follows.as_ref().and_then(|follows| {
            candidates().find(|(_, open)| open.responses.iter().rev().any(|response| response == follows))
        });
        let answered = || {
            let ids: Vec<&str> = body.events.iter().filter_map(result_id).collect();
            candidates().find(|(_, open)| ids.iter().any(|id| open.calls.contains_key(*id)))
        };
        let latest = || match body.follows {
            Some(_) => None,
            None => candidates().max_by_key(|(_, open)| open.touched),
        };
        let (at, open) = continued.or_else(answered).or_else(latest)?;
        Some((at, units.iter().map(|unit| open.known_or(unit, Spot::New)).collect()))
    }
}

fn result_id<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::Result { id, .. } if is_unique(id) => Some(id),
        _ => None,
    }
}

/// What becomes one step, as far as it is compared.
#[derive(Clone, Copy)]
struct Unit {
    fingerprint: u64,
    /// A call whose id does not come again by chance.
    unique: bool,
}

/// Where a unit of a body belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    /// It is this known step.
    Known(usize),
    /// It is a step that was not known.
    New,
    /// It stands before what is known: the rest of a trimmed history, or the text that replaces it.
    Dropped,
}

fn units(events: &[Event<'_>]) -> Vec<Unit> {
    let mut units = Vec::new();
    for event in events {
        match event {
            Event::User(text) => units.push(said("user", text)),
            Event::Reply { text, calls, .. } if calls.is_empty() => {
                if !text.is_absent() {
                    units.push(said("reply", text));
                }
            }
            Event::Reply { calls, .. } => units.extend(calls.iter().map(called)),
            Event::Result { .. } => {}
        }
    }
    units
}

fn said(role: &str, text: &Raw<'_>) -> Unit {
    let mut hasher = DefaultHasher::new();
    role.hash(&mut hasher);
    text.hash(&mut hasher);
    Unit { fingerprint: hasher.finish(), unique: false }
}

fn called(call: &Call<'_>) -> Unit {
    let mut hasher = DefaultHasher::new();
    ("call", &*call.id, &*call.tool).hash(&mut hasher);
    let unique = is_unique(&call.id);
    if !unique {
        call.arguments.hash(&mut hasher);
    }
    Unit { fingerprint: hasher.finish(), unique }
}

/// Whether a call id was drawn at random: its last part is long enough and no mere number.
fn is_unique(id: &str) -> bool {
    let last = id.rsplit(|character: char| !character.is_ascii_alphanumeric()).next().unwrap_or("");
    last.len() >= UNIQUE_ID && !last.bytes().all(|byte| byte.is_ascii_digit())
}

/// One conversation while its bodies are read.
struct Conversation {
    id: String,
    key: Option<String>,
    touched: u64,
    steps: Vec<TraceStep>,
    /// A fingerprint a step.
    fingerprints: Vec<u64>,
    /// The steps of calls whose ids do not come again by chance, by fingerprint.
    unique_calls: HashMap<u64, usize>,
    /// The latest step of each call id.
    calls: HashMap<Box<str>, usize>,
    responses: Vec<String>,
    names: Names,
    turns: u64,
}

impl Conversation {
    fn new(key: Option<String>, fallback_id: &str) -> Conversation {
        Conversation {
            id: key.clone().unwrap_or_else(|| fallback_id.to_string()),
            key,
            touched: 0,
            steps: Vec::new(),
            fingerprints: Vec::new(),
            unique_calls: HashMap::new(),
            calls: HashMap::new(),
            responses: Vec::new(),
            names: Names::default(),
            turns: 0,
        }
    }

    fn into_trace(self) -> Trace {
        Trace { id: self.id, steps: self.steps, config: None }
    }

    /// Where each unit of a history belongs, if it is a history of this conversation. `sure`: it is known to be.
    fn lay_over(&self, units: &[Unit], sure: bool) -> Option<Vec<Spot>> {
        let known = &self.fingerprints;
        let prefix = known.iter().zip(units).take_while(|(known, unit)| **known == unit.fingerprint).count();
        if prefix > 0 && (prefix == known.len() || prefix == units.len()) {
            return Some(
                (0..units.len()).map(|at| if at < prefix { Spot::Known(at) } else { Spot::New }).collect(),
            );
        }
        let (end, length) = overlap(known, units);
        let matched = &units[end - length..end];
        if length > 0 && (sure || length >= CONVINCING || matched.iter().any(|unit| unit.unique)) {
            let start = end - length;
            let mut spots: Vec<Spot> =
                units[..start].iter().map(|unit| self.known_or(unit, Spot::Dropped)).collect();
            spots.extend((known.len() - length..known.len()).map(Spot::Known));
            spots.resize(units.len(), Spot::New);
            return Some(spots);
        }
        let anchor = units.iter().rposition(|unit| self.known_or(unit, Spot::New) != Spot::New);
        if let Some(anchor) = anchor {
            let Spot::Known(at) = self.known_or(&units[anchor], Spot::New) else { return None };
            let mut spots: Vec<Spot> =
                units[..=anchor].iter().map(|unit| self.known_or(unit, Spot::Dropped)).collect();
            // Texts behind the anchor may be known too, each once.
            let mut behind: HashMap<u64, VecDeque<usize>> = HashMap::new();
            for (at, fingerprint) in known.iter().enumerate().skip(at + 1) {
                behind.entry(*fingerprint).or_default().push_back(at);
            }
            spots.extend(units[anchor + 1..].iter().map(|unit| {
                let known = behind.get_mut(&unit.fingerprint).and_then(VecDeque::pop_front);
                known.map_or(Spot::New, Spot::Known)
            }));
            return Some(spots);
        }
        sure.then(|| self.in_order(units))
    }

    /// The units that recur among the known steps in the same order: agents of one session may take turns.
    fn in_order(&self, units: &[Unit]) -> Vec<Spot> {
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, fingerprint) in self.fingerprints.iter().enumerate() {
            places.entry(*fingerprint).or_default().push(at);
        }
        let mut next = 0;
        let spot = |unit: &Unit| {
            let places = places.get(&unit.fingerprint).map_or(&[][..], Vec::as_slice);
            let Some(at) = places.get(places.partition_point(|at| *at < next)) else { return Spot::New };
            next = at + 1;
            Spot::Known(*at)
        };
        units.iter().map(spot).collect()
    }

    fn known_or(&self, unit: &Unit, otherwise: Spot) -> Spot {
        let known = if unit.unique { self.unique_calls.get(&unit.fingerprint) } else { None };
        known.map_or(otherwise, |at| Spot::Known(*at))
    }

    fn add(&mut self, body: Body<'_>, units: &[Unit], spots: &[Spot]) {
        let agent = self.names.get(body.agent.as_deref().unwrap_or(""));
        let continues_answer =
            body.is_part && body.response.is_some() && self.responses.last() == body.response.as_ref();
        let mut taken_back = 0;
        if continues_answer {
            taken_back = self.take_back_text(&body.events);
        } else {
            self.responses.extend(body.response);
        }
        // The parts of an answer repeat what it used.
        let used = |tokens: u64| if continues_answer { taken_back } else { tokens };
        let mut walk = Walk::new(units, spots, continues_answer);
        for event in body.events {
            match event {
                Event::User(text) => {
                    let step = TraceStep {
                        agent: agent.clone(),
                        kind: Kind::User,
                        output: text.into_content(),
                        ..TraceStep::default()
                    };
                    walk.unit(self, || step);
                }
                Event::Reply { text, calls, .. } if calls.is_empty() && text.is_absent() => {}
                Event::Reply { text, calls, tokens } if calls.is_empty() => {
                    let step = TraceStep {
                        agent: agent.clone(),
                        kind: Kind::Summary,
                        output: text.into_content(),
                        tokens: used(tokens),
                        ..TraceStep::default()
                    };
                    walk.unit(self, || step);
                }
                Event::Reply { calls, tokens, .. } => {
                    walk.reply(self, calls, used(tokens), &agent);
                }
                Event::Result { id, tool, output, error } => {
                    if let Some(at) = walk.step_of(self, &id, &tool) {
                        self.set_output(at, output, error);
                    }
                }
            }
        }
    }

    /// An answer that is logged in parts may turn out to hold calls after its text was read. Returns the tokens of
    /// the text.
    fn take_back_text(&mut self, events: &[Event<'_>]) -> u64 {
        let calls =
            events.iter().any(|event| matches!(event, Event::Reply { calls, .. } if !calls.is_empty()));
        let text = self.steps.pop_if(|last| calls && last.kind == Kind::Summary);
        if text.is_some() {
            self.fingerprints.pop();
        }
        text.map_or(0, |text| text.tokens)
    }

    fn set_output(&mut self, at: usize, output: Raw<'_>, error: bool) {
        let step = &mut self.steps[at];
        // A later history may have replaced an old result by a note; the first one stands.
        if step.output == Content::Absent {
            step.output = output.into_content();
            step.error |= error;
        }
    }

    fn push(&mut self, step: TraceStep, unit: Unit) -> usize {
        let at = self.steps.len();
        if !step.id.is_empty() {
            self.calls.insert(step.id.clone(), at);
        }
        if unit.unique {
            self.unique_calls.insert(unit.fingerprint, at);
        }
        self.steps.push(step);
        self.fingerprints.push(unit.fingerprint);
        at
    }
}

/// Goes through the events of one body.
struct Walk<'u> {
    units: &'u [Unit],
    spots: &'u [Spot],
    next: usize,
    /// Calls of this body by id; the step is missing for those that were dropped.
    calls: HashMap<String, Option<usize>>,
    /// The steps of the latest reply that no result was matched with yet.
    unanswered: Vec<usize>,
    /// The first reply belongs to the turn before.
    continues_turn: bool,
}

impl<'u> Walk<'u> {
    fn new(units: &'u [Unit], spots: &'u [Spot], continues_turn: bool) -> Walk<'u> {
        Walk { units, spots, next: 0, calls: HashMap::new(), unanswered: Vec::new(), continues_turn }
    }

    /// The step of the next unit, made when it is new.
    fn unit(&mut self, conversation: &mut Conversation, step: impl FnOnce() -> TraceStep) -> Option<usize> {
        let at = self.next;
        self.next += 1;
        match self.spots[at] {
            Spot::Known(step) => Some(step),
            Spot::Dropped => None,
            Spot::New => Some(conversation.push(step(), self.units[at])),
        }
    }

    fn reply(
        &mut self,
        conversation: &mut Conversation,
        calls: Vec<Call<'_>>,
        mut tokens: u64,
        agent: &std::sync::Arc<str>,
    ) {
        let spots = &self.spots[self.next..self.next + calls.len()];
        let known_turn = spots.iter().find_map(|spot| match spot {
            Spot::Known(at) => conversation.steps[*at].turn,
            _ => None,
        });
        let turn = known_turn.unwrap_or_else(|| {
            if !self.continues_turn || conversation.turns == 0 {
                conversation.turns += 1;
            }
            conversation.turns
        });
        self.continues_turn = false;
        self.unanswered.clear();
        for call in calls {
            let tool = conversation.names.get(&call.tool);
            let step = TraceStep {
                agent: agent.clone(),
                tool,
                arguments: call.arguments.into_content(),
                turn: Some(turn),
                tokens,
                id: (&*call.id).into(),
                ..TraceStep::default()
            };
            if self.spots[self.next] == Spot::New {
                tokens = 0;
            }
            let at = self.unit(conversation, || step);
            if let Some(at) = at {
                conversation.set_output(at, call.output, call.error);
                self.unanswered.push(at);
            }
            if !call.id.is_empty() {
                self.calls.insert(call.id.into_owned(), at);
            }
        }
    }

    /// The step that a result belongs to.
    fn step_of(&mut self, conversation: &Conversation, id: &str, tool: &str) -> Option<usize> {
        if !id.is_empty() {
            let here = self.calls.get(id).copied();
            return here.unwrap_or_else(|| conversation.calls.get(id).copied());
        }
        if self.next == 0 && self.unanswered.is_empty() {
            let last = conversation.steps.iter().rposition(|step| step.kind == Kind::Tool)?;
            let turn = conversation.steps[last].turn;
            let first = conversation.steps.iter().rposition(|step| step.turn != turn).map_or(0, |at| at + 1);
            self.unanswered =
                (first..=last).filter(|at| conversation.steps[*at].output == Content::Absent).collect();
        }
        let matches = |at: &usize| tool.is_empty() || &*conversation.steps[*at].tool == tool;
        let found = self.unanswered.iter().position(matches)?;
        Some(self.unanswered.remove(found))
    }
}

/// Where the end of `known` recurs in `units` for longest: the end of that stretch and its length. The earliest
/// of several, since what follows counts as new.
fn overlap(known: &[u64], units: &[Unit]) -> (usize, usize) {
    // The Z algorithm over both sequences read backwards finds all stretches in linear time.
    let text: Vec<Option<u64>> = known
        .iter()
        .rev()
        .map(|known| Some(*known))
        .chain([None])
        .chain(units.iter().rev().map(|unit| Some(unit.fingerprint)))
        .collect();
    let lengths = z_function(&text);
    let from_end = &lengths[known.len() + 1..];
    let best = from_end.iter().enumerate().max_by_key(|(at, length)| (**length, *at));
    best.map_or((0, 0), |(at, length)| (units.len() - at, *length))
}

/// Of every position, how much of the start recurs there (D. Gusfield, Algorithms on Strings, 1997, section 1.4).
fn z_function(text: &[Option<u64>]) -> Vec<usize> {
    let mut lengths = vec![0; text.len()];
    let (mut left, mut right) = (0, 0);
    for at in 1..text.len() {
        let mut length = if at < right { lengths[at - left].min(right - at) } else { 0 };
        while at + length < text.len() && text[length] == text[at + length] {
            length += 1;
        }
        if at + length > right {
            (left, right) = (at, at + length);
        }
        lengths[at] = length;
    }
    lengths
}
