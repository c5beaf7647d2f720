//! Runs the command and gives back what it said.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a run said.
#[derive(Debug)]
pub struct Said {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Said {
    /// Every line of standard output as JSON.
    pub fn json(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

/// The command, without the environment's own wishes about colours and width.
pub fn wheelspin() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wheelspin"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// Runs the command to its end.
pub fn said(command: &mut Command, input: &[u8]) -> Said {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that stops early does not read everything.
    let _ = child.stdin.take().expect("piped").write_all(input);
    let output = child.wait_with_output().expect("the command ends");
    Said {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

/// Runs the command with these arguments and nothing on standard input.
pub fn run(arguments: &[&str]) -> Said {
    said(wheelspin().args(arguments), b"")
}

/// A folder for the files of one test.
pub fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

/// Writes a file and gives its path.
pub fn file(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> String {
    let path: PathBuf = Path::new(folder.path()).join(name);
    std::fs::write(&path, content).expect("a file");
    path.to_str().expect("a path in UTF-8").to_string()
}

/// A trace of `passes` equal calls of `tool`.
pub fn looping(id: &str, tool: &str, passes: usize) -> String {
    let step = format!(
        r#"{{"agent": "planner", "tool": "{tool}", "args": {{"page": 1}}, "output": "no rows", "tokens": 7}}"#
    );
    format!(r#"{{"trace_id": "{id}", "steps": [{}]}}"#, vec![step; passes].join(", "))
}

/// A trace in which every call brings something new.
pub fn working(id: &str) -> String {
    let step =
        |page: usize| format!(r#"{{"tool": "list", "args": {{"page": {page}}}, "output": "row {page}"}}"#);
    format!(r#"{{"trace_id": "{id}", "steps": [{}]}}"#, (0..4).map(step).collect::<Vec<_>>().join(", "))
}
