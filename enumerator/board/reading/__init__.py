"""Text to boards, one at a time. Reading files is in `enumerator.board.files`.

    grid      size rows of size symbols; spaces, commas, bars, rulers and blank lines are ignored
    line      size² symbols; what follows a blank, a comma, a semicolon, a colon or # is ignored
    numbers   a grid or a line with a number for each cell, separated by spaces or commas
    table     a grid of fields between commas, semicolons, tabs or bars; a field may be empty
    column    the first column of a table that holds a board on each line
    drawing   a grid in a frame; text beside the frame is ignored; blanks may be empty cells
    list      a list of lists, as Python, numpy and JSON write it
    link      a link to a puzzle: `enumerator.board.links`
    marks     size³ symbols, a grid with several digits per cell, or our drawing of candidates

An empty cell is one of `. 0 _ * ? ·`; it is `-`, X or a blank where nothing else can be meant. Digits
above 9 are letters. Lines that begin with # are ignored. A 16×16 board with both 0 and another sign
for empty, and without G, has the digits 0 to F. Letters alone are A = 1 (`letters`).

A line that is no row and was not meant as one is a title (`grids.is_meant` is the rule). The size
follows from the rows (`grids` says how 16, 36 and 64 symbols are read).

Modules, in the order of the work:

    rows.py        a line to the cells of a row; look-ahead
    cells.py       cells to digits
    letters.py     boards of letters alone
    grids.py       rows to boards; what is wrong with rows that make none
    blocks.py      boards in which an empty cell is a blank, a dash or nothing
    marks.py       pencil marks
    nested.py      lists of lists
    several.py     several boards on one line
    written.py     lines of our own that name a shape
    frames.py      the boxes that a frame shows
    labels.py      tables with numbered columns
    addresses.py   links
    formats.py     the table of formats
    parser.py      the loop: formats, titles, errors
    entries.py     the results

To add a format of lines, write a RowFormat (`rows`). To add a format of several lines, write a
function from Rows to Found and add it to a table of `formats`. Either way, add a file to
tests/board/corpus: the tests read it, and `python -m bench fuzz boards` begins with it.
"""

from enumerator.board.plain_lines import one_line_shape
from enumerator.board.reading.entries import BoardError, Entry, single_board, warn_of_other_readings
from enumerator.board.reading.parser import Parser, parse
from enumerator.board.reading.rows import RowCells

__all__ = [
    "BoardError",
    "Entry",
    "Parser",
    "RowCells",
    "one_line_shape",
    "parse",
    "single_board",
    "warn_of_other_readings",
]
