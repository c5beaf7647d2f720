//! One task of one or more agents: a session for each agent, and the boundaries that they share.

use std::collections::HashMap;
use std::sync::Arc;

use crate::finding::Finding;
use crate::json::{Scanner, Token};
use crate::policy::Options;
use crate::session::{Keys, Scratch, Session};
use crate::step::{Kind, Payload, Step};

/// The sessions of one workflow. Numbers its steps from 0, user steps included.
pub struct Workflow {
    id: Box<str>,
    options: Arc<Options>,
    keys: Keys,
    /// In the order of their first step, so that findings of one step come in a fixed order.
    sessions: Vec<Session>,
    by_agent: HashMap<Box<str>, usize>,
    last_user_text: Option<Box<[u8]>>,
    steps: u64,
    changed: Vec<Finding>,
}

impl Workflow {
    /// A workflow without steps.
    ///
    /// # Panics
    /// When `options` are invalid ([`Options::validate`]).
    pub fn new(id: &str, options: Arc<Options>, keys: Keys) -> Self {
        options.validate().expect("options were validated");
        Workflow {
            id: id.into(),
            options,
            keys,
            sessions: Vec::new(),
            by_agent: HashMap::new(),
            last_user_text: None,
            steps: 0,
            changed: Vec::new(),
        }
    }

    /// Takes in the next step, by `agent`. Returns the findings that are new or have grown with it.
    pub fn record(&mut self, scratch: &mut Scratch, agent: &str, step: &Step<'_>) -> &[Finding] {
        self.changed.clear();
        let index = self.steps;
        self.steps += 1;
        if step.kind == Kind::User {
            if self.is_new_input(step.output) {
                self.each_session(|session| session.boundary(index));
            }
            return &self.changed;
        }
        let place = match self.by_agent.get(agent) {
            Some(place) => *place,
            None => {
                let session = Session::new(self.options.clone(), self.keys.clone(), &self.id, agent);
                self.sessions.push(session);
                self.by_agent.insert(agent.into(), self.sessions.len() - 1);
                self.sessions.len() - 1
            }
        };
        let session = &mut self.sessions[place];
        session.record(scratch, index, step);
        self.changed.extend_from_slice(session.changed());
        &self.changed
    }

    /// The workflow is over. Returns the findings that only its end makes certain.
    pub fn finish(&mut self) -> &[Finding] {
        self.changed.clear();
        let last = self.steps.saturating_sub(1);
        self.each_session(|session| session.finish(last));
        &self.changed
    }

    /// Steps so far, user steps included.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn each_session(&mut self, mut act: impl FnMut(&mut Session)) {
        for session in &mut self.sessions {
            act(session);
            self.changed.extend_from_slice(session.changed());
        }
    }

    /// An automatic "continue" repeats the user's last text: nothing came from outside.
    fn is_new_input(&mut self, text: Payload<'_>) -> bool {
        let text = plain_text(text);
        let new = text.is_none() || text != self.last_user_text;
        self.last_user_text = text;
        new
    }
}

fn plain_text(payload: Payload<'_>) -> Option<Box<[u8]>> {
    match payload {
        Payload::Absent => None,
        Payload::Text(text) => Some(text.into()),
        Payload::Json(json) => {
            let mut scanner = Scanner::new(json, 1);
            match scanner.next_token() {
                Ok(Some(Token::Null)) => None,
                Ok(Some(Token::String(text))) => {
                    let mut decoded = Vec::new();
                    text.decode_into(&mut decoded);
                    Some(decoded.into())
                }
                _ => Some(json.into()),
            }
        }
    }
}
