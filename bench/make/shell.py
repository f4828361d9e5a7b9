"""Make the completions for bash, zsh and fish and the manual page again, from the parser of the command.

They are files of the package: `pip install` puts them where the shells and `man` look.
"""

from __future__ import annotations

import argparse
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench import ROOT
from enumerator import __version__
from enumerator.command.options import COMPLETIONS, make_parser

FOLDER = ROOT / "enumerator" / "command" / "shell"

LIBRARIES = {"shtab": "1.13.0", "argparse-manpage": "4.8"}
"""The libraries that make the files, and their versions: another one makes other text."""

MENDS = {
    "bash": (("-F _shtab_enumerate enumerate\n", "-F _shtab_enumerate enumerate enumerator\n"),),
    "zsh": (
        ('"(*)::', '"*:'),
        ("_defaults_added=0", "_defaults_added=1"),
        ("#compdef enumerate\n", "#compdef enumerate enumerator\n"),
        ("-N enumerate\n", "-N enumerate enumerator\n"),
    ),
    "fish": (("complete -c enumerate ", "complete -c enumerator -w enumerate\ncomplete -c enumerate "),),
}
"""The first place of a text, and its replacement: for both names of the command.

Two are for zsh, so that it completes every board and not just the first one.
"""

MANUAL = "enumerate.1"

FILE_METAVARS = ("BOARD", "FILE")
"""Arguments that are completed to names of files."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, default=FOLDER, metavar="FOLDER", help="default: %(default)s")


def run(options: argparse.Namespace) -> int:
    if lacking := other_versions():
        print(f"bench: pip install {' '.join(lacking)}")
        return 2
    options.output.mkdir(parents=True, exist_ok=True)
    for name, text in make_files().items():
        (options.output / name).write_text(text)
        print(f"{options.output / name}: {len(text):,} characters")
    return 0


def other_versions() -> list[str]:
    """Return the requirements that are not installed in the version that made the files."""
    return [f"{name}=={wanted}" for name, wanted in LIBRARIES.items() if _installed(name) != wanted]


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def make_files() -> dict[str, str]:
    """Return the text of every file, by name."""
    return {**{name: _complete(shell) for shell, name in COMPLETIONS.items()}, MANUAL: _write_manual()}


def _complete(shell: str) -> str:
    import shtab

    parser = make_parser()
    for action in parser._actions:  # noqa: SLF001 - shtab reads them in the same way
        if action.metavar in FILE_METAVARS:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    text = str(shtab.complete(parser, shell)).rstrip() + "\n"
    for before, after in MENDS[shell]:
        if before not in text:
            raise ValueError(f"shtab no longer writes {before!r} for {shell}")
        text = text.replace(before, after, 1)
    return text


def _write_manual() -> str:
    from argparse_manpage.manpage import Manpage

    parser = make_parser()
    examples, _, rest = (parser.epilog or "").partition("\n\n")
    parser.epilog = None
    page = Manpage(parser)
    page.synopsis = [parser.prog, r"[\fIoption\fR ...]", r"\fIBOARD\fR", "..."]
    page.description = "count, list and sample the solutions of Sudoku boards"
    page.source, page.manual, page.date = f"enumerator {__version__}", "User Commands", ""
    sections = {"EXAMPLES": examples.partition("\n")[2], "INPUT AND EXIT STATUS": rest.strip()}
    return str(page).rstrip() + "\n" + "".join(map(_section, sections.items()))


def _section(named: tuple[str, str]) -> str:
    title, text = named
    quoted = text.replace("\\", r"\e").replace("-", r"\-").replace("\n.", "\n\\&.")
    return f".SH {title}\n.nf\n{quoted}\n.fi\n"
