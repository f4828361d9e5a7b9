"""Calls that are sent to the workers of a cluster, and the errors of a cluster.

The scheduler unpickles the messages it receives, and should not need `enumerator` for that. So a
message is a call of `pickle.loads` on bytes. A worker unpickles these bytes, which calls `perform`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import TypeVar

from enumerator import __version__
from enumerator.run.endings import RunLostError

Result = TypeVar("Result")


class ClusterError(RunLostError):
    """A cluster cannot be used. The message says why."""


class ClusterLostError(ClusterError):
    """The scheduler was lost, or could not be reached."""


class VersionError(ClusterError):
    """A worker has another version of this package."""


class DesertedError(ClusterError):
    """All workers that could have run a task are gone."""


class Call:
    """A function call that is performed when it is unpickled."""

    def __init__(self, function: Callable[..., object], *args: object) -> None:
        self.parts = f"{__version__}, {sources()}", function, args

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return perform, self.parts


def perform(version: str, function: Callable[..., Result], args: tuple[object, ...]) -> Result:
    """Call a function on a worker. Raise VersionError if the worker has another version."""
    if version != (own := f"{__version__}, {sources()}"):
        raise VersionError(f"enumerator {own} there, {version} here")
    return function(*args)


@lru_cache
def sources() -> str:
    """Return a checksum of this package's sources.

    Development versions share one version number.
    """
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
