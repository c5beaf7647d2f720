//! Latency of a whole step: 200 B of arguments, 250 B of output, the sizes of real calls.
//!
//! `healthy` steps are all different; `stuck` ones repeat with a fresh request id and time in the output, so that
//! every step asks the volatile rung about the passes before it; `admit` asks whether the next call would go on
//! with that run. Figures are per step.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use wheelspin::fingerprint::FingerprintKey;
use wheelspin::policy::Options;
use wheelspin::session::{Keys, Scratch, Session};
use wheelspin::step::{Payload, Step};

/// Steps made beforehand, so that making them is not measured.
const STEPS: usize = 4_096;

struct Call {
    arguments: String,
    output: String,
}

fn call(varying: usize, request: usize) -> Call {
    let arguments = format!(
        r#"{{"filter":{{"status":"active","region":"north","page":{varying}}},"order":["name","created_at"],"limit":50,"cursor":"c{varying:08}","include":["owner","labels"],"note":"records of the northern depots only, please"}}"#
    );
    let output = format!(
        r#"{{"request_id":"req-{request:08x}","at":"2026-03-04T10:{:02}:{:02}Z","records":[{{"id":101,"name":"North depot","state":"open"}},{{"id":102,"name":"Harbour yard {varying}","state":"closed for the winter"}}],"total":2,"next":null,"hint":"try the archive"}}"#,
        request / 60 % 60,
        request % 60
    );
    Call { arguments, output }
}

fn step(call: &Call) -> Step<'_> {
    Step {
        tool: "query_records",
        arguments: Payload::Json(call.arguments.as_bytes()),
        output: Payload::Json(call.output.as_bytes()),
        ..Step::default()
    }
}

fn session(options: &Options) -> (Scratch, Session) {
    let keys = Keys { findings: FingerprintKey::new([0; 16]), calls: 1 };
    (Scratch::new(options), Session::new(Arc::new(options.clone()), keys, "workflow", "agent"))
}

fn record(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("record");
    group.throughput(Throughput::Elements(1));
    for (name, period) in [("healthy", usize::MAX), ("stuck, 1 step", 1), ("stuck, 4 steps", 4)] {
        let calls: Vec<Call> = (0..STEPS).map(|i| call(i % period, i)).collect();
        for max_unit in [32, 256] {
            let options = Options { max_unit, ..Options::default() };
            group.bench_function(BenchmarkId::new(name, format!("max_unit {max_unit}")), |bencher| {
                let (mut scratch, mut session) = session(&options);
                let mut index = 0;
                bencher.iter(|| {
                    session.record(&mut scratch, index, &step(&calls[index as usize % STEPS]));
                    index += 1;
                    black_box(session.changed().len())
                });
            });
        }
    }
    group.finish();
}

fn admit(criterion: &mut Criterion) {
    let calls: Vec<Call> = (0..3).map(|i| call(0, i)).collect();
    let (mut scratch, mut session) = session(&Options::default());
    for (index, call) in (0..).zip(&calls) {
        session.record(&mut scratch, index, &step(call));
    }
    criterion.bench_function("admit/stuck", |bencher| {
        bencher.iter(|| black_box(session.would_extend(&mut scratch, &step(&calls[0]))));
    });
}

criterion_group!(benches, record, admit);
criterion_main!(benches);
