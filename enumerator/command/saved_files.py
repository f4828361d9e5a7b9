"""Files that a command writes beside answers: of --svg, --html and --trace, and reports of counts that disagree.

The names of the first three are checked before any work. They are written whole or not at all.
"""

from __future__ import annotations

import json
import os
import platform
import stat
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import suppress
from errno import EACCES
from time import gmtime, strftime

from enumerator import __version__
from enumerator.command.console import ANSWERED, FAILED, complain
from enumerator.questions.plans import kernel_facts
from enumerator.text.phrases import printable

ENDINGS = {"--svg": (".svg",), "--html": (".html", ".htm")}
"""The endings that the files of each option may have, the usual one first. A name without one is taken, too."""


def picture_paths(options: Namespace) -> dict[str, str]:
    """Return the names of the files to draw, by option."""
    paths = {"--svg": options.svg, "--html": options.html}
    return {flag: path for flag, path in paths.items() if path is not None}


def find_mistakes(options: Namespace) -> Iterator[str]:
    """Yield messages about files that cannot be written."""
    paths, boards = picture_paths(options), options.boards
    if getattr(options, "trace", None) is not None:
        paths["--trace"] = options.trace
    for option, path in paths.items():
        name, folder = printable(path), os.path.dirname(path) or os.curdir
        ending, endings = os.path.splitext(path)[1], ENDINGS.get(option, ())
        if endings and ending and ending.lower() not in endings:
            yield f"{option} writes {endings[0]} files, and {name} ends in {printable(ending)}"
        elif os.path.isdir(path):
            yield f"{option}: {name} is a folder"
        elif not os.path.isdir(folder):
            yield f"{option}: there is no folder {printable(folder)}"
        elif any(_is_same(path, board) for board in boards):
            yield f"{option}: {name} is the file of the board"
        elif reason := refusal(path):
            yield f"{option}: {name}: {reason}"
    names = [os.path.realpath(path) for path in paths.values()]
    if len(set(names)) < len(names):
        yield f"{' and '.join(paths)} cannot be the same file"


def refusal(path: str) -> str:
    """Return why a file cannot be written; empty if it can be, or if only writing it would show that."""
    target = os.path.realpath(path)
    if not _is_replaceable(target):
        return "" if os.access(target, os.W_OK) else os.strerror(EACCES)
    draft = draft_of(target)
    try:
        with open(draft, "x"):
            os.unlink(draft)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def draft_of(path: str) -> str:
    """Return the name of the file that becomes another one when it is complete."""
    return f"{path}.{os.getpid()}.part"


def _is_same(path: str, board: str) -> bool:
    with suppress(OSError, ValueError):
        return os.path.samefile(path, board)
    return False


def save_pictures(options: Namespace, svg: Callable[..., str], html: Callable[..., str], *drawn: object) -> int:
    """Write the files of --svg and --html, each by the function that draws `drawn`; return the exit status."""
    for flag, path in picture_paths(options).items():
        try:
            save(path, (svg if flag == "--svg" else html)(*drawn))
        except OSError as error:
            complain(f"{printable(path)}: {error.strerror or error}; it is not written")
            return FAILED
    return ANSWERED


def save(path: str, text: str) -> None:
    """Write a file. Raise OSError if that fails; an older file is then unchanged."""
    target = os.path.realpath(path)  # a link remains a link
    if not _is_replaceable(target):
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
        return
    draft = draft_of(target)
    try:
        with open(draft, "x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):  # the new file has the permissions of the old one
            os.chmod(draft, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _is_replaceable(path: str) -> bool:
    """Return False for a pipe or a device, which is written to directly."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


def save_report(facts: dict[str, object]) -> str:
    """Save a report of facts that disagree, and return a sentence that says where.

    The report is saved in the current folder or, if that fails, in the folder of temporary files.
    """
    build = kernel_facts()
    report = {
        **facts,
        "version": __version__,
        "kernel": "{compiler}, {flags}, {instructions}, checks {checks}".format(**build),
        "python": platform.python_version(),
        "machine": platform.platform(),
        "date": strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()),
    }
    text = json.dumps(report, indent=2) + "\n"
    for folder in (os.curdir, tempfile.gettempdir()):
        try:
            number, path = tempfile.mkstemp(".json", f"enumerator-mismatch-{strftime('%Y%m%d-%H%M%S')}-", folder)
            with os.fdopen(number, "w") as file:
                file.write(text)
        except OSError:
            continue
        return f"a report is in {printable(os.path.normpath(path))}; please pass it on"
    return f"no report could be saved: {json.dumps(report)}"
