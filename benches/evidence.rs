//! What a comparison costs: by the size of the outputs and the rung that answers.
//!
//! `first` reads both outputs (a new result has just come in), `again` finds them read before.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use wheelspin::evidence::{Evidence, Judge};
use wheelspin::policy::Options;
use wheelspin::step::{Payload, Step};

const SIZES: [(&str, usize); 4] = [("250B", 250), ("1KB", 1_000), ("10KB", 10_000), ("100KB", 100_000)];

/// A JSON result of about `size` bytes. `n` moves its volatile details, `last` is a value of its last row.
fn json(size: usize, n: u32, last: &str) -> String {
    let mut out = format!(
        "{{\"generated_at\":\"2025-05-01T10:{:02}:{:02}Z\",\"request_id\":\"q-{n}\",\"durationMs\":{n},\"rows\":[",
        n % 60,
        n % 59 + 1
    );
    let mut row = 0;
    while out.len() + 60 < size {
        out.push_str(&format!("{{\"name\":\"berth {row}\",\"state\":\"free\",\"depth\":{}.5}},", row % 17));
        row += 1;
    }
    out.push_str(&format!("{{\"name\":\"berth last\",\"state\":\"{last}\"}}]}}"));
    out
}

/// A log of about `size` bytes.
fn log(size: usize, n: u32, last: &str) -> String {
    let mut out = String::new();
    let mut line = 0;
    while out.len() + 60 < size {
        out.push_str(&format!(
            "[10:{:02}:{:02}] compiled module berth/{line}.rs in {}.{:02}s\n",
            n % 60,
            n % 59 + 1,
            n % 7,
            n % 90
        ));
        line += 1;
    }
    out.push_str(&format!("build {last}"));
    out
}

/// Sentences of about `size` bytes, one word of which is `filler`.
fn prose(size: usize, filler: &str) -> String {
    let mut out = String::new();
    while out.len() + 80 < size {
        out.push_str("The lamp above the landing turns slowly and lights the whole bay. ");
    }
    out.push_str(&format!("The keeper promises to paint the shutters again before the summer {filler}."));
    out
}

fn evidence(text: &str) -> Evidence {
    Evidence::of(&Step { output: Payload::Text(text.as_bytes()), ..Step::default() })
}

fn compare(criterion: &mut Criterion) {
    let rules = Options::default().for_tool("tool");
    for (name, size) in SIZES {
        let pretty = |text: &str| text.replace(',', ", ").replace(':', ": ");
        let pairs: Vec<(&str, String, String)> = vec![
            ("identical", json(size, 1, "free"), json(size, 1, "free")),
            (
                "values",
                json(size, 1, "free"),
                pretty(&json(size, 1, "free")).replace(": 01: ", ":01:").replace("10: ", "10:"),
            ),
            ("volatile", json(size, 1, "free"), json(size, 2, "free")),
            ("volatile-log", log(size, 1, "passed"), log(size, 2, "passed")),
            ("similar", prose(size, "fairs"), prose(size, "rains")),
            ("different", json(size, 1, "free"), json(size, 2, "taken")),
        ];
        let mut group = criterion.benchmark_group(format!("evidence/{name}"));
        for (rung, a, b) in &pairs {
            group.throughput(Throughput::Bytes((a.len() + b.len()) as u64));
            let mut judge = Judge::new(&Options { similarity: 0.8, ..Options::default() });
            group.bench_function(BenchmarkId::new("first", rung), |bencher| {
                bencher.iter_batched(
                    || (evidence(a), evidence(b)),
                    |(a, b)| judge.compare(&a, &b, &rules),
                    criterion::BatchSize::SmallInput,
                );
            });
            let (a, b) = (evidence(a), evidence(b));
            judge.compare(&a, &b, &rules);
            group.bench_function(BenchmarkId::new("again", rung), |bencher| {
                bencher.iter(|| judge.compare(&a, &b, &rules))
            });
        }
        group.finish();
    }
}

criterion_group!(benches, compare);
criterion_main!(benches);
