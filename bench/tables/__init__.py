"""The tables of results/: kinds of rows, files, facts about the machine, and analysis.

Modules:

    rows.py       the kinds of rows
    table.py      files of measurements, as CSV, and their origin
    machine.py    facts about the machine, written above the rows
    analysis.py   complete rounds, speed-ups, crowding, correlations
    timeline.py   who worked when, and what was lost of the cores' time
    stats.py      means, intervals and correlations
    text.py       tables as text
"""
