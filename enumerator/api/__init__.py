"""The public functions: boards and plain arguments in, plain values out.

    questions.py   the questions about one board, or about a ledger
    batches.py     the questions about many boards

`enumerator/__init__.py` exports them lazily. `enumerator/questions/` implements them.
"""
