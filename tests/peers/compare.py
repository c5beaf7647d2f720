#!/usr/bin/env python3
"""Peers side by side: the same labelled windows through Wheelspin, other loop detectors and the rules of the field.

  compare.py LABELS TRACES [--wheelspin BIN] [--runs N] [--only NAME]…

LABELS  NDJSON of {"trace_id","dataset","start","end","label":"unproductive|productive","type","scope"}
TRACES  folder of <dataset>.ndjson or <dataset>.ndjson.gz, one plain trace a line
BIN     default target/release/wheelspin of this checkout
N       runs of each detector for the median time, default 5

Prints a Markdown table. Installs the peers below target/peers: those from PyPI into a virtual environment, the crates
through the small project beside this file. What cannot be installed or run is listed with the reason. Needs Python 3.11
and cargo.

Score: a window is hit when a step at which a detector speaks lies in [start, end]. Positive class: unproductive. At level
stop only what would stop the agent counts, at level warn all that it says. `scope` of an unproductive window: "stop" where
a cycle is owed, because the same calls repeat in at least 3 passes with results alike; "warn" where people saw a looser
loop.
"""
import argparse, gzip, json, resource, statistics, subprocess, sys, tempfile, time
from pathlib import Path

from peers import PEERS
from replay import is_call
from rules import RULES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HOME = ROOT / "target" / "peers"
CRATES = ["tool-loop-guard", "loop-guardrail"]
# What knows only one level, stop: its warn row would be the same.
ONE_LEVEL = ["nakata-agentguard", "agent-loop-breaker-py", "tool-loop-guard", "rule:"]
SECONDS_FOR_RUNS = 60  # a slow peer is timed fewer than N times, and the table says so


class Failed(Exception):
    """A peer cannot be installed or run; the text says why."""


def output_of(*command, stdin=None, allowed=(0,), seconds=3600):
    """Standard output of a command; raise Failed with the last line of its complaint."""
    try:
        process = subprocess.run([*map(str, command)], stdin=stdin, capture_output=True, text=True, timeout=seconds)
    except OSError as error:
        raise Failed(f"{Path(command[0]).name}: {error.strerror}")
    except subprocess.TimeoutExpired:
        raise Failed(f"{Path(command[0]).name} took longer than {seconds} s")
    if process.returncode not in allowed:
        complaint = process.stderr.strip().splitlines() or ["no message"]
        raise Failed(f"{Path(command[0]).name} exited {process.returncode}: {complaint[-1][:200]}")
    return process.stdout


# Installing -----------------------------------------------------------------------------------------------------------


def install_pypi():
    """The environment's Python and, for each pinned package, its version or why it could not be installed."""
    python = HOME / "venv" / "bin" / "python"
    if not python.exists():
        output_of(sys.executable, "-m", "venv", HOME / "venv")
    found = {}
    for line in (HERE / "requirements.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, version = line.split("==")
        try:
            output_of(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", line)
            found[name] = version
        except Failed as reason:
            found[name] = reason
    return python, found


def install_crates():
    """The runner of the crates and, for each of them, its locked version."""
    output_of("cargo", "build", "--quiet", "--release", "--locked", "--manifest-path", HERE / "crates" / "Cargo.toml",
              "--target-dir", HOME / "crates")
    lock = (HERE / "crates" / "Cargo.lock").read_text()
    versions = {name: lock.split(f'name = "{name}"\nversion = "')[1].split('"')[0] for name in CRATES}
    return HOME / "crates" / "release" / "peers", versions


# Running: each returns {trace id: {"stop": steps, "warn": steps, "errors": {…}}}, tool calls, seconds -----------------


def run_replay(command, traces):
    with open(traces) as stdin:
        *said, total = map(json.loads, output_of(*command, stdin=stdin).splitlines())
    return {line["trace_id"]: line for line in said}, total["calls"], total["seconds"]


def run_wheelspin(binary, traces, calls):
    """The audit of the whole file. A finding speaks from the step at whose completion a stream reports it to the run's end.
    The time is the whole process's: start, reading, parsing and reports included."""
    begun = child_seconds()
    reports = output_of(binary, "audit", "--json", traces, allowed=(0, 1)).splitlines()
    seconds = child_seconds() - begun
    said = {}
    for report in map(json.loads, reports):
        levels = {"stop": [], "warn": [], "stop extent": [], "warn extent": [], "errors": {}}
        for finding in report["findings"]:
            if finding["evidence"] == "none":
                continue  # inconclusive: reported, but nothing is done about it
            for level in ["stop", "warn"] if finding["kind"] == "cycle" else ["warn"]:
                levels[level] += range(finding["earliest_step"], max(finding["end"], finding["earliest_step"]) + 1)
                levels[f"{level} extent"] += range(finding["start"], finding["end"] + 1)
        said[report["trace_id"]] = levels
    return said, calls, seconds


def child_seconds():
    """Processor seconds of all finished child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def repeated(run, runs):
    """The first run's findings, and the median time of a call in µs over the runs that the time allows."""
    begun = time.monotonic()
    said, calls, seconds = run()
    spent = [seconds]
    while len(spent) < runs and time.monotonic() - begun < SECONDS_FOR_RUNS:
        spent.append(run()[2])
    return said, statistics.median(spent) / max(calls, 1) * 1e6, len(spent)


# Scoring --------------------------------------------------------------------------------------------------------------


def wilson(hits, of):
    """95 % interval of a share."""
    if not of:
        return "–"
    z, p = 1.96, hits / of
    half = z * ((p * (1 - p) + z * z / (4 * of)) / of) ** 0.5
    centre, scale = p + z * z / (2 * of), 1 + z * z / of
    return f"{max(0, (centre - half) / scale):.2f}–{min(1, (centre + half) / scale):.2f}"


def score(windows, said, level):
    """The cells of a row: precision, recall, F1, cycles owed and found, false alarms."""
    hits = [any(w["start"] <= step <= w["end"] for step in said[w["trace_id"]][level]) for w in windows]
    pairs = list(zip(windows, hits))
    found = sum(hit for w, hit in pairs if w["label"] == "unproductive")
    alarms = sum(hit for w, hit in pairs if w["label"] == "productive")
    unproductive = sum(w["label"] == "unproductive" for w in windows)
    owed = [hit for w, hit in pairs if w["label"] == "unproductive" and w.get("scope") == "stop"]
    precision = f"{found / (found + alarms):.2f} ({wilson(found, found + alarms)})" if found + alarms else "–"
    return [
        precision,
        f"{found / unproductive:.2f} ({wilson(found, unproductive)})",
        f"{2 * found / (found + alarms + unproductive):.2f}",
        f"{sum(owed)} of {len(owed)}",
        f"{alarms} of {len(windows) - unproductive}",
    ]


def select(windows, folder, to):
    """Write the traces that the windows need to `to`; return the windows whose trace is there, and the number of tool calls."""
    wanted, found, calls = {w["trace_id"] for w in windows}, set(), 0
    for dataset in sorted({w["dataset"] for w in windows}):
        for path in sorted(Path(folder).glob(f"{dataset}.ndjson*")):
            with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as lines:
                for line in lines:
                    trace = json.loads(line)
                    if trace["trace_id"] in wanted - found:
                        found.add(trace["trace_id"])
                        calls += sum(map(is_call, trace["steps"]))
                        to.write(json.dumps(trace) + "\n")
    to.flush()
    return [w for w in windows if w["trace_id"] in found], calls


# The table ------------------------------------------------------------------------------------------------------------


def detectors(binary, traces, calls):
    """(name, run) of every detector, in the table's order; `run` raises Failed where it cannot."""
    try:
        version = output_of(binary, "--version").split()[-1]
    except Failed:
        version = "?"
    yield f"wheelspin {version}", lambda: run_wheelspin(binary, traces, calls)
    try:
        python, versions = install_pypi()
    except Failed as reason:
        python, versions = None, dict.fromkeys(PEERS, reason)
    for name in PEERS:
        yield entry(name, "PyPI", versions[name], [python, HERE / "replay.py", name], traces)
    try:
        runner, versions = install_crates()
    except Failed as reason:
        runner, versions = None, dict.fromkeys(CRATES, reason)
    for name in CRATES:
        yield entry(name, "crate", versions[name], [runner, name], traces)
    for name in RULES:
        yield f"rule: {name}", lambda name=name: run_replay([sys.executable, HERE / "replay.py", name], traces)


def entry(name, registry, version, command, traces):
    """A peer's name and run; where its version is a failure to install, the run raises that."""

    def run():
        if isinstance(version, Failed):
            raise version
        return run_replay(command, traces)

    return f"{name} {'' if isinstance(version, Failed) else version + ' '}({registry})", run


def row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels")
    parser.add_argument("traces")
    parser.add_argument("--wheelspin", default=ROOT / "target" / "release" / "wheelspin")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", action="append", default=[], help="detectors whose name contains this")
    options = parser.parse_args()

    HOME.mkdir(parents=True, exist_ok=True)
    labelled = [json.loads(line) for line in open(options.labels)]
    notes = []
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as traces:
        windows, calls = select(labelled, options.traces, traces)
        if not windows:
            sys.exit("compare: no labelled window has its trace in that folder")
        if len(windows) < len(labelled):
            notes.append(f"{len(labelled) - len(windows)} windows are left out: their traces are missing.")
        row("detector", "level", "precision (95 %)", "recall (95 %)", "F1", "cycles owed and found", "false alarms",
            "CPU µs a call")
        row("---", "---", "---", "---", "--:", "--:", "--:", "--:")
        for name, run in detectors(options.wheelspin, traces.name, calls):
            if options.only and not any(part in name for part in options.only):
                continue
            try:
                said, micros, runs = repeated(run, options.runs)
            except Failed as reason:
                row(name, "–", f"not run: {reason}", *["–"] * 5)
                continue
            pace = f"{micros:,.1f}" if micros < 100 else f"{micros:,.0f}"
            if runs < options.runs:
                notes.append(f"{name} was timed {runs} of {options.runs} times: it is slow.")
            levels = ["stop"] if any(map(name.startswith, ONE_LEVEL)) else ["stop", "warn"]
            for level in levels:
                row(name, level, *score(windows, said, level), pace if level == levels[0] else "")
            if "stop extent" in next(iter(said.values())):
                by_extent = [", ".join(score(windows, said, f"{level} extent")) for level in levels]
                notes.append(f"{name} scored by the whole extent of its findings, as if it had spoken from their first step: "
                             f"stop {by_extent[0]}; warn {by_extent[1]}.")
            errors = [text for trace in said.values() for text in trace["errors"].values()]
            if errors:
                # The first clause of the message: more of it may quote the trace.
                notes.append(f"{name} failed inside on {len(errors)} calls, which count as silence ({errors[0].split(';')[0]}).")
    print(f"\n{len(windows)} windows, {calls} tool calls.", *notes, sep="\n- ")


if __name__ == "__main__":
    main()
