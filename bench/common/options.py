"""Options that several commands have: numbers, names of boards and of lists of puzzles.

`--boards` takes names of our boards (`1e`), of published ones (`published/1e`), patterns of names (`1[cd]`)
and files, separated by spaces or commas. Without it a command takes boards of `boards/`, and the published
ones of the same names in addition where they are present. What follows them and is no board belongs to
the command, as FOLDER in `--boards 1c FOLDER`. A mistake ends the command with one sentence and status 2.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from bench.common.boards import our_boards, published_boards
from bench.common.commands import refuse
from bench.common.puzzles import our_lists, published_lists, read_list
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.board.reading import BoardError

NINE = Shape(3, 3)

Found = TypeVar("Found")

BOARDS = "--boards"

_LIKE = re.compile(r"(?:.*/)?(?:[0-9][a-z]?|[0-9]+x[0-9]+.*|.*[*?\[].*|.*\.[a-z]{2,3})")
"""What has the form of the name of a board, of a pattern of names or of a file."""


def whole_number(name: str, least: int = 1) -> Callable[[str], int]:
    """Return a parser of whole numbers of at least `least`, for the option `name`."""

    def parse(given: str) -> int:
        try:
            number = int(given)
        except ValueError:
            refuse(f"{name} must be a whole number, not {given!r}")
        if number < least:
            refuse(f"{name} must be at least {least}, not {number}")
        return number

    return parse


def add_number(
    parser: argparse._ActionsContainer, name: str, default: int, text: str, least: int = 1, short: str = ""
) -> None:
    """Add the option `name`, a whole number of at least `least`, with `text` as its help, and perhaps a short name."""
    parser.add_argument(
        *([short] if short else []),
        name,
        type=whole_number(name, least),
        default=default,
        metavar="N",
        help=f"{text} (default: %(default)s)",
    )


def add_boards(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the option --boards; `default` says which boards a command takes without it."""
    text = f"names like 1e, 1[cd] or published/1e, or files (default: {default}, and published ones where present)"
    parser.add_argument(BOARDS, nargs="+", metavar="BOARD", help=text)


def add_matching(parser: argparse.ArgumentParser) -> None:
    """Add --match and --no-match, which choose boards among those of --boards."""
    for short, name, text in (("-m", "--match", "only"), ("-nm", "--no-match", "without")):
        parser.add_argument(
            short,
            name,
            type=pattern,
            metavar="REGEX",
            help=f"{text} the boards whose names a regular expression matches",
        )


def pattern(text: str) -> re.Pattern[str]:
    """Parse a regular expression, for argparse."""
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a regular expression: {error}") from None


def matching(found: dict[str, Found], options: argparse.Namespace) -> dict[str, Found]:
    """Return the boards whose names --match and --no-match let pass; end the command if there are none."""
    only, without = options.match, options.no_match
    kept = {
        name: path
        for name, path in found.items()
        if (only is None or only.search(name)) and not (without and without.search(name))
    }
    return kept or refuse("no board has a name that --match and --no-match let pass")


def add_lists(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the option --boards for lists of puzzles; `default` says which a command takes without it."""
    text = f"lists like minimal or published/17clue, or files of boards (default: {default})"
    parser.add_argument(BOARDS, nargs="+", metavar="LIST", help=text)


def chosen_boards(wanted: list[str] | None, *patterns: str, shape: Shape | None = None) -> dict[str, Path]:
    """Return the files of boards by name: those in --boards, or ours and published ones like `patterns`.

    End the command if there are none, or if one is unknown, not a board, or not of `shape`.
    """
    if wanted is None:
        found = {name: path for pattern in patterns for name, path in our_boards(pattern).items()}
        found |= {name: path for pattern in patterns for name, path in published_boards(pattern).items()}
    else:
        found = _named(wanted, _known_boards())
    if not found:
        refuse("no board is named")
    for name, path in found.items():
        given = _read_board(path).shape
        if shape and given != shape:
            refuse(f"{name} is a {given} board; this takes {shape} boards only")
    return found


def read_boards(paths: dict[str, Path]) -> dict[str, Board]:
    """Return the board of each file; end the command if one is not a board."""
    return {name: _read_board(path) for name, path in paths.items()}


def chosen_lists(wanted: list[str] | None, *names: str) -> dict[str, list[Board]]:
    """Return lists of puzzles by name: those in --boards, or ours and published ones.

    With `names` only the lists of these names are taken by default. End the command if there are
    none, or if one is unknown, empty or has a line that is not a board.
    """
    known = {**our_lists(), **published_lists()}
    if wanted is None:
        found = {name: path for name, path in known.items() if not names or name.rpartition("/")[2] in names}
    else:
        found = _named(wanted, known)
    if not found:
        refuse("no list of puzzles is named")
    lists = {}
    for name, path in found.items():
        try:
            lists[name] = read_list(path)
        except (OSError, BoardError) as error:
            refuse(f"{name} is not a list of puzzles: {error}")
        if not lists[name]:
            refuse(f"{name} has no puzzles")
    return lists


def positionals_first(arguments: list[str]) -> list[str]:
    """Return the arguments of a command with those that --boards would take, but are no boards, at the front.

    An argument that has the form of a board's name, or of a file, stays: it may be a slip.
    """
    start = arguments.index(BOARDS) + 1
    end = next((at for at in range(start, len(arguments)) if arguments[at].startswith("-")), len(arguments))
    known = {**_known_boards(), **our_lists(), **published_lists()}
    boards, others = arguments[start : start + 1], list[str]()
    for text in arguments[start + 1 : end]:
        is_meant = _found(text, known) or all(_found(part, known) or _LIKE.fullmatch(part) for part in _split(text))
        (boards if is_meant else others).append(text)
    return [*others, *arguments[:start], *boards, *arguments[end:]]


def _split(text: str) -> list[str]:
    """Return the names in an argument, which spaces or commas separate."""
    return text.replace(",", " ").split()


def _known_boards() -> dict[str, Path]:
    return {**our_boards("*"), **our_boards("large/*"), **published_boards("*")}


def _named(wanted: list[str], known: dict[str, Path]) -> dict[str, Path]:
    """Return the files of the `known` names, of patterns of them and of the paths in `wanted`, by name."""
    names = {path.resolve(): name for name, path in known.items()}
    found: dict[str, Path] = {}
    for argument in wanted:
        for text in [argument] if _found(argument, known) else _split(argument):
            if not (paths := _found(text, known)):
                if Path(argument).is_dir():
                    refuse(f"{argument} is a folder, not a board")
                refuse(f"{text} is neither a name nor a file")
            for path in paths:
                name = names.get(path, path.stem)
                if found.setdefault(name, path) != path:
                    refuse(f"{path} and {found[name]} have the same name")
    return found


def _found(text: str, known: dict[str, Path]) -> list[Path]:
    """Return the files that a name, a path or a pattern of names stands for. `*` does not stand for a folder."""
    if text in known or Path(text).is_file():
        return [known.get(text, Path(text)).resolve()]
    names = [name for name in known if fnmatchcase(name, text) and name.count("/") == text.count("/")]
    return [known[name].resolve() for name in names]


def _read_board(path: Path) -> Board:
    try:
        return read(path)
    except (OSError, BoardError) as error:
        refuse(f"{path.name} is not a board: {error}")
