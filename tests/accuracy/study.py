#!/usr/bin/env python3
"""How often is Wheelspin right? The figures of docs/ACCURACY.md, from labels and traces of yours. Standard library only.

  study.py repeats TRACES [--labels FILE…]  calls that came again with another result: what differs, and which rung decides
  study.py folds LABELS TRACES       pairs and windows: five folds by trace, intervals from a bootstrap by trace
  study.py base TRACES               findings per 1,000 traces, by level, data set and outcome
  study.py learn TRACES              fields that changed with every call of a tool, and what leaving them out would decide

TRACES  a folder of plain traces, <data set>.ndjson or .ndjson.gz
LABELS  a folder with pairs.ndjson {id, trace_id, tool, a, b, label: same|different} and
        windows.ndjson {id, trace_id, start, end, label: productive|unproductive, scope: stop|warn}
--bin PATH  the command to ask (default target/release/wheelspin)
"""
import argparse, collections, glob, gzip, hashlib, itertools, json, os, random, re, subprocess, sys, tempfile

CALLS = ("tool", "delegation")
LEVELS = ("stop", "warn", "inconclusive")
FOLDS = 5
RESAMPLES = 2000
# Calls of one tool in one session before a field can be said to change with every call.
FEWEST_CALLS = 4


def traces(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.ndjson*"))):
        name = os.path.basename(path).split(".")[0]
        with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as lines:
            for line in lines:
                yield name, json.loads(line)


def ask(binary, command, rows, *options):
    """Rows as NDJSON through `wheelspin COMMAND --json`."""
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")
        file.flush()
        done = subprocess.run([binary, command, "--json", *options, file.name], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"study: {command} exited {done.returncode}: {done.stderr.strip()[:400]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def text_of(output):
    return output if isinstance(output, str) else json.dumps(output, sort_keys=True)


def sessions(trace):
    """The calls of each agent that have a result, in order: (step, key, text)."""
    by_agent = collections.defaultdict(list)
    for step in trace["steps"]:
        if step.get("kind", "tool") not in CALLS or step.get("output") is None:
            continue
        arguments = json.dumps(step.get("args"), sort_keys=True)
        # Arguments that the converter of a data set put in place of those that were not recorded.
        if "_not_logged" in arguments or "_from_observation" in arguments:
            continue
        by_agent[step.get("agent")].append((step, (step["tool"], arguments), text_of(step["output"])))
    return by_agent.values()


# What differs, by eye: independent of the engine, and cruder.

TOKEN = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\d\d?:\d\d:\d\d(?:\.\d+)?"
    r"|\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|s|sec|seconds|minutes|min|m|h)\b)"
    r"|(?P<id>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|0x[0-9a-f]+|\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b"
    r"|\b(?=\w*[A-Za-z_])(?=\w*\d)\w{4,}\b)"
    r"|(?P<number>\d+(?:\.\d+)?)|(?P<word>[^\W\d_]+|_)|(?P<sign>[^\s\w])", re.I)


def what_differs(a, b, error_a, error_b):
    if error_a != error_b:
        return "error against success"
    bags = [collections.Counter((m.lastgroup, m.group()) for m in TOKEN.finditer(text)) for text in (a, b)]
    only_a, only_b = bags[0] - bags[1], bags[1] - bags[0]
    kinds = {kind for kind, _ in (only_a | only_b)} - {"sign"}
    if not kinds:
        return "order or layout"
    if kinds == {"time"}:
        return "times and durations"
    if kinds <= {"time", "id"}:
        return "identifiers (and times)"
    if kinds <= {"time", "id", "number"}:
        return "numbers (and the above)"
    if not only_a or not only_b:
        return "more on one side"
    changed = max(sum(only_a.values()), sum(only_b.values()))
    return "a few words" if changed <= 12 else "much of it"


def repeats(args):
    rows, pairs_in_all, every_call, per_set = [], 0, 0, collections.Counter()
    for name, trace in traces(args.traces):
        for calls in sessions(trace):
            groups = collections.defaultdict(list)
            for step, key, text in calls:
                every_call += 1
                if groups[key] and groups[key][-1][1] != text:
                    before = groups[key][-1]
                    rows.append({"id": str(len(rows)), "tool": step["tool"], "a": before[1], "b": text,
                                 "errors": (bool(before[0].get("error")), bool(step.get("error"))), "set": name})
                groups[key].append((step, text))
            for group in groups.values():
                pairs_in_all += sum(a[1] != b[1] for a, b in itertools.combinations(group, 2))
    answers = {a["id"]: a for a in ask(args.bin, "compare", [{k: r[k] for k in ("id", "tool", "a", "b")} for r in rows])}
    labels = {(p["a"], p["b"]): p["label"] == "same" for file in args.labels for p in map(json.loads, open(file))}
    table, seen, judged, wrong = (collections.Counter() for _ in range(4))
    for row in rows:
        answer = answers[row["id"]]
        rung = answer["evidence"] if answer["same"] else "different"
        kind = what_differs(row["a"], row["b"], *row["errors"])
        table[kind, rung] += 1
        per_set[row["set"]] += 1
        seen[kind] += 1
        if (row["a"], row["b"]) in labels:
            judged[kind] += 1
            wrong[kind] += labels[row["a"], row["b"]] != answer["same"]
    distinct = len({(row["a"], row["b"]) for row in rows})
    print(f"{every_call} calls with a result; {pairs_in_all} pairs of one call with differing results, "
          f"{len(rows)} of them consecutive ({distinct} distinct): {dict(per_set.most_common())}")
    rungs = ["identical", "values", "volatile", "similar", "different"]
    print("what differs | " + " | ".join(rungs) + " | all | judged | wrong")
    for kind, count in seen.most_common():
        print(f"{kind} | " + " | ".join(str(table[kind, rung]) for rung in rungs) + f" | {count} | {judged[kind]} | {wrong[kind]}")
    sums = [sum(table[kind, rung] for kind in seen) for rung in rungs] + [sum(c.values()) for c in (seen, judged, wrong)]
    print("all | " + " | ".join(map(str, sums)))


# Scores

def score(hits):
    """(wanted, said) → precision, recall, F1."""
    tp, fp, fn = (sum(h == x for h in hits) for x in ((True, True), (False, True), (True, False)))
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    return precision, recall, (2 * precision * recall / (precision + recall) if tp else 0.0)


def report(name, rows):
    """Rows of (trace, wanted, said)."""
    by_trace = collections.defaultdict(list)
    for trace, wanted, said in rows:
        by_trace[trace].append((wanted, said))
    groups = [by_trace[trace] for trace in sorted(by_trace)]
    whole = score([h for g in groups for h in g])
    print(f"{name}: {len(rows)} in {len(groups)} traces")
    columns = list(zip(*(score([h for g in random.Random(seed).choices(groups, k=len(groups)) for h in g])
                         for seed in range(RESAMPLES))))
    for label, value, column in zip(("precision", "recall", "F1"), whole, columns):
        low, high = (sorted(column)[int(RESAMPLES * q)] for q in (0.025, 0.975))
        print(f"  {label} {value:.3f} (95 % {low:.3f} to {high:.3f})")
    for fold in range(FOLDS):
        part = [h for trace, hits in by_trace.items() if fold_of(trace) == fold for h in hits]
        if part:
            print(f"  fold {fold + 1}: {len(part)}, {sum(w for w, _ in part)} positive: "
                  "precision {:.3f} recall {:.3f} F1 {:.3f}".format(*score(part)))


def fold_of(trace):
    return hashlib.sha256(trace.encode()).digest()[0] % FOLDS


def level_of(finding):
    if finding["kind"] != "cycle":
        return "warn"
    return "inconclusive" if finding["evidence"] == "none" else "stop"


def folds(args):
    pairs = [json.loads(line) for line in open(os.path.join(args.labels, "pairs.ndjson"))]
    said = {a["id"]: a["same"] for a in ask(args.bin, "compare", [{k: p[k] for k in ("id", "tool", "a", "b")} for p in pairs])}
    report("pairs", [(p["trace_id"], p["label"] == "same", said[p["id"]]) for p in pairs])
    windows = [json.loads(line) for line in open(os.path.join(args.labels, "windows.ndjson"))]
    needed = {w["trace_id"] for w in windows}
    found = {t["trace_id"]: t for _, t in traces(args.traces) if t["trace_id"] in needed}
    reports = {r["trace_id"]: r["findings"] for r in ask(args.bin, "audit", found.values())}
    for level in ("stop", "warn"):
        rows = []
        for w in windows:
            counts = [f for f in reports[w["trace_id"]] if level_of(f) in ("stop", level)]
            hit = any(f["start"] <= w["end"] and f["end"] >= w["start"] for f in counts)
            rows.append((w, hit))
        report(f"windows at level {level}", [(w["trace_id"], w["label"] == "unproductive", hit) for w, hit in rows])
        owed = [hit for w, hit in rows if w.get("scope") == "stop" and w["label"] == "unproductive"]
        print(f"  cycles owed and found: {sum(owed)} of {len(owed)}")


def base(args):
    by_id, order = {}, []
    for name, trace in traces(args.traces):
        detail = str(trace.get("label_detail") or "")
        ended = "reward" if "reward=1.0" in detail else "utility" if "utility=True" in detail else None
        by_id[trace["trace_id"]] = (name, ended)
        order.append(trace["trace_id"])
    files = sorted(glob.glob(os.path.join(args.traces, "*.ndjson*")))
    done = subprocess.run([args.bin, "audit", "--json", *files], capture_output=True, text=True)
    count, findings = collections.Counter(), collections.Counter()
    for line in done.stdout.splitlines():
        got = json.loads(line)
        name, ended = by_id[got["trace_id"]]
        for group in ["all traces"] + (["ended well"] if ended else []) + ([f"ended well ({ended})"] if ended else []):
            for part in (name, "all"):
                count[group, part] += 1
                for finding in got["findings"]:
                    findings[group, part, level_of(finding)] += 1
    print("traces | data set | count | " + " | ".join(f"{level} per 1,000" for level in LEVELS))
    for (group, part), n in sorted(count.items()):
        cells = [f"{1000 * findings[group, part, level] / n:.1f} ({findings[group, part, level]})" for level in LEVELS]
        print(f"{group} | {part} | {n} | " + " | ".join(cells))


# Learning

SLOT = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\b(?=\w*\d)\w+(?:[.:,-]\d+)*\b", re.I)


def fields(text):
    """Leaves of a JSON result by path; of a text, the tokens with digits, by their line without them."""
    out = {}
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if isinstance(value, (dict, list)):
        stack = [("", value)]
        while stack:
            path, value = stack.pop()
            if isinstance(value, dict):
                stack.extend((f"{path}.{key}", member) for key, member in value.items())
            elif isinstance(value, list):
                stack.extend((f"{path}[{at}]", item) for at, item in enumerate(value))
            else:
                out[path] = json.dumps(value)
        return out
    times = collections.Counter()
    for line in text.splitlines()[:400]:
        frame = SLOT.sub("#", line.strip())
        times[frame] += 1
        out[f"{frame}@{times[frame]}"] = ""
        for at, match in enumerate(SLOT.finditer(line)):
            out[f"{frame}@{times[frame]}#{at}"] = match.group()
    return out


def always_new(calls):
    """Fields that every call has, with another value each time."""
    shared = set.intersection(*(set(call) for call in calls))
    return {field for field in shared if len({call[field] for call in calls}) == len(calls)}


def learn(args):
    tools_seen, learned, asked, flips = 0, [], [], []
    for name, trace in traces(args.traces):
        for calls in sessions(trace):
            by_tool = collections.defaultdict(list)
            for step, key, text in calls:
                if not step.get("error"):
                    by_tool[step["tool"]].append((key, text, fields(text)))
            for tool, all_calls in by_tool.items():
                if len(all_calls) < FEWEST_CALLS:
                    continue
                tools_seen += 1
                found = always_new([call[2] for call in all_calls])
                for field in found:
                    learned.append((name, tool, field, [call[2][field] for call in all_calls[:FEWEST_CALLS]],
                                    len({call[0] for call in all_calls}), len(all_calls)))
                # A stream knows the calls so far: would what it learned from them make a repeat the same?
                for at in range(FEWEST_CALLS - 1, len(all_calls)):
                    key, text, here = all_calls[at]
                    before = next((c for c in reversed(all_calls[:at]) if c[0] == key), None)
                    if before is None or before[1] == text:
                        continue
                    known = always_new([call[2] for call in all_calls[:at + 1]])
                    changed = sorted(f for f in known if before[2][f] != here[f])
                    if changed:
                        flips.append((name, tool, [(f, before[2][f], here[f]) for f in changed][:3]))
                        asked.append({"id": f"{len(flips)}", "tool": tool, "a": before[1], "b": text})
                        asked.append({"id": f"{len(flips)} without", "tool": tool, "a": before[1],
                                      "b": with_values(text, {f: before[2][f] for f in known})})
    print(f"{tools_seen} tools in a session with {FEWEST_CALLS} or more results; "
          f"{len(learned)} fields changed with every call, in {len({(n, t) for n, t, *_ in learned})} tools")
    probes = [{"id": str(i), "tool": tool, "a": probe(field, values[0]), "b": probe(field, values[1])}
              for i, (_, tool, field, values, _, _) in enumerate(learned)]
    volatile = {a["id"] for a in ask(args.bin, "compare", probes) if a["same"]}
    left = [entry for i, entry in enumerate(learned) if str(i) not in volatile]
    print(f"the ladder takes {len(volatile)} of them for volatile by themselves; {len(left)} are content to it:")
    kinds = collections.defaultdict(list)
    for name, tool, field, values, arguments, _ in left:
        kinds[name, tool, re.sub(r"\d+", "", field)[-60:]].append((values, arguments))
    for (name, tool, field), examples in sorted(kinds.items(), key=lambda item: -len(item[1]))[:args.most]:
        values, arguments = examples[0]
        print(f"  {len(examples)} × {name} {tool} {field!r}: {[value[:40] for value in values]} ({arguments} different calls)")
    again = [entry for entry in left if entry[4] < entry[5]]
    print(f"in {len(again)} of these a call came again in between, so that its arguments do not explain the change: "
          f"{collections.Counter((name, tool) for name, tool, *_ in again).most_common()}")
    same = {a["id"]: a["same"] for a in ask(args.bin, "compare", asked)} if asked else {}
    new = [flip for at, flip in enumerate(flips, 1) if same[f"{at} without"] and not same[f"{at}"]]
    old = sum(same[f"{at}"] for at in range(1, len(flips) + 1))
    print(f"repeats that differ in such fields, perhaps among others: {len(flips)}; the ladder says same to {old} of them, "
          f"and to {len(new)} more without these fields:")
    for name, tool, changed in new[:args.most]:
        print(f"  {name} {tool} {[(f[-50:], a[:40], b[:40]) for f, a, b in changed]}")


def with_values(text, values):
    """The result with other values in these fields."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if isinstance(value, (dict, list)):
        return json.dumps(replaced(value, "", values))
    times, lines = collections.Counter(), []
    for line in text.splitlines():
        frame = SLOT.sub("#", line.strip())
        times[frame] += 1
        places = itertools.count()
        lines.append(SLOT.sub(lambda m: values.get(f"{frame}@{times[frame]}#{next(places)}", m.group()), line))
    return "\n".join(lines)


def replaced(value, path, values):
    if isinstance(value, dict):
        return {key: replaced(member, f"{path}.{key}", values) for key, member in value.items()}
    if isinstance(value, list):
        return [replaced(item, f"{path}[{at}]", values) for at, item in enumerate(value)]
    return json.loads(values[path]) if path in values else value


def probe(field, value):
    """A result that holds nothing but the field."""
    if field.startswith((".", "[")):
        key = re.split(r"[.\[\]]+", field.strip("[]."))[-1]
        return json.dumps({key: json.loads(value), "note": "same"})
    line, slot = field.rsplit("@", 1)
    at = int(slot.split("#")[1]) if "#" in slot else 0
    parts = line.split("#")
    return "#".join(parts[:at + 1]).replace("#", "0") + value + "#".join(parts[at + 1:]).replace("#", "0")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/wheelspin")
    commands = parser.add_subparsers(dest="command", required=True)
    for command in (repeats, folds, base, learn):
        sub = commands.add_parser(command.__name__)
        if command is folds:
            sub.add_argument("labels")
        sub.add_argument("traces")
        if command is repeats:
            sub.add_argument("--labels", nargs="*", default=[], help="NDJSON of {a, b, label}: which decisions are wrong")
        if command is learn:
            sub.add_argument("--most", type=int, default=60, help="lines to list")
        sub.set_defaults(run=command)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
