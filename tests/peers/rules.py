"""Rules that agents in the field use against loops, in a few lines each.

Two calls are identical when tool and arguments are equal, whatever the order of the keys; two results when their texts are. A
missing result is equal to a missing one, as it is in a program that compares what it has. A rule speaks at the call that
fulfils it and at each further one that still does. Messages between the calls are overlooked.
"""
import json


class Periods:
    """The latest calls are a block of at most `longest` calls, `passes` times back to back."""

    def __init__(self, longest, passes, results=False):
        self.longest, self.passes, self.results, self.seen = longest, passes, results, []

    def call(self, tool, args, output, error):
        key = (tool, json.dumps(args, sort_keys=True))
        self.seen.append((key, output) if self.results else key)
        return "stop" if any(self.repeats(period) for period in range(1, self.longest + 1)) else None

    def repeats(self, period):
        block = self.seen[-period * self.passes:]
        return len(block) == period * self.passes and block[period:] == block[:-period]


RULES = {
    "3 identical calls in a row": lambda: Periods(1, 3),
    "5 identical calls in a row": lambda: Periods(1, 5),
    "periods 1–5, 5 times": lambda: Periods(5, 5),
    "call and result 3 times in a row": lambda: Periods(1, 3, results=True),
    "call and result 4 times in a row": lambda: Periods(1, 4, results=True),
}
