"""The names of the server: which header Host a request may have, and which Origin.

A browser sends the name and the port of the address that it has opened. A foreign name that points to this
machine (DNS rebinding) is told by that header, and so is another port.

    own        the names of this machine and the address of --host, with the port of this server
    numeric    with `is_open` (--host 0.0.0.0), any numeric address with this port: it cannot be rebound
    allowed    names of --allow-host, for a page behind a proxy: NAME with any port or none, NAME:PORT with that port

A proxy must pass on Host as it is. It may speak HTTPS, so an allowed name is also an Origin by https.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address

HTTP_PORT = 80
"""The port that browsers leave out."""

LAST_PORT = 65_535
"""The largest port."""

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(:(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class Hosts:
    """What the header Host of a request may be."""

    own: frozenset[str]
    """The names of this server, in lower case and without a port."""
    port: int
    is_open: bool = False
    """True if any numeric address is a name, too."""
    allowed: frozenset[str] = frozenset()
    """Names that the user has allowed, each with or without a port."""

    def origins(self, host: str) -> tuple[str, ...]:
        """Return the origins of the page under the name `host`, a header Host; () if it is not a name of the server."""
        found = _HOST.fullmatch(host.lower())
        if not found:
            return ()
        name, port = found["name"], found["port"]
        if name in self.allowed or found[0] in self.allowed:
            return f"http://{host}", f"https://{host}"
        is_name = name in self.own or (self.is_open and _is_numeric(name))
        is_port = port == str(self.port) or (port is None and self.port == HTTP_PORT)
        return (f"http://{host}",) if is_name and is_port else ()


def make_hosts(host: str, port: int, allowed: Iterable[str] = ()) -> Hosts:
    """Return the names of a server that listens on `host` and `port`. `allowed` are checked names."""
    names = {"127.0.0.1", "localhost", f"[{host}]" if ":" in host else host.lower()}
    if not is_local(host):
        names.add(socket.gethostname().lower())
    return Hosts(frozenset(names), port, is_any(host), frozenset(allowed))


def check_allowed(name: object) -> str:
    """Return a name for --allow-host in lower case. Raise TypeError or ValueError if it is not NAME or NAME:PORT."""
    if not isinstance(name, str):
        raise TypeError(f"a host to allow must be a string, not {type(name).__name__}")
    found = _HOST.fullmatch(name.lower())
    if not found or int(found["port"] or 0) > LAST_PORT:
        raise ValueError(f"{name!r} is not NAME or NAME:PORT, such as sudoku.example or sudoku.example:8443")
    return found[0]


def is_any(host: str) -> bool:
    """Return True if `host` means all addresses of this machine."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def is_local(host: str) -> bool:
    """Return True if only this machine can reach `host`."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _is_numeric(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
