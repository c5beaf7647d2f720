//! Anthropic messages: request bodies, answers, and message arrays.
//!
//! `{"role": "assistant", "content": [{"type": "tool_use", "id", "name", "input"}]}` is answered by a user message
//! with `{"type": "tool_result", "tool_use_id", "content", "is_error"}`. Calls that the provider runs
//! (`server_tool_use`, `mcp_tool_use`) are answered in the same assistant message.

use crate::envelope::Dialect;
use crate::json::{self, Object};
use crate::message::{self, Answer, Call, Event, Raw, count_of, text_of};

pub(crate) const DIALECT: Dialect = Dialect {
    history_key: "messages",
    history,
    answer,
    is_message,
    expected: "a request with \"messages\", an answer with \"content\", or a message",
};

fn is_message(object: &Object<'_>) -> bool {
    object.has("role")
}

fn history(messages: &str) -> Vec<Event<'_>> {
    let mut events = Vec::new();
    for message in json::elements(messages).unwrap_or_else(|| vec![messages]) {
        let Some(message) = Object::parse(message) else { continue };
        match &*text_of(&message, "role") {
            "user" => user(message.get("content"), &mut events),
            "assistant" => assistant(message.get("content"), 0, &mut events),
            _ => {}
        }
    }
    events
}

fn answer<'a>(object: &Object<'a>) -> Option<Vec<Event<'a>>> {
    if text_of(object, "role") != "assistant" || !object.has("content") {
        return None;
    }
    let usage = object.get("usage").and_then(Object::parse).unwrap_or_default();
    // What was read from the cache or written to it is not part of `input_tokens`.
    let tokens = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"]
        .into_iter()
        .map(|key| count_of(&usage, key))
        .fold(0, u64::saturating_add);
    let mut events = Vec::new();
    assistant(object.get("content"), tokens, &mut events);
    Some(events)
}

fn user<'a>(content: Option<&'a str>, events: &mut Vec<Event<'a>>) {
    let Some(blocks) = content.and_then(json::elements) else {
        events.extend(message::without_reminders(Raw::json(content)).map(Event::User));
        return;
    };
    let results = events.len();
    events.extend(blocks.iter().filter_map(|block| result(&Object::parse(block)?)));
    let only_results = events.len() > results;
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| message::part_text(block))
        .filter(|text| message::without_reminders(Raw::Json(text)).is_some())
        .collect();
    let said = match content {
        // A picture without a word is input too, unless it comes with a result.
        Some(content) if texts.is_empty() && !only_results && has_other_than_text(&blocks) => {
            Raw::Json(content)
        }
        _ => message::joined(&texts),
    };
    events.extend(message::without_reminders(said).map(Event::User));
}

fn has_other_than_text(blocks: &[&str]) -> bool {
    blocks.iter().any(|block| message::part_text(block).is_none())
}

fn assistant<'a>(content: Option<&'a str>, tokens: u64, events: &mut Vec<Event<'a>>) {
    let Some(blocks) = content.and_then(json::elements) else {
        events.push(Event::Reply { text: Raw::json(content), calls: Vec::new(), tokens });
        return;
    };
    let mut answer = Answer::new(tokens);
    for block in blocks {
        let Some(object) = Object::parse(block) else { continue };
        if text_of(&object, "type").ends_with("tool_use") {
            answer.calls.push(Call {
                id: text_of(&object, "id"),
                tool: text_of(&object, "name"),
                arguments: Raw::json(object.get("input")),
                ..Call::default()
            });
        } else if let Some(result) = result(&object) {
            // The model goes on knowing the result: what follows is another answer.
            answer.end(events);
            events.push(result);
        } else {
            answer.texts.extend(message::part_text(block));
        }
    }
    answer.end(events);
}

/// `tool_result`, and `web_search_tool_result` and its like.
fn result<'a>(block: &Object<'a>) -> Option<Event<'a>> {
    if !text_of(block, "type").ends_with("tool_result") {
        return None;
    }
    let content = block.get("content");
    let failed =
        content.and_then(Object::parse).is_some_and(|content| text_of(&content, "type").ends_with("_error"));
    Some(Event::Result {
        id: text_of(block, "tool_use_id"),
        tool: text_of(block, "name"),
        output: message::tool_output(content),
        error: failed || block.get("is_error") == Some("true"),
    })
}
