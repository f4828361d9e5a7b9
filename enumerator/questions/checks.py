"""Checks of the arguments of the public functions. Messages name the argument."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, suppress
from math import isnan
from operator import index
from typing import Literal, TypeAlias, TypedDict

from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.board.coerce import BoardLike, ShapeLike, as_board
from enumerator.questions.ask import ProgressLike, Question, asking
from enumerator.run.plan import Plan

__all__ = ["BoardLike", "ProgressLike", "ShapeLike"]

PathLike: TypeAlias = str | os.PathLike[str]

EngineName: TypeAlias = Literal["auto", "search", "contraction", "learning"]
"""The names of `engines.names()`, so that editors and type checkers know them."""


class Timed(TypedDict, total=False):
    """The keywords of all questions."""

    time_limit: float | None
    progress: ProgressLike


class Keywords(Timed, total=False):
    """The keywords that the public functions share. `count` has them, too, and says what they mean."""

    shape: ShapeLike | None
    cores: int | None
    engine: EngineName


def check_whole(name: str, value: object, least: int) -> int:
    """Return a whole number; raise TypeError or ValueError if it is none, or less than `least`."""
    number = check_integer(name, value)
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def check_seconds(name: str, value: object) -> float:
    """Return a time in seconds; raise TypeError or ValueError if it is no number greater than 0."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{name} must be a number of seconds, not {describe(value)}")
    try:
        seconds = float(value)
    except OverflowError:  # an integer of more than 308 digits
        raise ValueError(f"{name} must be a number of seconds, or None for no limit, not {describe(value)}") from None
    if isnan(seconds) or seconds <= 0:
        raise ValueError(f"{name} must be greater than 0 seconds, not {seconds:g}")
    return seconds


def check_share(name: str, value: object) -> float:
    """Return a share; raise TypeError or ValueError if it is no number between 0 and 1."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{name} must be a number between 0 and 1, not {describe(value)}")
    share = float(value)
    if not 0 <= share <= 1:
        raise ValueError(f"{name} must be between 0 and 1, not {share:g}")
    return share


def check_path(name: str, value: object) -> str:
    """Return the name of a file; raise TypeError or ValueError if it is none."""
    try:
        path = os.fsdecode(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be the path of a file, not {describe(value)}") from None
    if not path:
        raise ValueError(f"{name} must be the path of a file, not an empty string")
    return path


def check_seed(value: object) -> int | None:
    """Return the seed of random numbers, at least 0; None: each call has others."""
    return None if value is None else check_whole("seed", value, 0)


def check_integer(name: str, value: object) -> int:
    """Return a whole number of either sign; raise TypeError if it is none, or True or False."""
    if not isinstance(value, bool):
        with suppress(TypeError):
            return index(value)  # type: ignore[arg-type]
    raise TypeError(f"{name} must be a whole number, not {describe(value)}")


def check_engine(board: Board, engine: object) -> None:
    """Raise TypeError or ValueError for an unknown engine, and for one that cannot count the board."""
    if not isinstance(engine, str):
        raise TypeError(f"engine must be a string, not {describe(engine)}")
    if engine == engines.AUTO:
        return
    if engine not in engines.MODULES:
        raise ValueError(f"engine must be one of {', '.join(engines.names())}: {engine!r} is not an engine")
    engines.get(engine).check(board)


def check_progress(progress: object) -> None:
    """Raise TypeError if `progress` is neither a function nor True, False or None."""
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise TypeError(f"progress must be a function or True, not {describe(progress)}")


def make_plan(
    board: Board,
    time_limit: float | None,
    cores: int | None,
    engine: EngineName,
    progress: ProgressLike,
    limit: int | None = None,
) -> Plan:
    """Return the plan of a question; raise TypeError or ValueError for wrong arguments."""
    if engine != engines.AUTO:
        check_engine(board, engine)
    if time_limit is not None:
        check_seconds("time_limit", time_limit)
    if progress is not None:
        check_progress(progress)
    return Plan(
        None if cores is None else check_whole("cores", cores, 1),
        None if limit is None else check_whole("limit", limit, 0),
        engine=engine,
    )


def check_names(keywords: Timed, known: type[Timed]) -> None:
    """Raise TypeError if a function has no keyword of one of these names."""
    if unknown := keywords.keys() - known.__annotations__.keys():
        raise TypeError(f"unexpected keyword argument {min(unknown)!r}")


def read_asked(board: BoardLike, keywords: Keywords, limit: int | None = None) -> tuple[Board, Plan]:
    """Return the board and the plan of a question; raise TypeError or ValueError for wrong arguments."""
    check_names(keywords, Keywords)
    asked = as_board(board, keywords.get("shape"))
    time_limit, progress = keywords.get("time_limit"), keywords.get("progress")
    return asked, make_plan(asked, time_limit, keywords.get("cores"), keywords.get("engine", "auto"), progress, limit)


def asking_with(
    undone: str, keywords: Timed, *, has_deadline: bool = True, stage: str = ""
) -> AbstractContextManager[Question]:
    """Ask a question in a block, as `asking` does, with the time limit and the progress of `keywords`."""
    seconds, progress = keywords.get("time_limit"), keywords.get("progress")
    return asking(undone, seconds, progress, has_deadline=has_deadline, stage=stage)


def make_batch_plan(
    time_limit: float | None,
    cores: int | None,
    engine: EngineName = "auto",
    progress: ProgressLike = None,
    limit: int | None = None,
) -> Plan:
    """Return the plan of a question about many boards; raise TypeError or ValueError for wrong arguments."""
    any_board = Board.empty(Shape(2, 2))  # a board that the engine does not take raises when its turn comes
    return make_plan(any_board, time_limit, cores, engine, progress, limit)


def describe(value: object) -> str:
    """Return a value as messages show it: with its type if that tells more."""
    text = repr(value)
    return text if len(text) < 40 else f"a {type(value).__name__}"
