//! A first reading of plain traces: one JSON trace, or one a line.

use std::path::Path;

use wheelspin::json::{DEPTH_LIMIT, Scanner, Token};
use wheelspin::step::{Kind, Payload, Step};

use crate::json::{Value, members};

/// A trace, owned.
#[derive(Debug)]
pub struct Trace {
    pub id: String,
    pub config: Option<Vec<u8>>,
    pub steps: Vec<TraceStep>,
}

/// A step, owned.
#[derive(Debug, Default)]
pub struct TraceStep {
    pub agent: String,
    kind: Option<Kind>,
    tool: String,
    arguments: Vec<u8>,
    output: Option<(bool, Vec<u8>)>,
    error: bool,
    turn: Option<u64>,
    redacted: bool,
    truncated: bool,
    progress: bool,
    tokens: u64,
    id: String,
}

impl TraceStep {
    pub fn as_step(&self) -> Step<'_> {
        Step {
            kind: self.kind.unwrap_or(Kind::Tool),
            tool: &self.tool,
            arguments: match self.arguments.as_slice() {
                b"" => Payload::Absent,
                json => Payload::Json(json),
            },
            output: match &self.output {
                None => Payload::Absent,
                Some((true, text)) => Payload::Text(text),
                Some((false, json)) => Payload::Json(json),
            },
            error: self.error,
            turn: self.turn,
            redacted: self.redacted,
            truncated: self.truncated,
            progress: self.progress,
            tokens: self.tokens,
            id: &self.id,
        }
    }
}

/// Every trace of a file, or what is wrong with a line of it.
pub fn read(path: &Path) -> Result<Vec<Result<Trace, String>>, String> {
    let name = path.display();
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| format!("{name}: {error}"))?;
    let fallback = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    if let Ok(trace) = trace(&bytes, &fallback) {
        return Ok(vec![Ok(trace)]);
    }
    Ok(bytes
        .split(|byte| *byte == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(number, line)| {
            trace(line, &format!("{fallback}:{}", number + 1))
                .map_err(|error| format!("{name}:{}: {error}", number + 1))
        })
        .collect())
}

fn trace(bytes: &[u8], fallback: &str) -> Result<Trace, String> {
    let mut trace = Trace { id: fallback.to_string(), config: None, steps: Vec::new() };
    let mut found = false;
    for (name, value) in members(bytes).map_err(|error| error.to_string())? {
        match name.as_slice() {
            b"trace_id" | b"id" => trace.id = lossy(&value),
            b"config" => trace.config = Some(value.raw.to_vec()),
            b"steps" => {
                found = true;
                for element in elements(value.raw)? {
                    trace.steps.push(step(element)?);
                }
            }
            _ => {}
        }
    }
    if found { Ok(trace) } else { Err("expected `steps`".to_string()) }
}

fn elements(array: &[u8]) -> Result<Vec<&[u8]>, String> {
    let mut scanner = Scanner::new(array, DEPTH_LIMIT);
    let fault = |error: wheelspin::json::Error| error.to_string();
    if scanner.next_token().map_err(fault)? != Some(Token::ArrayStart) {
        return Err("expected `steps` to be an array".to_string());
    }
    let mut elements = Vec::new();
    loop {
        let from = scanner.offset();
        match scanner.next_token().map_err(fault)? {
            None => return Ok(elements),
            Some(Token::ArrayEnd) => {}
            Some(first) => {
                scanner.skip_rest_of(first).map_err(fault)?;
                let text = array[from..scanner.offset()].trim_ascii();
                elements.push(text.strip_prefix(b",").unwrap_or(text));
            }
        }
    }
}

fn step(bytes: &[u8]) -> Result<TraceStep, String> {
    let mut step = TraceStep::default();
    let mut kind = Vec::new();
    for (name, value) in members(bytes).map_err(|error| error.to_string())? {
        let yes = value.raw == b"true";
        let number = || std::str::from_utf8(value.raw).ok()?.parse().ok();
        match name.as_slice() {
            b"agent" => step.agent = lossy(&value),
            b"kind" => kind = value.text.unwrap_or_default(),
            b"tool" => step.tool = lossy(&value),
            b"args" => step.arguments = value.raw.to_vec(),
            b"output" if value.raw != b"null" => {
                step.output = Some((value.text.is_some(), value.text.unwrap_or(value.raw.to_vec())));
            }
            b"error" => step.error = yes,
            b"turn" => step.turn = number(),
            b"redacted" => step.redacted = yes,
            b"truncated" => step.truncated = yes,
            b"progress" => step.progress = yes,
            b"tokens" => step.tokens = number().unwrap_or(0),
            b"id" => step.id = lossy(&value),
            _ => {}
        }
    }
    step.kind = Some(match kind.as_slice() {
        b"delegation" => Kind::Delegation,
        b"summary" => Kind::Summary,
        b"user" => Kind::User,
        b"message" if step.agent == "user" => Kind::User,
        b"message" => Kind::Summary,
        _ => Kind::Tool,
    });
    Ok(step)
}

fn lossy(value: &Value<'_>) -> String {
    String::from_utf8_lossy(value.text.as_deref().unwrap_or(value.raw)).into_owned()
}
