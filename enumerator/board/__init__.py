"""Boards: shape, clues, text in and out, files. Nothing here depends on solving.

Modules:

    shape.py               Shape: box height × box width, symbols, units
    board.py               Board: a shape and its clues
    symmetry.py            Symmetry: exchanges of rows, columns and digits; the group of a shape
    canonical/             one board chosen from all that are symmetric to it
    unavoidable_sets.pyx   sets of cells of a full board that can be filled in another way
    isolating.pyx          the fewest clues that leave one of many full boards
    conflicts.py           Conflict: clues that contradict each other
    masks.py               pencil marks, and the candidates that clues leave
    coerce.py              anything that is a board, as a Board
    plain_lines.py         a line that is a whole board, read fast
    symbols.py             the digit that a symbol or a number in a text means
    reading/               text to boards, one at a time: a new input format goes here
    links/                 links to puzzles on the web, decoded and written; nothing is fetched
    sources.py             the bytes of a file, decompressed and as UTF-8
    archives.py            the only file of a zip archive
    files.py               files and standard input, one board or many one-line boards at a time
    writing.py             boards to text: a new output format goes here
    heat_map.py            the colours of a heat map
    pictures.py            boards and candidates as SVG and HTML
"""

from enumerator.board.board import Board
from enumerator.board.shape import Shape

__all__ = ["Board", "Shape"]
