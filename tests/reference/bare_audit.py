"""The audit of a bare trace, on the signature of signature.py.

Reads one plain trace a line and writes what the audit says of it, one line each:

    in   {"steps": [{"tool": "ls", "args": {"a": 1}}, ...], "max_steps": 10, "repeat_limit": 3}
    out  {"ok": true, "steps_used": 1, "violations": []}

`max_steps` (none) and `repeat_limit` (3) are the audit's own options, here beside the steps.
"""

import json
import sys
from itertools import groupby

from signature import load, read_value, sign


def kind_of(step):
    kind = step.get("kind", "tool")
    if kind == "message":
        return "user" if step.get("agent") == "user" else "summary"
    return kind


def audit(steps, max_steps, repeat_limit):
    calls = [
        (index, *sign(kind_of(step), step["tool"], *read_value(step.get("args"), [])))
        for index, step in enumerate(steps)
        if kind_of(step) in ("tool", "delegation")
    ]
    runs = [list(run) for _, run in groupby(calls, key=lambda call: call[1])]
    violations = [f"repeat_loop:{run[0][3]}@{run[0][0]}" for run in runs if len(run) >= repeat_limit]
    if max_steps is not None and len(calls) > max_steps:
        violations.append(f"step_limit:{max_steps}")
    violations.sort(key=str.encode)
    return {"ok": not violations, "steps_used": len(calls), "violations": violations}


def main():
    for line in sys.stdin.buffer:
        trace = load(line.decode("utf-8"))
        limits = {name: int(trace[name].form) for name in ("max_steps", "repeat_limit") if name in trace}
        answer = audit(trace["steps"], limits.get("max_steps"), limits.get("repeat_limit", 3))
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
