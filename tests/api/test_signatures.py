"""Signatures of the public functions: `help` and completion list the keywords that functions share."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from support.processes import run_python

import enumerator as en

FUNCTIONS = [name for name in en.__all__ if inspect.isfunction(getattr(en, name))]
SHARED = ("time_limit", "progress", "shape", "cores", "engine")


def parameters(name: str) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(getattr(en, name)).parameters)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_keyword_has_a_name(name: str) -> None:
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in parameters(name).values())


@pytest.mark.parametrize("name", ["clues", "sample", "solutions", "solutions_array", "different", "verify"])
def test_shared_keywords_are_those_of_count(name: str) -> None:
    ours, theirs = parameters(name), parameters("count")
    assert [ours[keyword] for keyword in SHARED] == [theirs[keyword] for keyword in SHARED]


def test_a_function_keeps_its_own_parameters() -> None:
    assert [*parameters("sample")] == ["board", "n", "seed", *SHARED]
    own = parameters("estimate")["probes"]
    assert (own.kind, own.default, own.annotation) == (own.KEYWORD_ONLY, None, "int | None")
    assert inspect.signature(en.clues).return_annotation == "CluesAnswer"
    assert "def verify" in inspect.getsource(en.verify)


@pytest.mark.parametrize(
    ("name", "arguments"), [("clues", ["1.....2..3.....4"]), ("generate", []), ("nth", ["." * 16, 0])]
)
def test_defaults_are_what_a_call_without_keywords_does(name: str, arguments: list[Any]) -> None:
    defaults = {each.name: each.default for each in parameters(name).values() if each.kind is each.KEYWORD_ONLY}
    assert None in defaults.values()
    assert getattr(en, name)(*arguments, **defaults)
    bound = inspect.signature(getattr(en, name)).bind(*arguments, **defaults)
    assert bound.kwargs == defaults


def test_signatures_do_not_import_inspect() -> None:
    run_python(
        "import enumerator as en, sys; en.clues, en.count, en.nth; assert 'inspect' not in sys.modules", status=0
    )
