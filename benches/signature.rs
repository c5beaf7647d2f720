//! What signing a step costs beside the hash of the same bytes, which no signature can undercut.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wheelspin::signature::Signer;
use wheelspin::step::{Payload, Step};
use xxhash_rust::xxh3::xxh3_64;

/// Arguments of the sizes that agents send: a command, a search, an edit, and a file to write.
fn arguments() -> Vec<String> {
    let command = r#"{"command":"ls -la /srv/app","timeout":120000}"#.to_string();
    let search = concat!(
        r#"{"query": "SELECT id, name FROM customers WHERE region = 'north' ORDER BY id", "#,
        r#""limit": 50, "offset": 0, "database": "analytics", "options": {"timeout_ms": 30000, "#,
        r#""read_only": true, "tags": ["a", "b"]}}"#
    );
    let edit = format!(
        r#"{{"path":"/srv/app/src/orders/service.py","old_string":"{}","new_string":"{}","replace_all":false}}"#,
        python_lines(9),
        python_lines(10)
    );
    let file = format!(r#"{{"path":"/srv/app/src/orders/models.py","content":"{}"}}"#, python_lines(78));
    vec![command, search.to_string(), edit, file]
}

/// Lines of a program, as they stand inside a JSON string.
fn python_lines(count: usize) -> String {
    (0..count).map(|line| format!(r#"    total_{line} = items[{line}].price * \"{line}\"\n"#)).collect()
}

fn sign(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("signature");
    for arguments in arguments() {
        let size = arguments.len();
        let step = Step { tool: "bash", arguments: Payload::Json(arguments.as_bytes()), ..Step::default() };
        let mut signer = Signer::new();
        let canonical = signer.canonical(&step, &[]).to_vec();
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_function(BenchmarkId::new("sign", size), |bencher| {
            bencher.iter(|| signer.sign(black_box(&step), &[]));
        });
        group.bench_function(BenchmarkId::new("xxh3", size), |bencher| {
            bencher.iter(|| xxh3_64(black_box(&canonical)));
        });
    }
    group.finish();
}

criterion_group!(benches, sign);
criterion_main!(benches);
