"""Wrong arguments in Python: a TypeError or ValueError whose message names the argument."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from support.boards import PUZZLE

import enumerator as en

QUESTIONS: dict[str, Callable[..., Any]] = {
    "count": en.count,
    "verify": en.verify,
    "solve": en.solve,
    "classify": en.classify,
    "candidates": en.candidates,
    "count_answer": en.count_answer,
    "estimate": en.estimate,
    "solutions": en.solutions,
    "write_solutions": lambda board, **more: en.write_solutions(board, "/nowhere/list", **more),
    "nth": lambda board, **more: en.nth(board, 0, **more),
    "sample": lambda board, **more: en.sample(board, 1, **more),
}

ASK: Any = en
"""The package without its types, for arguments that are wrong on purpose."""

WRONG: list[tuple[str, Any, type[Exception]]] = [
    ("cores", 0, ValueError),
    ("cores", -3, ValueError),
    ("cores", "two", TypeError),
    ("cores", 1.5, TypeError),
    ("cores", True, TypeError),
    ("engine", "fast", ValueError),
    ("engine", "", ValueError),
    ("engine", None, TypeError),
    ("time_limit", "5", TypeError),
    ("time_limit", True, TypeError),
    ("time_limit", 0, ValueError),
    ("time_limit", -1.5, ValueError),
    ("time_limit", float("nan"), ValueError),
    ("progress", "yes", TypeError),
    ("progress", 1, TypeError),
]


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize(("argument", "value", "error"), WRONG)
def test_a_wrong_argument_is_named(name: str, argument: str, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"^{argument} must be ") as caught:
        QUESTIONS[name](PUZZLE, **{argument: value})
    assert re.search(re.escape(str(value)) if value != "" else "''", str(caught.value))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_misspelt_keyword_is_named(name: str) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'tine_limit'"):
        QUESTIONS[name](PUZZLE, tine_limit=5)


@pytest.mark.parametrize(
    ("ask", "argument"),
    [
        (partial(ASK.count, PUZZLE, limit=-1), "limit"),
        (partial(ASK.count, PUZZLE, limit=2.5), "limit"),
        (partial(ASK.solutions, PUZZLE, limit="3"), "limit"),
        (partial(ASK.count, PUZZLE, time_limit=10**400), "time_limit"),
        (partial(ASK.count, PUZZLE, limit=True), "limit"),
        (partial(ASK.nth, PUZZLE, True), "n"),
        (partial(ASK.sample, PUZZLE, 1, seed=False), "seed"),
        (partial(ASK.count, PUZZLE, checkpoint=""), "checkpoint"),
        (partial(ASK.write_solutions, PUZZLE, ""), "path"),
        (partial(ASK.solutions, PUZZLE, checkpoint=5), "checkpoint"),
        (partial(ASK.write_solutions, PUZZLE, None), "path"),
        (partial(ASK.write_solutions, PUZZLE, "/nowhere/list", limit=-1), "limit"),
        (partial(ASK.nth, PUZZLE, -1), "n"),
        (partial(ASK.nth, PUZZLE, 1.5), "n"),
        (partial(ASK.sample, PUZZLE, -1), "n"),
        (partial(ASK.sample, PUZZLE, "many"), "n"),
        (partial(ASK.sample, PUZZLE, 1, seed="x"), "seed"),
        (partial(ASK.sample, PUZZLE, 1, seed=-1), "seed"),
        (partial(ASK.generate, seed=-1), "seed"),
        (partial(ASK.estimate, PUZZLE, seed=0.5), "seed"),
        (partial(ASK.estimate, PUZZLE, probes=0), "probes"),
        (partial(ASK.estimate, PUZZLE, time_limit=1, seed=1), "time_limit"),
        (partial(ASK.estimate, PUZZLE, time_limit=1, probes=1), "time_limit"),
        (partial(ASK.status, None), "checkpoint"),
        (partial(ASK.audit, 3), "checkpoint"),
        (partial(ASK.audit, "run.db", share=1.5), "share"),
        (partial(ASK.audit, "run.db", share="all"), "share"),
        (partial(ASK.audit, "run.db", time_limit=0), "time_limit"),
        (partial(ASK.audit, "run.db", progress=3), "progress"),
    ],
)
def test_other_wrong_arguments_are_named_too(ask: Callable[[], object], argument: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{argument} must be "):
        ask()


def test_an_iterator_refuses_wrong_arguments_at_once() -> None:
    with pytest.raises(ValueError, match="cores"):
        en.solutions(PUZZLE, cores=0)


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_engine_that_cannot_count_a_board_says_so(name: str) -> None:
    with pytest.raises(ValueError, match="too large for the contraction"):
        QUESTIONS[name]("." * 256, engine="contraction")


def test_an_infinite_time_limit_is_none() -> None:
    assert en.count(PUZZLE, time_limit=float("inf")) == 1
    assert len(list(en.solutions(PUZZLE, time_limit=float("inf")))) == 1


def test_a_sample_that_does_not_fit_into_memory_is_refused_at_once() -> None:
    with pytest.raises(MemoryError, match="pass a smaller n"):
        en.sample(PUZZLE, 10**50)
