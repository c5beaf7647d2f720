//! OpenAI Responses: `input` and `output` arrays of items.
//!
//! `{"type": "function_call", "call_id", "name", "arguments"}` is answered by `{"type": "function_call_output",
//! "call_id", "output"}`; calls that the provider runs (`web_search_call`, `mcp_call`, …) hold their own result.
//! Items of the model that follow each other are one answer.

use crate::envelope::Dialect;
use crate::json::{self, Object};
use crate::message::{self, Answer, Call, Event, Raw, count_of, text_of};

/// Calls that the provider runs and may not show the result of.
const HOSTED: [&str; 3] = ["web_search_call", "file_search_call", "code_interpreter_call"];

pub(crate) const DIALECT: Dialect = Dialect {
    history_key: "input",
    history,
    answer,
    is_message,
    expected: "a request with \"input\", an answer with \"output\", or an item",
};

fn is_message(object: &Object<'_>) -> bool {
    let kind = text_of(object, "type");
    object.has("role") || object.has("call_id") || kind.ends_with("_call")
}

fn history(input: &str) -> Vec<Event<'_>> {
    if input.starts_with('"') {
        return message::without_reminders(Raw::Json(input)).map(Event::User).into_iter().collect();
    }
    items(json::elements(input).unwrap_or_else(|| vec![input]), 0)
}

fn answer<'a>(object: &Object<'a>) -> Option<Vec<Event<'a>>> {
    let output = object.get("output").and_then(json::elements)?;
    if object.has("role") || object.has("call_id") {
        return None;
    }
    let usage = object.get("usage").and_then(Object::parse).unwrap_or_default();
    let total = count_of(&usage, "total_tokens");
    let tokens =
        if total > 0 { total } else { count_of(&usage, "input_tokens") + count_of(&usage, "output_tokens") };
    Some(items(output, tokens))
}

fn items<'a>(items: Vec<&'a str>, tokens: u64) -> Vec<Event<'a>> {
    let mut events = Vec::new();
    let mut answer = Answer::new(tokens);
    for item in items {
        let Some(item) = Object::parse(item) else { continue };
        let kind = text_of(&item, "type");
        if kind.ends_with("_output") {
            answer.end(&mut events);
            events.push(result(&item));
        } else if kind.ends_with("_call") || kind == "program" {
            let call = call(&item, &kind);
            let is_answered = !call.output.is_absent() || HOSTED.contains(&&*kind);
            answer.calls.push(call);
            if is_answered {
                // The model goes on knowing the result: what follows is another answer.
                answer.end(&mut events);
            }
        } else if item.has("role") {
            match &*text_of(&item, "role") {
                "assistant" => answer.texts.extend(texts(item.get("content"))),
                "user" => {
                    answer.end(&mut events);
                    let text = message::without_reminders(message::text(item.get("content")));
                    events.extend(text.map(Event::User));
                }
                _ => {}
            }
        }
    }
    answer.end(&mut events);
    events
}

fn texts(content: Option<&str>) -> Vec<&str> {
    match content {
        Some(content) => match json::elements(content) {
            Some(parts) => parts.into_iter().filter_map(message::part_text).collect(),
            None => vec![content],
        },
        None => Vec::new(),
    }
}

fn call<'a>(item: &Object<'a>, kind: &str) -> Call<'a> {
    let first = |keys: &[&str]| keys.iter().find_map(|key| item.get(key));
    let name = text_of(item, "name");
    let error = item.get("error").is_some() || text_of(item, "status") == "failed";
    Call {
        id: first(&["call_id", "id"]).and_then(json::string).unwrap_or_default(),
        tool: if name.is_empty() {
            kind.strip_suffix("_call").unwrap_or(kind).to_string().into()
        } else {
            name
        },
        arguments: Raw::json(first(&[
            "arguments",
            "input",
            "action",
            "operation",
            "queries",
            "code",
            "prompt",
        ])),
        output: Raw::json(first(&["output", "results", "outputs", "error"])),
        error,
    }
}

fn result<'a>(item: &Object<'a>) -> Event<'a> {
    let id = ["call_id", "id"].iter().find_map(|key| item.get(key)).and_then(json::string);
    let output = item.get("output").or_else(|| item.get("result"));
    Event::Result {
        id: id.unwrap_or_default(),
        tool: text_of(item, "name"),
        output: message::tool_output(output),
        error: text_of(item, "status") == "failed",
    }
}
