"""The trace of a count: who worked when, recorded beside the count and written as text at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.run.plan import Plan
from enumerator.run.signals import deferred_signals
from enumerator.run.trace import Tracer
from enumerator.run.trace_events import trace_text

if TYPE_CHECKING:
    from enumerator.questions.count import CountAnswer

__all__ = ["Tracer", "deferred_signals", "text_of_trace", "traced"]


def traced(plan: Plan) -> tuple[Tracer, Plan]:
    """Return an observer that keeps what happens, messages included, and the plan with it."""
    tracer, on_message = Tracer(), plan.on_message

    def pass_on(message: str) -> None:
        tracer.on_message(message)
        on_message(message)

    return tracer, plan._replace(observer=tracer, on_message=pass_on)


def text_of_trace(tracer: Tracer, source: str, answer: CountAnswer) -> str:
    """Return the trace of a count that has ended, as trace events in JSON."""
    tracer.finish(answer.tasks, answer.nodes, answer.effort or answer.nodes, answer.solutions, answer.seconds)
    return trace_text(tracer, {"source": source, **answer.to_dict()})
