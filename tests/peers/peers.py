"""The peers from PyPI, each driven as its own documentation drives it.

Every entry of PEERS imports its package and returns what makes one detector. `call` gets a finished tool call and answers
"stop", "warn" or None: what the peer itself names so. Where a peer looks at other things too (dangerous commands, call rates,
drift from a task), only what it says of repetition counts. A peer that takes nothing but an object for arguments gets plain
text as `{"input": text}`.
"""


def as_object(args):
    return args if isinstance(args, dict) else {} if args is None else {"input": args}


def agent_loop_guard():
    """`LoopGuard().check(tool, args, output)`; the output is optional and turns its stagnation strategy on."""
    from loop_guard import Action, LoopGuard

    levels = {Action.WARN: "warn", Action.STOP: "stop", Action.ESCALATE: "stop"}

    class Peer:
        def __init__(self):
            self.guard = LoopGuard()

        def call(self, tool, args, output, error):
            return levels.get(self.guard.check(tool=tool, args=args, output=output).action)

    return Peer


def agent_patrol():
    """`PatrolMonitor().observe(action, result)`. Without a task description drift and abandonment stay silent; futile cycle,
    oscillation and stall remain. A critical report is a stop."""
    import json

    from agent_patrol import PatrolMonitor, Severity

    class Peer:
        def __init__(self):
            self.monitor = PatrolMonitor()

        def call(self, tool, args, output, error):
            action = f"{tool} {args if isinstance(args, str) else json.dumps(args)}"
            report = self.monitor.observe(action, output or "")
            if report.is_healthy:
                return None
            return "stop" if report.severity == Severity.CRITICAL else "warn"

    return Peer


def nakata_agentguard():
    """`AgentGuard().record(tool, args, output)`. Any loop halts by default. Its rate limit would take the speed of the replay for
    the agent's, so the loop report is read, not the action."""
    from agentguard import AgentGuard

    class Peer:
        def __init__(self):
            self.guard = AgentGuard()

        def call(self, tool, args, output, error):
            return "stop" if self.guard.record(tool, as_object(args), output=output).loop else None

    return Peer


def loop_guardrail():
    """`before_call`, then `after_call` unless it blocked, with hard stops on as in the README (off by default). An error flag of
    the trace is passed on; without one it classifies the result. `reset_for_turn`, which the README does not mention, is not
    called."""
    from loop_guardrail import ToolCallGuardrailConfig, ToolCallGuardrailController

    class Peer:
        def __init__(self):
            self.controller = ToolCallGuardrailController(ToolCallGuardrailConfig(hard_stop_enabled=True))

        def call(self, tool, args, output, error):
            decision = self.controller.before_call(tool, as_object(args))
            if decision.allows_execution:
                decision = self.controller.after_call(tool, as_object(args), output, failed=error)
            return "stop" if decision.should_halt else "warn" if decision.action == "warn" else None

    return Peer


def agent_loop_breaker():
    """`should_stop(events)` over the events so far, asked after every call."""
    from agent_loop_breaker import should_stop

    class Peer:
        def __init__(self):
            self.events = []

        def call(self, tool, args, output, error):
            self.events.append({"tool": tool, "args": args, "output": output})
            return "stop" if should_stop(self.events) else None

    return Peer


PEERS = {
    "agent-loop-guard": agent_loop_guard,
    "agent-patrol": agent_patrol,
    "nakata-agentguard": nakata_agentguard,
    "loop-guardrail": loop_guardrail,
    "agent-loop-breaker-py": agent_loop_breaker,
}
