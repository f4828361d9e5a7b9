"""The ledger: a file that remembers which tasks of a run are done, and what was found in them."""
