//! Of each span, what a step can be made of. Conventions differ in names, not in kind: each fact has a list of
//! attributes that may hold it.

use std::borrow::Cow;

use super::wire::{Attributes, WireSpan};
use crate::json::{self, Object};
use crate::message::{self, text_of};
use crate::trace::Content;

/// How OpenInference writes what was hidden.
const HIDDEN: &str = "\"__REDACTED__\"";

/// What a span stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A tool call.
    Tool,
    /// A search in documents: a tool call, unless it is inside one.
    Retrieval,
    /// A run of an agent.
    Agent,
    /// A call of a model.
    Model,
    /// Anything else: it only connects others.
    Other,
}

/// A span that owns its text.
pub(super) struct Span {
    pub(super) id: Box<str>,
    pub(super) parent: Box<str>,
    pub(super) start: u64,
    pub(super) end: u64,
    /// Place in the file.
    pub(super) position: usize,
    pub(super) role: Role,
    /// The tool's name; of an agent, the name to fall back on.
    pub(super) name: Box<str>,
    pub(super) agent_id: Option<Box<str>>,
    pub(super) agent_name: Option<Box<str>>,
    /// Of a tool or an agent.
    pub(super) call: Call,
    pub(super) tokens: u64,
    /// The model's answer that this span is, or was started by.
    pub(super) response: Box<str>,
    /// The ids of the calls that a model asked for.
    pub(super) asked: Vec<Box<str>>,
    /// The text of a model that asked for no call.
    pub(super) text: Content,
}

/// What was asked of a tool or an agent, and what came back.
#[derive(Default)]
pub(super) struct Call {
    /// The model's id of it; empty when it was not recorded.
    pub(super) id: Box<str>,
    pub(super) is_mcp: bool,
    pub(super) arguments: Content,
    pub(super) output: Content,
    pub(super) error: bool,
    pub(super) redacted: bool,
}

impl Call {
    /// Fills in what another report of the same call knows.
    pub(super) fn learn(&mut self, other: Call) {
        if self.arguments == Content::Absent {
            self.arguments = other.arguments;
        }
        if self.output == Content::Absent {
            self.output = other.output;
            self.error |= other.error;
            self.redacted |= other.redacted;
        }
        if self.id.is_empty() {
            self.id = other.id;
        }
    }
}

impl Span {
    pub(super) fn new(wire: &WireSpan<'_>, position: usize) -> Span {
        let attributes = wire.attributes();
        let name = wire.name.as_deref().unwrap_or("");
        let (start, end) = wire.times();
        let role = role(&attributes, name);
        let mut span = Span {
            id: wire.span_id().into(),
            parent: wire.parent_id().into(),
            start,
            end,
            position,
            role,
            name: Box::from(""),
            agent_id: attributes.text(&["gen_ai.agent.id"]).map(Into::into),
            agent_name: agent_name(&attributes, role).map(Into::into),
            call: Call::default(),
            tokens: 0,
            response: Box::from(""),
            asked: Vec::new(),
            text: Content::Absent,
        };
        match role {
            Role::Tool | Role::Retrieval => span.read_tool(wire, &attributes, name),
            Role::Agent => span.read_agent(wire, &attributes, name),
            Role::Model => span.read_model(&attributes),
            Role::Other => {}
        }
        span
    }

    pub(super) fn is_of_agent(&self) -> bool {
        self.role != Role::Other
    }

    fn read_tool(&mut self, wire: &WireSpan<'_>, attributes: &Attributes<'_>, name: &str) {
        const NAMES: [&str; 5] =
            ["gen_ai.tool.name", "tool.name", "mcp.tool.name", "ai.toolCall.name", "traceloop.entity.name"];
        const IDS: [&str; 4] = ["gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id"];
        const ARGUMENTS: [&str; 8] = [
            "gen_ai.tool.call.arguments",
            "input.value",
            "tool.parameters",
            "ai.toolCall.args",
            "langfuse.observation.input",
            "mcp.request.argument",
            "traceloop.entity.input",
            "gen_ai.retrieval.query.text",
        ];
        let named = attributes.text(&NAMES);
        self.name =
            named.unwrap_or_else(|| behind(name, &["execute_tool ", "tools/call "]).to_string()).into();
        self.call.id = attributes.text(&IDS).unwrap_or_default().into();
        self.call.is_mcp = attributes.text(&["mcp.method.name"]).is_some();
        self.call.arguments = Content::json(attributes.json(&ARGUMENTS).as_deref());
        self.response = attributes.text(&["gen_ai.response.id"]).unwrap_or_default().into();
        self.read_outcome(wire, attributes);
    }

    fn read_agent(&mut self, wire: &WireSpan<'_>, attributes: &Attributes<'_>, name: &str) {
        const TASKS: [&str; 4] =
            ["gen_ai.input.messages", "input.value", "langfuse.observation.input", "traceloop.entity.input"];
        self.name = behind(name, &["invoke_agent "]).into();
        self.call.arguments = Content::json(attributes.json(&TASKS).as_deref());
        self.read_outcome(wire, attributes);
    }

    fn read_outcome(&mut self, wire: &WireSpan<'_>, attributes: &Attributes<'_>) {
        const OUTPUTS: [&str; 8] = [
            "gen_ai.tool.call.result",
            "gen_ai.output.messages",
            "output.value",
            "ai.toolCall.result",
            "langfuse.observation.output",
            "mcp.response.value",
            "traceloop.entity.output",
            "gen_ai.retrieval.documents",
        ];
        let (failed, message) = wire.status();
        let level = attributes.text(&["langfuse.observation.level"]);
        self.call.error = failed
            || attributes.json(&["error.type", "exception.type", "exception.message"]).is_some()
            || level.is_some_and(|level| level == "ERROR");
        let output = attributes.json(&OUTPUTS);
        self.call.redacted = output.as_deref() == Some(HIDDEN);
        self.call.output = Content::json(output.as_deref());
        if self.call.output == Content::Absent && self.call.error {
            // What went wrong is what the agent was told.
            let told = attributes.json(&["exception.message", "langfuse.observation.status_message"]);
            self.call.output =
                Content::json(told.as_deref().or(message.filter(|message| *message != "\"\"")));
        }
    }

    fn read_model(&mut self, attributes: &Attributes<'_>) {
        self.tokens = attributes.count(&[
            &["llm.token_count.total"],
            &["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"],
            &["gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens"],
            &["llm.token_count.prompt", "llm.token_count.completion"],
            &["llm.usage.total_tokens"],
            &["ai.usage.inputTokens", "ai.usage.outputTokens"],
            &["ai.usage.promptTokens", "ai.usage.completionTokens"],
        ]);
        self.response = attributes.text(&["gen_ai.response.id", "ai.response.id"]).unwrap_or_default().into();
        let answer = Answer::of(attributes);
        self.text = if answer.calls { Content::Absent } else { answer.text };
        self.asked = answer.asked;
    }
}

fn role(attributes: &Attributes<'_>, name: &str) -> Role {
    const KINDS: [&str; 6] = [
        "gen_ai.operation.name",
        "openinference.span.kind",
        "traceloop.span.kind",
        "langfuse.observation.type",
        "ai.operationId",
        "mcp.method.name",
    ];
    let role = KINDS.iter().find_map(|key| {
        let kind = attributes.text(&[key])?;
        Some(match &*kind.to_ascii_lowercase() {
            "execute_tool" | "tool" | "tools/call" | "ai.toolcall" => Role::Tool,
            "retriever" | "retrieval" => Role::Retrieval,
            "invoke_agent" | "agent" => Role::Agent,
            "chat" | "generate_content" | "text_completion" | "llm" | "generation" => Role::Model,
            kind if kind.starts_with("ai.") && kind.contains(".do") => Role::Model,
            _ => return None,
        })
    });
    let by_name = || match attributes.text(&["gen_ai.tool.name", "tool.name", "ai.toolCall.name"]) {
        Some(_) => Role::Tool,
        None if name.starts_with("execute_tool ") => Role::Tool,
        None if name.starts_with("invoke_agent ") => Role::Agent,
        None => Role::Other,
    };
    role.unwrap_or_else(by_name)
}

fn agent_name(attributes: &Attributes<'_>, role: Role) -> Option<String> {
    const NAMES: [&str; 4] = ["gen_ai.agent.name", "agent.name", "graph.node.id", "ai.telemetry.functionId"];
    attributes.text(&NAMES).or_else(|| match role {
        Role::Agent => attributes.text(&["traceloop.entity.name"]),
        _ => None,
    })
}

/// A span's name without the operation in front of it.
fn behind<'n>(name: &'n str, operations: &[&str]) -> &'n str {
    operations.iter().find_map(|operation| name.strip_prefix(operation)).unwrap_or(name)
}

/// What a model answered.
#[derive(Default)]
struct Answer {
    text: Content,
    calls: bool,
    asked: Vec<Box<str>>,
}

impl Answer {
    fn of(attributes: &Attributes<'_>) -> Answer {
        let mut answer = Answer::default();
        if let Some(reasons) = attributes.json(&["gen_ai.response.finish_reasons"]) {
            answer.calls = reasons.contains("tool");
        }
        if let Some(messages) = attributes.json(&["gen_ai.output.messages"]) {
            answer.read_messages(&messages);
            return answer;
        }
        let mut texts: Vec<Cow<'_, str>> = Vec::new();
        let flat = attributes.under("llm.output_messages.").chain(attributes.under("gen_ai.completion.0."));
        for (key, value) in flat {
            if key.contains("tool_calls.") || key.contains("function_call") {
                answer.calls = true;
                if key.ends_with("tool_call.id") || (key.starts_with("tool_calls.") && key.ends_with(".id")) {
                    answer.asked.extend(json::string(&value).map(|id| Box::from(&*id)));
                }
            } else if key == "content"
                || key.ends_with("message.content")
                || key.ends_with("message_content.text")
            {
                texts.push(value);
            }
        }
        if let Some(calls) = attributes.text(&["ai.response.toolCalls"]) {
            answer.calls |= calls != "[]";
        }
        texts.extend(attributes.json(&["ai.response.text"]));
        answer.set_text(&texts.iter().map(|text| &**text).collect::<Vec<_>>());
        answer
    }

    /// `[{"role": "assistant", "parts": [{"type": "text", "content": …}, {"type": "tool_call", …}]}]`, as a value or
    /// as a string that holds it.
    fn read_messages(&mut self, messages: &str) {
        let decoded = json::string(messages);
        let messages = json::elements(decoded.as_deref().unwrap_or(messages)).unwrap_or_default();
        let mut texts = Vec::new();
        for message in messages.into_iter().filter_map(Object::parse) {
            let calls = message.get("tool_calls").and_then(json::elements).unwrap_or_default();
            let parts = ["parts", "content"].iter().find_map(|key| json::elements(message.get(key)?));
            for part in parts.unwrap_or_default().into_iter().chain(calls) {
                let Some(object) = Object::parse(part) else { continue };
                let kind = text_of(&object, "type");
                if matches!(&*kind, "tool_call" | "tool_use" | "function_call") || object.has("function") {
                    self.calls = true;
                    self.asked.push((&*text_of(&object, "id")).into());
                } else {
                    texts.extend(message::part_text(part));
                }
            }
            texts.extend(message.get("content").filter(|content| content.starts_with('"')));
        }
        self.set_text(&texts);
    }

    fn set_text(&mut self, texts: &[&str]) {
        let said: Vec<&str> = texts.iter().copied().filter(|text| text.starts_with('"')).collect();
        self.text = message::joined(&said).into_content();
    }
}
