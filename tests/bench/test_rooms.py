"""The rooms of bench: a room imports only from itself and from those before it."""

import ast
from importlib import import_module
from pathlib import Path

import pytest
from support.boards import ROOT

from bench.__main__ import COMMANDS

INNER = ("common", "tables", "simulation", "figures")
"""The inner rooms, inward to outward."""

COMMAND_ROOMS = ("measure", "study", "check", "make")
"""The rooms of commands: they import from the inner rooms, and not from each other."""

MODULES = sorted(path.relative_to(ROOT / "bench") for path in (ROOT / "bench").rglob("*.py"))


def imported_names(path: Path) -> set[str]:
    tree = list(ast.walk(ast.parse((ROOT / "bench" / path).read_text())))
    return {
        f"{node.module}.{alias.name}" for node in tree if isinstance(node, ast.ImportFrom) for alias in node.names
    } | {alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names}


@pytest.mark.parametrize("path", [path for path in MODULES if len(path.parts) > 1], ids=str)
def test_a_room_imports_only_from_those_before_it(path: Path) -> None:
    room = path.parts[0]
    allowed = INNER[: INNER.index(room) + 1] if room in INNER else (*INNER, room)
    assert room in (*INNER, *COMMAND_ROOMS)
    for full in imported_names(path):
        top, *parts = full.split(".")
        if top == "bench" and parts[0] in (*INNER, *COMMAND_ROOMS):
            assert parts[0] in allowed, full


def test_every_command_is_a_module_with_configure_and_run() -> None:
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)
    for command in COMMANDS:
        module = import_module(f"bench.{command.module}")
        assert module.__doc__
        assert callable(module.configure)
        assert callable(module.run)
