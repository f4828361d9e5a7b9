"""Calls that travel to the workers of a cluster, and the errors of a cluster.

The scheduler unpickles what it is sent, and must not need `enumerator` for that. So it is sent a call of
`pickle.loads`, with bytes that call `perform` where they are unpickled: on a worker.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import TypeVar

from enumerator import __version__
from enumerator.run.plan import RunLostError

Result = TypeVar("Result")


class ClusterError(RunLostError):
    """A cluster that cannot be used. Says why."""


class ClusterLostError(ClusterError):
    """The scheduler is gone, or was never there."""


class VersionError(ClusterError):
    """A worker has another version of this package."""


class DesertedError(ClusterError):
    """All workers that might have done a task are gone."""


class Call:
    """A call of a function; unpickling it performs it."""

    def __init__(self, function: Callable[..., object], *args: object) -> None:
        self.parts = f"{__version__}, {sources()}", function, args

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return perform, self.parts


def perform(version: str, function: Callable[..., Result], args: tuple[object, ...]) -> Result:
    """Call a function, on a worker. Raise VersionError if it has another version."""
    if version != (own := f"{__version__}, {sources()}"):
        raise VersionError(f"enumerator {own} there, {version} here")
    return function(*args)


@lru_cache
def sources() -> str:
    """Return a checksum of the sources of this package: versions in development have the same number."""
    package = Path(__file__).parent.parent
    digest = sha256()
    for path in sorted(path for ending in ("py", "pyx", "h") for path in package.rglob(f"*.{ending}")):
        digest.update(path.read_bytes())
    return f"sources {digest.hexdigest()[:8]}"


def installed_version() -> str:
    """Return the version of this package as a worker would report it."""
    try:
        return metadata.version("enumerator")
    except metadata.PackageNotFoundError:
        return __version__
