"""Commands of bench that documents show: their own parsers take them."""

import argparse
import re
from importlib import import_module

import pytest
from support.boards import ROOT
from support.cases import HAS_SOURCES

from bench.__main__ import COMMANDS

if not HAS_SOURCES:
    pytest.skip("no source tree: tests of a wheel", allow_module_level=True)

DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(path for folder in ("boards", "results", "enumerator", "bench") for path in (ROOT / folder).rglob("*.md")),
]
MODULES = {command.name: command.module for command in COMMANDS}


def shown_commands() -> set[str]:
    """Return the words after `python -m bench` in all documents."""
    found: set[str] = set()
    for document in DOCUMENTS:
        text = document.read_text()
        found |= set(re.findall(r"python -m bench ((?!COMMAND|--)[^`|<>()\n]+?)(?:  .*)?(?=[`|<>()\n])", text))
    return {command.strip() for command in found}


def test_documents_show_commands_that_there_are() -> None:
    assert {command.split()[0] for command in shown_commands()} <= set(MODULES)


@pytest.mark.parametrize("command", sorted(shown_commands()))
def test_a_command_that_a_document_shows_is_taken_by_its_parser(command: str) -> None:
    """Tests of bench run every command at short settings; here its words are checked."""
    name, *arguments = command.split()
    parser = argparse.ArgumentParser(prog=name)
    import_module(f"bench.{MODULES[name]}").configure(parser)
    options = parser.parse_args(arguments)
    for board in " ".join(getattr(options, "boards", None) or ()).replace(",", " ").split():
        assert not board.startswith("shared/"), "published boards have another name"
        assert not board.isdecimal(), "boards are named, not counted"
