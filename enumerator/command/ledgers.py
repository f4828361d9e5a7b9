"""Ledgers, as the command opens them."""

from __future__ import annotations

from enumerator.command.request import Request
from enumerator.run.ledger import Ledger


def open_ledger(source: str, identity: dict[str, str], request: Request) -> Ledger:
    """Open the ledger of the option --checkpoint, new or resumed. Raise LedgerError."""
    name = source.encode(errors="backslashreplace").decode()  # the name of a file need not be text
    return Ledger(request.options.checkpoint, identity, {"name": name}, request.plan.pacing)
