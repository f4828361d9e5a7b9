"""The ledger: a file that remembers which parts of a run are done, and what was found in them.

contents.py   what is in the file, and the checks that it is whole; reading
ledger.py     the ledger of a run that is under way; writing
"""

from enumerator.run.ledger.contents import LedgerContents, LedgerError, LedgerRow, read_ledger
from enumerator.run.ledger.ledger import Ledger, LedgerLostError, PartCodec, run_identity

__all__ = [
    "Ledger",
    "LedgerContents",
    "LedgerError",
    "LedgerLostError",
    "LedgerRow",
    "PartCodec",
    "read_ledger",
    "run_identity",
]
