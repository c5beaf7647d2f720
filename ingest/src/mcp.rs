//! Logs of MCP messages: JSON-RPC 2.0, one a line, bare, wrapped in a record, or behind a log's prefix.
//!
//! A `tools/call` request is a step; the message that answers its id is its output. What belongs to one call is one
//! step: polls of a task, the rounds in which a server asks for more input, and a message that was logged twice.

use std::collections::{HashMap, HashSet};

use crate::json::{self, Object};
use crate::message::text_of;
use crate::trace::{Content, Names, Trace, TraceStep};

/// Levels of wrapping that are looked through.
const DEPTH: usize = 4;
/// Places in a line at which JSON may begin behind a prefix.
const PREFIX_TRIES: usize = 16;
/// Members of a record, or headers, that name the session.
const SESSION_KEYS: [&str; 5] = ["session_id", "sessionid", "mcp_session_id", "mcp-session-id", "session"];
/// Members of a record that name who was authenticated.
const AGENT_KEYS: [&str; 4] = ["agent", "agent_id", "agent_name", "principal"];

/// The JSON in a log line, behind whatever stands before it.
pub(crate) fn json_in(line: &[u8]) -> Option<&[u8]> {
    let starts = memchr::memchr2_iter(b'{', b'[', line).take(PREFIX_TRIES);
    starts.map(|start| &line[start..]).find_map(|rest| {
        let value = &rest[..json::value_length(rest).ok()?];
        memchr::memchr(b'"', value).map(|_| value)
    })
}

/// Whether an object is a JSON-RPC message. A log's own record may have a `method` (of HTTP) too.
pub(crate) fn is_message(object: &Object<'_>) -> bool {
    let answers = object.has("id") && (object.has("result") || object.has("error"));
    let asks = text_of(object, "method").contains('/') && (object.has("params") || object.has("id"));
    answers || asks || (object.has("jsonrpc") && object.has("method"))
}

/// The sessions of one log.
#[derive(Default)]
pub(crate) struct Sessions {
    sessions: Vec<Session>,
    by_key: HashMap<Option<String>, usize>,
}

/// What the records around a message say about it.
#[derive(Clone, Default)]
struct Around {
    session: Option<String>,
    agent: Option<String>,
}

impl Sessions {
    /// Reads all messages in one value; false when there are none.
    pub(crate) fn read(&mut self, text: &str) -> bool {
        self.look(text, &Around::default(), DEPTH)
    }

    /// The sessions as traces; `name` is the file's, for messages outside of any session.
    pub(crate) fn finish(self, name: &str) -> Vec<Trace> {
        let called = self.sessions.iter().any(|session| !session.steps.is_empty());
        let keep = |session: &Session| !called || !session.steps.is_empty();
        self.sessions
            .into_iter()
            .filter(keep)
            .map(|session| Trace {
                id: session.key.unwrap_or_else(|| name.to_string()),
                steps: session.steps,
                config: None,
            })
            .collect()
    }

    fn look(&mut self, text: &str, around: &Around, depth: usize) -> bool {
        if text.starts_with('"') {
            // Some logs hold the message as text.
            let Some(inner) = json::string(text).filter(|inner| inner.contains("jsonrpc")) else {
                return false;
            };
            let Some(inner) = json_in(inner.as_bytes()).and_then(|inner| json::utf8(inner).ok()) else {
                return false;
            };
            return depth > 0 && self.look(inner, around, depth - 1);
        }
        if let Some(elements) = json::elements(text) {
            let mut found = false;
            for element in elements {
                found |= depth > 0 && self.look(element, around, depth - 1);
            }
            return found;
        }
        let Some(object) = Object::parse(text) else { return false };
        if is_message(&object) {
            self.session(around).message(&object, around.agent.as_deref().unwrap_or(""));
            return true;
        }
        if depth == 0 {
            return false;
        }
        let around = around.with(&object);
        let (requests, others): (Vec<_>, Vec<_>) =
            object.members().partition(|(key, _)| key.to_ascii_lowercase().starts_with("req"));
        let mut found = false;
        for (_, value) in requests.into_iter().chain(others) {
            found |= matches!(value.as_bytes().first(), Some(b'{' | b'[' | b'"'))
                && self.look(value, &around, depth - 1);
        }
        found
    }

    fn session(&mut self, around: &Around) -> &mut Session {
        let at = *self.by_key.entry(around.session.clone()).or_insert_with(|| {
            self.sessions.push(Session { key: around.session.clone(), ..Session::default() });
            self.sessions.len() - 1
        });
        &mut self.sessions[at]
    }
}

impl Around {
    fn with(&self, object: &Object<'_>) -> Around {
        let named = |keys: &[&str]| {
            object.members().find_map(|(key, value)| {
                let known = keys.contains(&&*key.to_ascii_lowercase());
                let text = if known { json::string(value)? } else { return None };
                (!text.is_empty()).then(|| text.into_owned())
            })
        };
        let headers = object
            .members()
            .filter(|(key, _)| key.to_ascii_lowercase().ends_with("headers"))
            .find_map(|(_, headers)| Around::default().with(&Object::parse(headers)?).session);
        Around {
            session: named(&SESSION_KEYS).or(headers).or_else(|| self.session.clone()),
            agent: named(&AGENT_KEYS).or_else(|| self.agent.clone()),
        }
    }
}

/// One session while its messages are read.
#[derive(Default)]
struct Session {
    key: Option<String>,
    steps: Vec<TraceStep>,
    names: Names,
    /// Calls that wait for an answer, by the id of the latest message about them.
    waiting: HashMap<Box<str>, usize>,
    /// Other requests that wait for an answer: their ids may be those of calls, since each side counts its own.
    others: HashSet<Box<str>>,
    /// Calls that became tasks, by task id.
    tasks: HashMap<String, usize>,
    /// Calls for which the server wants more input.
    unfinished: Vec<usize>,
}

impl Session {
    fn message(&mut self, message: &Object<'_>, agent: &str) {
        let id = message.get("id");
        if message.has("method") {
            let Some(id) = id else { return };
            let params = message.get("params").and_then(Object::parse).unwrap_or_default();
            match &*text_of(message, "method") {
                "tools/call" => self.call(id, &params, agent),
                "tasks/get" | "tasks/result" => {
                    if let Some(step) = self.tasks.get(&*text_of(&params, "taskId")) {
                        self.waiting.insert(id.into(), *step);
                    }
                }
                _ => {
                    self.others.insert(id.into());
                }
            }
            return;
        }
        let Some(id) = id else { return };
        let result = message.get("result").and_then(Object::parse);
        let is_call_result = result.as_ref().is_some_and(is_call_result);
        if self.others.contains(id) && !is_call_result {
            self.others.remove(id);
            return;
        }
        let Some(step) = self.waiting.remove(id) else { return };
        match result {
            Some(result) => self.result(step, &result, message.get("result")),
            None => self.answer(
                step,
                message.get("error").or_else(|| message.get("result")),
                message.has("error"),
            ),
        }
    }

    fn call(&mut self, id: &str, params: &Object<'_>, agent: &str) {
        let agent = self.names.get(agent);
        let tool = self.names.get(&text_of(params, "name"));
        let arguments = Content::json(params.get("arguments"));
        let same = |step: &TraceStep| step.tool == tool && step.arguments == arguments;
        if params.has("inputResponses") || params.has("requestState") {
            let round = self.unfinished.iter().rposition(|step| same(&self.steps[*step]));
            if let Some(round) = round {
                let step = self.unfinished.remove(round);
                self.waiting.insert(id.into(), step);
                return;
            }
        }
        if self.waiting.get(id).is_some_and(|step| same(&self.steps[*step])) {
            return;
        }
        self.waiting.insert(id.into(), self.steps.len());
        let id = json::string(id).map_or_else(|| id.into(), |id| id.into_owned().into());
        self.steps.push(TraceStep { agent, tool, arguments, id, ..TraceStep::default() });
    }

    fn result(&mut self, step: usize, result: &Object<'_>, raw: Option<&str>) {
        // A finished task carries the answer of its call.
        let inner = result.get("task").and_then(Object::parse);
        let task = inner.as_ref().unwrap_or(result);
        let task_id = text_of(task, "taskId");
        if !task_id.is_empty() && !result.has("content") {
            self.tasks.insert(task_id.into_owned(), step);
            let error = task.get("error").or_else(|| result.get("error"));
            match task.get("result").or_else(|| result.get("result")).or(error) {
                Some(answer) => self.answer(step, Some(answer), error.is_some() || is_error(answer)),
                None if matches!(&*text_of(task, "status"), "failed" | "cancelled") => {
                    self.answer(step, raw, true)
                }
                None => {}
            }
            return;
        }
        let kind = text_of(result, "resultType");
        if !kind.is_empty() && kind != "complete" {
            self.unfinished.push(step);
            return;
        }
        self.answer(step, raw, result.get("isError") == Some("true"));
    }

    fn answer(&mut self, step: usize, output: Option<&str>, error: bool) {
        let step = &mut self.steps[step];
        step.output = Content::json(output);
        step.error = error;
    }
}

/// Whether a result can be that of a call; sampling has `content` as well, with the `role` that says it.
fn is_call_result(result: &Object<'_>) -> bool {
    let of_call = ["content", "structuredContent", "isError", "task", "taskId", "resultType"];
    of_call.iter().any(|key| result.has(key)) && !result.has("role")
}

fn is_error(answer: &str) -> bool {
    Object::parse(answer).is_some_and(|answer| answer.get("isError") == Some("true"))
}
