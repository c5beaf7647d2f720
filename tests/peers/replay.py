"""Replay traces through one detector and say at which steps it speaks.

The protocol is the same for every detector, whatever its language: plain traces on standard input, one JSON object a line;
on standard output one line a trace, `{"trace_id", "stop": [step…], "warn": [step…], "errors": {step: text}}`, and a last line
`{"calls", "seconds"}`: tool calls replayed and the processor time spent inside the detector. A step is its index in the trace.

  replay.py NAME < traces      NAME is a key of peers.PEERS or rules.RULES

A detector sees tool calls only, each with its result, in the trace's order, whoever made them; it is built anew for each
trace. Messages, also the user's, are not calls and are left out: no peer's documentation asks for them. What a detector raises by
accident is recorded as an error at that step, and the replay goes on.
"""
import json, sys, time


def is_call(step):
    return step.get("kind", "tool") not in ("user", "message", "summary")


def replay(detector, steps):
    """What one fresh detector says of one trace, and the processor seconds that it took."""
    said, errors, calls, seconds = {"stop": [], "warn": []}, {}, 0, 0.0
    for index, step in enumerate(steps):
        if not is_call(step):
            continue
        begun = time.process_time()
        try:
            level = detector.call(step["tool"], step.get("args"), step.get("output"), step.get("error"))
        except Exception as error:
            level, errors[index] = None, f"{type(error).__name__}: {error}"
        seconds += time.process_time() - begun
        calls += 1
        if level == "stop":
            said["stop"].append(index)
        if level in ("stop", "warn"):
            said["warn"].append(index)
    return said | {"errors": errors}, calls, seconds


def main(name):
    from rules import RULES

    if name in RULES:
        make = RULES[name]
    else:
        from peers import PEERS

        make = PEERS[name]()
    total_calls, total_seconds = 0, 0.0
    for line in sys.stdin:
        trace = json.loads(line)
        said, calls, seconds = replay(make(), trace["steps"])
        total_calls += calls
        total_seconds += seconds
        print(json.dumps({"trace_id": trace["trace_id"]} | said))
    print(json.dumps({"calls": total_calls, "seconds": total_seconds}))


if __name__ == "__main__":
    main(sys.argv[1])
