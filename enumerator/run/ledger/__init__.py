"""The ledger: a file that records which parts of a run are done, and their results.

Modules:

    facts.py      the facts about a run: their names, values and forms
    contents.py   the contents of the file, and their validation; reading
    ledger.py     the ledger of a running question; writing
"""

from enumerator.run.ledger.contents import LedgerContents, LedgerError, LedgerRow, read_ledger
from enumerator.run.ledger.facts import run_identity
from enumerator.run.ledger.ledger import Ledger, LedgerLostError, PartCodec, check_engine_version

__all__ = [
    "Ledger",
    "LedgerContents",
    "LedgerError",
    "LedgerLostError",
    "LedgerRow",
    "PartCodec",
    "check_engine_version",
    "read_ledger",
    "run_identity",
]
