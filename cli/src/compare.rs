//! `wheelspin compare`: pairs of results in, the same in substance or not out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use wheelspin::evidence::{Evidence, Judge};
use wheelspin::policy::Options;
use wheelspin::step::{Payload, Step};

use crate::args::CompareArgs;
use crate::exit::{Failure, Status, problem};
use crate::{json, policy};

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a RawValue,
    same: bool,
    evidence: &'static str,
    similarity: f32,
    why: String,
}

/// One pair to judge.
#[derive(Default)]
struct Pair<'a> {
    id: Option<&'a str>,
    tool: String,
    a: Option<json::Value<'a>>,
    b: Option<json::Value<'a>>,
}

/// Runs the command.
///
/// # Errors
/// When nothing could be done at all: the policy or the input cannot be read, or nobody reads the output.
pub fn run(args: &CompareArgs) -> Result<Status, Failure> {
    let options = policy::load(args.policy.as_deref()).map_err(Failure::Unusable)?;
    let name = args.file.display();
    let unreadable = |error: io::Error| Failure::Unusable(format!("{name}: {error}"));
    let mut input = open(&args.file).map_err(unreadable)?;
    let mut judge = Judge::new(options.similarity);
    let mut out = BufWriter::new(io::stdout().lock());
    let mut status = Status::Fine;
    let (mut line, mut number) = (Vec::new(), 0_u64);
    while input.read_until(b'\n', &mut line).map_err(unreadable)? > 0 {
        number += 1;
        if !line.trim_ascii().is_empty() {
            match pair(&line) {
                Ok(pair) => {
                    serde_json::to_writer(&mut out, &answer(&mut judge, &options, &pair)?)?;
                    out.write_all(b"\n")?;
                }
                Err(message) => {
                    problem(&format!("{name}:{number}: {message}"));
                    status.raise(Status::Unusable);
                }
            }
        }
        line.clear();
    }
    out.flush()?;
    Ok(status)
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::new(File::open(path)?)))
}

fn pair(line: &[u8]) -> Result<Pair<'_>, String> {
    let mut pair = Pair::default();
    for (name, value) in json::members(line).map_err(|error| error.to_string())? {
        match name.as_slice() {
            b"id" => pair.id = std::str::from_utf8(value.raw).ok(),
            b"tool" => pair.tool = String::from_utf8_lossy(&value.text.unwrap_or_default()).into_owned(),
            b"a" => pair.a = Some(value),
            b"b" => pair.b = Some(value),
            _ => {}
        }
    }
    for (name, value) in [("a", &pair.a), ("b", &pair.b)] {
        if value.is_none() {
            return Err(format!("expected `{name}`: a pair is {{\"id\", \"tool\", \"a\", \"b\"}}"));
        }
    }
    Ok(pair)
}

fn answer<'a>(judge: &mut Judge, options: &Options, pair: &Pair<'a>) -> Result<Answer<'a>, Failure> {
    let evidence = |value: &Option<json::Value<'_>>| {
        let output = value.as_ref().map_or(Payload::Absent, json::Value::payload);
        Evidence::of(&Step { tool: &pair.tool, output, ..Step::default() })
    };
    let comparison = judge.compare(&evidence(&pair.a), &evidence(&pair.b), &options.for_tool(&pair.tool));
    Ok(Answer {
        id: serde_json::from_str(pair.id.unwrap_or("null"))?,
        same: comparison.same,
        evidence: comparison.level.name(),
        similarity: comparison.similarity,
        why: String::new(),
    })
}
