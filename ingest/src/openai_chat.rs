//! OpenAI chat completions: request bodies, answers, and message arrays.
//!
//! `{"role": "assistant", "tool_calls": [{"id", "function": {"name", "arguments"}}]}` is answered by
//! `{"role": "tool", "tool_call_id", "content"}`; the older `function_call` is answered by role `function`.

use std::borrow::Cow;

use crate::envelope::Dialect;
use crate::json::{self, Object};
use crate::message::{self, Call, Event, Raw, count_of, text_of};

pub(crate) const DIALECT: Dialect = Dialect {
    history_key: "messages",
    history,
    answer,
    is_message,
    expected: "a request with \"messages\", an answer with \"choices\", or a message",
};

fn is_message(object: &Object<'_>) -> bool {
    object.has("role")
}

fn history(messages: &str) -> Vec<Event<'_>> {
    match json::elements(messages) {
        Some(messages) => messages.into_iter().filter_map(Object::parse).filter_map(|m| read(&m)).collect(),
        None => Object::parse(messages).and_then(|message| read(&message)).into_iter().collect(),
    }
}

fn read<'a>(message: &Object<'a>) -> Option<Event<'a>> {
    match &*text_of(message, "role") {
        "user" => message::without_reminders(message::text(message.get("content"))).map(Event::User),
        "assistant" => Some(reply(message, 0)),
        "tool" | "function" => Some(Event::Result {
            id: text_of(message, "tool_call_id"),
            tool: text_of(message, "name"),
            output: message.get("content").map_or(Raw::Absent, |content| message::tool_output(Some(content))),
            error: false,
        }),
        _ => None,
    }
}

fn reply<'a>(message: &Object<'a>, tokens: u64) -> Event<'a> {
    let mut calls: Vec<Call<'a>> = message
        .get("tool_calls")
        .and_then(json::elements)
        .unwrap_or_default()
        .into_iter()
        .filter_map(Object::parse)
        .map(|call| tool_call(&call))
        .collect();
    if let Some(function) = message.get("function_call").and_then(Object::parse) {
        calls.push(function_call(&function, Cow::default()));
    }
    let text = match message.get("content") {
        None => Raw::json(message.get("refusal")),
        content => message::text(content),
    };
    Event::Reply { text, calls, tokens }
}

fn tool_call<'a>(call: &Object<'a>) -> Call<'a> {
    let id = text_of(call, "id");
    for key in ["function", "custom"] {
        if let Some(function) = call.get(key).and_then(Object::parse) {
            return function_call(&function, id);
        }
    }
    function_call(call, id)
}

fn function_call<'a>(function: &Object<'a>, id: Cow<'a, str>) -> Call<'a> {
    let arguments = function.get("arguments").or_else(|| function.get("input"));
    Call { id, tool: text_of(function, "name"), arguments: Raw::json(arguments), ..Call::default() }
}

/// The first choice: others are alternatives that were not taken.
fn answer<'a>(object: &Object<'a>) -> Option<Vec<Event<'a>>> {
    let choices = object.get("choices").and_then(json::elements)?;
    let usage = object.get("usage").and_then(Object::parse).unwrap_or_default();
    let total = count_of(&usage, "total_tokens");
    let tokens = if total > 0 {
        total
    } else {
        count_of(&usage, "prompt_tokens") + count_of(&usage, "completion_tokens")
    };
    let message = choices
        .first()
        .and_then(|choice| Object::parse(choice))
        .and_then(|c| Object::parse(c.get("message")?));
    Some(message.map(|message| reply(&message, tokens)).into_iter().collect())
}
