"""Signatures for `help` and completion: those of functions that share keywords with others."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from enumerator.questions.checks import Timed

Function = TypeVar("Function", bound=Callable[..., object])

VARIABLE_KEYWORDS = 0x08
"""The flag of the code of a function with `**keywords`: `inspect.CO_VARKEYWORDS`. Importing `inspect` takes 4 ms."""

DEFAULTS = {"engine": "auto", "symmetry": "none"}
"""The defaults of shared keywords that are not None."""


def sharing(shared: type[Timed]) -> Callable[[Function], Function]:
    """Return a decorator: `inspect.signature` then lists the keywords of `shared` instead of `**keywords`.

    It follows `__wrapped__` to a function that is never called, and has these keywords as its own.
    """

    def show(function: Function) -> Function:
        shown = cast("FunctionType", function)
        code, names = shown.__code__, [*shared.__annotations__]
        own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        stub = FunctionType(
            (lambda: None).__code__.replace(
                co_name=code.co_name,
                co_filename=code.co_filename,
                co_firstlineno=code.co_firstlineno,
                co_flags=code.co_flags & ~VARIABLE_KEYWORDS,
                co_argcount=code.co_argcount,
                co_kwonlyargcount=code.co_kwonlyargcount + len(names),
                co_varnames=(*own, *names),
                co_nlocals=len(own) + len(names),
            ),
            shown.__globals__,
            shown.__name__,
            shown.__defaults__,
        )
        stub.__kwdefaults__ = {**(shown.__kwdefaults__ or {}), **{name: DEFAULTS.get(name) for name in names}}
        kinds = {name: getattr(kind, "__forward_arg__", kind) for name, kind in shared.__annotations__.items()}
        stub.__annotations__ = {name: kind for name, kind in shown.__annotations__.items() if name in (*own, "return")}
        stub.__annotations__ |= kinds
        shown.__dict__["__wrapped__"] = stub
        return function

    return show
