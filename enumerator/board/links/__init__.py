"""Links to puzzles: reading and writing them. Nothing is fetched.

    f-puzzles         https://www.f-puzzles.com/?load=N4Ig…
    SudokuPad         https://sudokupad.app/fpuzN4Ig…, /sclN4…, /53..7…; ?puzzleid= and older hosts
    SudokuWiki        https://www.sudokuwiki.org/sudoku.htm?bd=53..7…
    Sudoku Exchange   https://sudokuexchange.com/play/?s=53..7…
    ISS               https://sigh.github.io/Interactive-Sudoku-Solver/?q=.~R1C1_5~…

A link is read for its given digits and given pencil marks. What a solver has entered is left out. A
link with a rule that is not of plain Sudoku is refused, and so is one that names a puzzle on a
server.

Modules:

    fpuzzles.py    the JSON of f-puzzles; a rule that it may have gets its name here
    sudokupad.py   the other forms of SudokuPad
    plain.py       the sites whose links hold plain text
    lzstring.py    the compression of the first two
    payload.py     what they share: errors, limits, boxes

To add a site: write a function from the parts of a link to a Board, and add it to SITES.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from enumerator.board.board import Board
from enumerator.board.links.payload import LinkError, RemoteError
from enumerator.board.shape import Shape

WRITABLE = ("fpuzzles", "sudokupad", "sudokuwiki")
"""The sites that links can be written for."""

__all__ = ["WRITABLE", "LinkError", "board_of", "explain", "write_link"]

_LINK = re.compile(
    r"(?:https?://|(?<![\w.@/-])(?:www\.)?(?:f-puzzles\.com|sudokupad\.app|sudokuwiki\.org|sudokuexchange\.com)/)"
    r"[^\s<>\"'`,]+",
    re.IGNORECASE,
)
_PARTS = re.compile(r"(?:https?://)?(?:www\.)?([^/?#]*)([^?#]*)\??([^#]*)", re.IGNORECASE | re.DOTALL)

LEAST_CELLS = 16
"""The cells of the smallest board. Text before a link is a board if it has as many digits or blanks."""


class Parts(NamedTuple):
    """The parts of a link, without escapes."""

    host: str
    path: str
    query: dict[str, str]
    shape: Shape | None
    """The shape of the board, if the caller knows it."""


def board_of(line: str, shape: Shape | None = None) -> Board | None:
    """Return the board of the link on a line; None if the line has no link to a puzzle.

    Raise LinkError if the link has another shape than `shape`, or if its puzzle cannot be counted.
    """
    parts = find_link(line, shape)
    if parts is None or parts.host not in SITES:
        return None
    board = SITES[parts.host](parts)
    if board is not None and shape not in (None, board.shape):
        raise LinkError(f"the link has {board.shape.title} with boxes of {board.shape}, not of {shape}")
    return board


def later_boards(line: str, shape: Shape | None = None) -> Iterator[Board]:
    """Yield the boards of the links after the first one on a line. Links without a board are left out."""
    for link in _LINK.findall(line)[1:]:
        with suppress(LinkError):
            if (board := board_of(link, shape)) is not None:
                yield board


def explain(line: str) -> str:
    """Return why the link on a line is not a board, for a line that is no board either; or ""."""
    parts = find_link(line)
    if parts is None:
        return ""
    if parts.host in SHORTENERS:
        return str(RemoteError())
    from enumerator.board.links.payload import shown

    return (
        f"a link to {shown(parts.host)} without a puzzle that can be read"
        " (links of f-puzzles, SudokuPad, SudokuWiki, Sudoku Exchange and ISS are read)"
    )


def write_link(board: Board, site: str) -> str:
    """Return a link to a board on one of the sites WRITABLE. Raise LinkError if it has no such board.

    `f-puzzles`, the name of that site, is understood, too.
    """
    site = {"f-puzzles": "fpuzzles"}.get(site, site)
    if site not in WRITABLE:
        raise ValueError(f"{site!r} is not a site: use one of {', '.join(WRITABLE)}")
    if site == "sudokuwiki":
        if board.shape != Shape(3, 3):
            raise LinkError(f"{board.shape.title} with boxes of {board.shape} is not on SudokuWiki: it has 9×9 only")
        if board.allowed is not None:
            raise LinkError("a link to SudokuWiki cannot hold pencil marks")
        return "https://www.sudokuwiki.org/sudoku.htm?bd=" + "".join(map(str, board.cells))
    from urllib.parse import quote

    from enumerator.board.links.fpuzzles import encode
    from enumerator.board.links.lzstring import compress

    packed = compress(encode(board))
    if site == "fpuzzles":
        return f"https://www.f-puzzles.com/?load={packed}"
    return f"https://sudokupad.app/fpuz{quote(packed, safe='')}"


def find_link(line: str, shape: Shape | None = None) -> Parts | None:
    """Return the parts of the first link on a line; None if there is none, or a board before it."""
    match = _LINK.search(line)
    if not match or _is_like_a_board(line[: match.start()]):
        return None
    from urllib.parse import unquote

    parts = _PARTS.match(match[0].rstrip(")]}|;"))
    assert parts, "every part may be empty"
    pairs = (pair.partition("=") for pair in parts[3].replace("&amp;", "&").split("&"))
    query = {name.lower(): unquote(value).replace(" ", "+") for name, _, value in pairs}
    return Parts(parts[1].lower(), unquote(parts[2]).strip("/"), query, shape)


def _is_like_a_board(text: str) -> bool:
    signs = len(re.findall(r"[0-9.*?_-]", text))
    return signs >= LEAST_CELLS and 2 * signs >= len("".join(text.split()))


# ------------------------------------------------------------------------------------------- sites


def _fpuzzles(parts: Parts) -> Board | None:
    from enumerator.board.links.fpuzzles import decode
    from enumerator.board.links.payload import load_json, unpack

    if "load" in parts.query:
        return decode(load_json(unpack(parts.query["load"])))
    if "id" in parts.query:
        raise RemoteError
    return None


def _sudokupad(parts: Parts) -> Board | None:
    from enumerator.board.links.payload import plain_board
    from enumerator.board.links.sudokupad import decode

    path = re.sub(r"^(?:(?:sudoku|puzzle)(?:/index\.html)?(?:/|$))+", "", parts.path)
    name = parts.query.get("puzzleid") or path
    return plain_board(name, parts.shape) or decode(name) if name else None


def _sudokuwiki(parts: Parts) -> Board | None:
    from enumerator.board.links.payload import shown
    from enumerator.board.links.plain import decode_wiki

    if not parts.query.get("bd"):
        return None
    if parts.path.lower() not in WIKI_PAGES:
        raise LinkError(f"the link is to the page '{shown(parts.path)}' of SudokuWiki: only plain Sudoku is counted")
    return decode_wiki(parts.query["bd"], parts.shape)


def _exchange(parts: Parts) -> Board | None:
    from enumerator.board.links.plain import decode_exchange

    return decode_exchange(parts.query["s"], parts.shape) if parts.query.get("s") else None


def _iss(parts: Parts) -> Board | None:
    from enumerator.board.links.plain import decode_iss

    is_iss = parts.path.lower().startswith("interactive-sudoku-solver")
    return decode_iss(parts.query["q"]) if is_iss and parts.query.get("q") else None


SITES: dict[str, Callable[[Parts], Board | None]] = {
    "f-puzzles.com": _fpuzzles,
    "sudokupad.app": _sudokupad,
    "alpha.sudokupad.app": _sudokupad,
    "beta.sudokupad.app": _sudokupad,
    "app.crackingthecryptic.com": _sudokupad,
    "sudokupad.svencodes.com": _sudokupad,
    "sudokuwiki.org": _sudokuwiki,
    "sudokuexchange.com": _exchange,
    "sigh.github.io": _iss,
}
"""The function for each host: from a link to a board; None for other pages."""

WIKI_PAGES = ("", "sudoku", "sudoku.htm", "sudoku.asp")
"""The pages of SudokuWiki for plain Sudoku. Others are for jigsaws, killers and further rules."""

SHORTENERS = ("tinyurl.com", "bit.ly", "t.co", "goo.gl", "is.gd")
"""Hosts whose links lead to other links."""
