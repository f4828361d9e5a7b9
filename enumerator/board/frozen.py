"""Frozen values. `dataclasses` imports `inspect`, which takes as long as a tenth of a short command."""

from __future__ import annotations

from typing import NoReturn


class Frozen:
    """A value whose slots are set once, by `object.__setattr__`."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is a frozen value: {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is a frozen value: {name!r} cannot be deleted")
