"""Dead code: module-level names of `enumerator` and `bench` that only tests use, or nothing."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path

import pytest
from support.boards import ROOT
from support.cases import needs_sources

HOUSES = ("enumerator", "bench")

BY_NAME = {
    r"bench\.(check|make|measure|study)\..*": {"configure", "run"},
    r"enumerator\.command\.views\..*": {"VIEW"},
    r"enumerator\.engines\.\w+": {"ENGINE"},
    r"enumerator\.questions\.\w+": {"FIELDS"},
}
"""Names that tables of modules look up, by the modules that have them."""

FOR_TESTS = {
    "enumerator.engines.register": "engines of tests are not packages of the program",
    "enumerator.engines.contraction.sum.LARGEST_ENTRY": "a test shows that the bound is met and not exceeded",
}
"""Names that only tests use, each with the reason for which it stands in the program."""

Name = tuple[str, str]
"""A module, and a name in it."""


class Module:
    """A module: what it defines, and which names of which modules each definition refers to.

    `homes` holds imported names with their origin. The part of a module that runs on import has
    the name "".
    """

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.package = name if path.stem == "__init__" else name.rpartition(".")[0]
        self.homes: dict[str, set[Name]] = defaultdict(set)
        self.used: dict[str, set[Name]] = {"": set()}
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            self.note_import(node)
        for node in tree.body:
            self.note(node)

    def note_import(self, node: ast.AST) -> None:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                self.homes[alias.asname or alias.name].add((node.module, alias.name))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                self.homes[alias.asname or alias.name].add((alias.name, ""))

    def note(self, node: ast.stmt) -> None:
        """Note the names that a statement defines, with what it refers to."""
        if isinstance(node, ast.If | ast.Try | ast.With | ast.For):
            for field in ast.iter_child_nodes(node):
                if isinstance(field, ast.stmt):
                    self.note(field)
                else:
                    self.used[""] |= set(self.references(field))
            return
        targets: list[ast.expr] = []
        names: list[str] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign | ast.AugAssign):
            targets = [node.target]
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names if alias.asname == alias.name]
        names += [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        for name in names or [""]:
            self.used.setdefault(name, set()).update(() if name == "__all__" else self.references(node))

    def named(self, name: str) -> set[Name]:
        """Return what a name may stand for: one of this module, and those that were imported by it."""
        return {(self.name, name)} | self.homes.get(name, set())

    def references(self, node: ast.AST) -> Iterator[Name]:
        """Yield the names to which code refers: names, attributes of modules, names in strings."""
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                yield from self.named(each.id)
            elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                yield from ((f"{home}.{name}".rstrip("."), each.attr) for home, name in self.named(each.value.id))
            elif isinstance(each, ast.Call):
                texts = [str(one.value) if isinstance(one, ast.Constant) else "" for one in each.args]
                yield from ((f"{self.package}.{home}", name) for home, name in pairwise(texts))
            elif isinstance(each, ast.Constant) and isinstance(each.value, str) and "\n" not in each.value:
                yield from self.in_text(each.value)

    def in_text(self, text: str) -> Iterator[Name]:
        """Yield the names in a string: types in quotes, and names of modules with names in them."""
        for module, name in re.findall(r"((?:\w+\.)+\w+|\w+)(?: import |:|\.)(\w+)", text):
            yield (module, name)
            yield (f"{self.package}.{module}", name)
        for word in re.findall(r"\w+", text if re.fullmatch(r"[\w\[\], |.]+", text) else ""):
            yield from self.named(word)


@lru_cache
def read() -> dict[str, Module]:
    """Return all modules by name; a stub stands for a compiled module."""
    paths = chain.from_iterable((ROOT / house).rglob("*.py*") for house in HOUSES)
    found = {}
    for path in paths:
        if path.suffix in (".py", ".pyi"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = Module(name, path)
    return found


def roots(modules: dict[str, Module]) -> Iterator[Name]:
    """Yield the names that are used from outside: imported modules, tables, the public API, commands."""
    for name, module in modules.items():
        yield (name, "")
        for pattern, names in BY_NAME.items():
            if re.fullmatch(pattern, name):
                yield from ((name, each) for each in names)
        yield from ((name, each) for each in module.used if re.fullmatch("__.*__", each))
    yield from public_names()
    for path in [ROOT / "pyproject.toml", ROOT / ".ci" / "run"]:
        for module_name, name in re.findall(r"([\w.]+)[:.](\w+)", path.read_text()):
            yield (module_name, name)
    for path in (ROOT / "enumerator").rglob("*.p[yx][xd]"):
        source = path.read_text()
        for module_name, text in re.findall(r"from (\S+) c?import (\([^)]*\)|[^\n]*)", source):
            yield from ((module_name, each) for each in re.findall(r"\w+", text))
        own = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield from ((own, word) for word, times in Counter(re.findall(r"\w+", source)).items() if times > 1)


def public_names() -> Iterator[Name]:
    """Yield the public names, which `enumerator/__init__.py` imports by a table."""
    import enumerator

    yield from ((home, name) for name, home in enumerator._HOMES.items())  # noqa: SLF001 - the table under test


def reached(modules: dict[str, Module]) -> set[Name]:
    """Return all names that are used, directly or by a name that is."""
    found: set[Name] = set()
    waiting = list(roots(modules))
    while waiting:
        at = waiting.pop()
        if at in found or at[0] not in modules:
            continue
        found.add(at)
        module, name = modules[at[0]], at[1]
        waiting += module.used.get(name, set()) | module.homes.get(name, set())
    return found


def unused_names(modules: dict[str, Module]) -> set[str]:
    """Return the names that nothing reaches, with their modules."""
    names = {(name, each) for name, module in modules.items() for each in set(module.used) - {"_"}}
    return {".".join(each) for each in names - reached(modules)}


@needs_sources
def test_every_name_is_used() -> None:
    unused = unused_names(read())
    assert unused - set(FOR_TESTS) == set(), "nothing uses these, or tests alone"
    assert set(FOR_TESTS) <= unused, "used by the program, too"


@needs_sources
@pytest.mark.slow
def test_names_that_are_used_by_dead_code_alone_are_dead(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(
        "from enumerator.run.plan import Plan as Plan\n"
        "def used() -> 'Kept': return helper()\n"
        "def helper(): return used()\n"
        "class Kept: pass\n"
        "def dead(): return only_dead() + dead()\n"
        "def only_dead(): return LIMIT\n"
        "LIMIT = 3\n"
        "print(used)\n"
    )
    modules = {**read(), "enumerator.planted": Module("enumerator.planted", path)}
    planted = {name.rpartition(".")[2] for name in unused_names(modules) if name.startswith("enumerator.planted.")}
    assert planted == {"Plan", "dead", "only_dead", "LIMIT"}
