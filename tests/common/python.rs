//! Runs a reference of `tests/reference/` over a batch.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// One answer for each item of `batch`, which is one line of JSON, from one Python process.
///
/// # Panics
/// When Python or one of its packages is missing, or the reference fails: a reference that does not run checks
/// nothing.
pub fn answers(script: &str, batch: &[impl std::fmt::Display]) -> Vec<serde_json::Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(script);
    let mut python = Command::new("python3")
        .arg(&script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("python3 is needed for {}: {error}", script.display()));
    let mut input = python.stdin.take().expect("stdin is piped");
    let lines: String = batch.iter().map(|line| format!("{line}\n")).collect();
    // Written beside the reading of its output: a full pipe would stop both.
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = python.wait_with_output().expect("python3 ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} failed: {errors}", script.display());
    writer.join().expect("the writer does not panic").expect("the reference reads all its input");
    let answers: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .expect("the reference writes UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("the reference writes JSON"))
        .collect();
    assert_eq!(answers.len(), batch.len(), "one answer for each line; {errors}");
    answers
}
