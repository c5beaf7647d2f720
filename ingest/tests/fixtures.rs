//! Every fixture reads as the steps beside it, and no damage to one makes a reader panic or hang.

use std::path::{Path, PathBuf};

use wheelspin::step::Kind;
use wheelspin_ingest::{Content, Format, Problem, Reader, Trace};

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files = Vec::new();
    for folder in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension != "steps") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn format_of(fixture: &Path) -> Format {
    fixture.parent().unwrap().file_name().unwrap().to_str().unwrap().parse().unwrap()
}

fn read(path: &Path, format: Option<Format>) -> (Vec<Trace>, Vec<Problem>) {
    let (mut traces, mut problems) = (Vec::new(), Vec::new());
    for item in Reader::open(path.to_str().unwrap(), format) {
        match item {
            Ok(trace) => traces.push(trace),
            Err(problem) => problems.push(problem),
        }
    }
    (traces, problems)
}

/// One line a step: what was done, then whatever is not the default.
fn golden(traces: &[Trace], problems: &[Problem]) -> String {
    let mut lines = Vec::new();
    for trace in traces {
        let config = trace.config.as_ref().map(|config| format!(" config {config}")).unwrap_or_default();
        lines.push(format!("trace {}{config}", trace.id));
        for step in &trace.steps {
            let content = |content: &Content| match content {
                Content::Absent => "-".to_string(),
                Content::Json(text) => text.replace('\n', " "),
                Content::Text(text) => format!("text {:?}", String::from_utf8_lossy(text)),
            };
            let output = content(&step.output);
            let mut line = match step.kind {
                Kind::User => format!("user {output}"),
                Kind::Summary => format!("summary {output}"),
                Kind::Tool => format!("tool {} {} -> {output}", step.tool, content(&step.arguments)),
                Kind::Delegation => {
                    format!("delegation {} {} -> {output}", step.tool, content(&step.arguments))
                }
            };
            if !step.agent.is_empty() {
                line.push_str(&format!(" agent={}", step.agent));
            }
            for (flag, set) in [
                ("error", step.error),
                ("redacted", step.redacted),
                ("truncated", step.truncated),
                ("progress", step.progress),
            ] {
                if set {
                    line.push_str(&format!(" {flag}"));
                }
            }
            // Turns that are not numbers in the file are counted from the top: shown as negative numbers.
            if let Some(turn) = step.turn {
                line.push_str(&format!(" turn={}", turn as i64));
            }
            if step.tokens > 0 {
                line.push_str(&format!(" tokens={}", step.tokens));
            }
            if !step.id.is_empty() {
                line.push_str(&format!(" id={}", step.id));
            }
            lines.push(line);
        }
    }
    for problem in problems {
        let line = problem.line.map(|line| format!(" line {line}")).unwrap_or_default();
        lines.push(format!("problem{line}: {}", problem.message));
    }
    lines.join("\n") + "\n"
}

#[test]
fn every_fixture_reads_as_the_steps_beside_it() {
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        let (traces, problems) = read(&fixture, None);
        let found = golden(&traces, &problems);
        let expected = std::fs::read_to_string(fixture.with_extension("steps")).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{}: found\n{found}\nexpected\n{expected}", fixture.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_format_of_every_fixture_shows_in_its_content() {
    for fixture in fixtures() {
        let reader = Reader::open(fixture.to_str().unwrap(), None);
        assert_eq!(reader.format(), Some(format_of(&fixture)), "{}", fixture.display());
    }
}

/// A small generator (xorshift64), so that a failure comes back with the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Reads `bytes` as a file of the fixture's format, and once more by its content.
fn read_damaged(folder: &Path, fixture: &Path, bytes: &[u8]) {
    let path = folder.join("damaged");
    std::fs::write(&path, bytes).unwrap();
    read(&path, Some(format_of(fixture)));
    read(&path, None);
}

#[test]
fn a_fixture_cut_anywhere_is_read_to_an_end() {
    let folder = tempfile::tempdir().unwrap();
    for fixture in fixtures() {
        let bytes = std::fs::read(&fixture).unwrap();
        let stride = bytes.len() / 200 + 1;
        for end in (0..bytes.len()).step_by(stride) {
            read_damaged(folder.path(), &fixture, &bytes[..end]);
        }
    }
}

#[test]
fn a_fixture_with_wrong_bytes_is_read_to_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(0x5eed);
    for fixture in fixtures() {
        let sound = std::fs::read(&fixture).unwrap();
        for _ in 0..200 {
            let mut bytes = sound.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = match random.below(3) {
                    0 => random.below(256) as u8,
                    1 => b"{}[]\",:0\\n"[random.below(10)],
                    _ => bytes[random.below(bytes.len())],
                };
            }
            read_damaged(folder.path(), &fixture, &bytes);
        }
    }
}
