//! `wheelspin compare`: pairs of results in, the same in substance or not out.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use wheelspin::evidence::{Evidence, Judge};
use wheelspin::policy::Options;
use wheelspin::step::{Payload, Step};

use crate::args::{Color, CompareArgs};
use crate::exit::{Failure, Status, problem};
use crate::terminal::{self, DIM, GREEN, RED, paint};
use crate::text::{harmless, shorten, width};
use crate::{json, policy};

/// The answer to one pair: the contract of `--json`.
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
pub fn run(args: &CompareArgs, color: Color) -> Result<Status, Failure> {
    let options = policy::load(args.policy.as_deref()).map_err(Failure::Unusable)?;
    let name = if args.file == "-" { "standard input" } else { &args.file };
    let unreadable = |error: io::Error| Failure::Unusable(format!("{name}: {error}"));
    let mut input = open(&args.file).map_err(unreadable)?;
    let mut judge = Judge::new(&options);
    let mut output = Output::new(args.json, color);
    let mut status = Status::Fine;
    let (mut line, mut number) = (Vec::new(), 0_u64);
    while input.read_until(b'\n', &mut line).map_err(unreadable)? > 0 {
        number += 1;
        if !line.trim_ascii().is_empty() {
            match pair(&line) {
                Ok(pair) => output.answer(&answer(&mut judge, &options, &pair)?)?,
                Err(message) => {
                    problem(&format!("{name}, line {number}: {message}"));
                    status.raise(Status::Unusable);
                }
            }
        }
        line.clear();
    }
    output.finish()?;
    Ok(status)
}

fn open(file: &str) -> io::Result<Box<dyn BufRead>> {
    if file == "-" {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::new(File::open(Path::new(file))?)))
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
    let found = judge.explain(&evidence(&pair.a), &evidence(&pair.b), &options.for_tool(&pair.tool));
    Ok(Answer {
        id: serde_json::from_str(pair.id.unwrap_or("null"))?,
        same: found.comparison.same,
        evidence: found.comparison.level.name(),
        similarity: found.comparison.similarity,
        why: found.why,
    })
}

/// Answers as JSON lines, or as a table for people.
enum Output {
    Json(BufWriter<io::StdoutLock<'static>>),
    Table(Table<BufWriter<anstream::AutoStream<io::StdoutLock<'static>>>>),
}

impl Output {
    fn new(json: bool, color: Color) -> Output {
        if json {
            return Output::Json(BufWriter::new(io::stdout().lock()));
        }
        Output::Table(Table {
            out: terminal::stdout(color),
            columns: terminal::columns(),
            same: 0,
            different: 0,
        })
    }

    fn answer(&mut self, answer: &Answer<'_>) -> Result<(), Failure> {
        match self {
            Output::Json(out) => {
                serde_json::to_writer(&mut *out, answer)?;
                Ok(out.write_all(b"\n")?)
            }
            Output::Table(table) => Ok(table.row(answer)?),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Output::Json(mut out) => Ok(out.flush()?),
            Output::Table(table) => Ok(table.finish()?),
        }
    }
}

/// One row a pair, columns of one width, so that rows can be printed as the answers come.
struct Table<W> {
    out: W,
    columns: usize,
    same: u64,
    different: u64,
}

/// Columns of an id.
const ID: usize = 12;

impl<W: Write> Table<W> {
    fn row(&mut self, answer: &Answer<'_>) -> io::Result<()> {
        let (count, style, word) = match answer.same {
            true => (&mut self.same, GREEN, "= same"),
            false => (&mut self.different, RED, "≠ different"),
        };
        *count += 1;
        let id: Cow<'_, str> = match serde_json::from_str::<String>(answer.id.get()) {
            Ok(text) => text.into(),
            Err(_) => answer.id.get().into(),
        };
        let id = shorten(&harmless(&id), ID);
        let padding = ID - width(&id);
        let cosine = match answer.evidence {
            "similar" => format!("{:.2}", answer.similarity),
            _ => String::new(),
        };
        let before = ID + 2 + 11 + 2 + 9 + 2 + 4 + 2;
        let why = shorten(&harmless(&answer.why), self.columns.saturating_sub(before).max(20));
        let verdict = paint(style, &format!("{word:11}"));
        let line = format!(
            "{id}{:padding$}  {verdict}  {:9}  {cosine:4}  {}",
            "",
            answer.evidence,
            paint(DIM, &why)
        );
        writeln!(self.out, "{}", line.trim_end())
    }

    fn finish(mut self) -> io::Result<()> {
        if self.same + self.different > 1 {
            writeln!(self.out, "\n{} same, {} different", self.same, self.different)?;
        }
        self.out.flush()
    }
}
