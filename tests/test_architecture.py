"""The house: who may import what, what importing costs, and whether a package lists its modules."""

import ast
import re
import resource
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from support.boards import ROOT
from support.cases import needs_sources
from support.processes import COMMAND, run, run_python

PACKAGE = ROOT / "enumerator"

RANKS = ("text", "board", "engines", "run", "questions")
"""The packages from left to right: each imports only from itself and from those to its left."""

FACES = {"api", "command", "page"}
"""The packages that show answers: they import from all of those, and not from each other."""

OUTSIDE = {"__init__", "__main__", "_build"}
"""Modules beside the packages: the public names, the entry of the command, the build."""

COMMON = {"walks"}
"""Packages in the folder of engines that are not engines: engines may import them."""

ENGINES = {path.parent.name for path in PACKAGE.glob("engines/*/__init__.py")} - COMMON

ALONE = {
    "rich": {"command.terminal", "questions.bars"},
    "gmpy2": {
        "text.numbers",
        "engines.contraction.ranges",
        "engines.jobs",
        "engines.results",
        "engines.shares",
        "engines.walks.tree",
        "questions.fixed.work",
        "questions.listing",
        "run.balance",
        "run.ledger.contents",
        "run.ledger.ledger",
    },
    "joblib": {"run.workers.executors"},
    "loky": {"run.workers.executors"},
    "zstandard": {"board.sources", "run.solution_file"},
    "sqlite3": {"run.ledger.contents", "run.ledger.ledger"},
    "distributed": {"run.workers.cluster"},
    "numpy": {"api.arrays", "api.filling", "board.board"},
    "starlette": {"page.app", "page.guard"},
    "uvicorn": {"page.connections", "page.server"},
    "asyncio": {"page.app", "page.connections", "page.guard", "page.server", "page.streams", "run.workers.cluster"},
}
"""Libraries, and the modules that import them."""

WEB = {"enumerator.page", "starlette", "uvicorn", "h11", "asyncio", "json", "socket", "webbrowser"}
"""What only `--serve` imports; `json` also answers with `--json`."""

HOUSES = (ROOT / "enumerator", ROOT / "bench", ROOT / "tests" / "support")
PACKAGES = sorted({path.parent for house in HOUSES for path in house.rglob("__init__.py")} - {PACKAGE})
"""Packages that list their modules. The docstring of `enumerator` itself is for its users."""

COMPILED = {"array", "cpython", "cpython.bytearray", "cython", "functools", "itertools", "math", "operator"}
COMPILED |= {"libc.math", "libc.stdint", "libc.stdlib", "libc.string", "posix.stdlib"}
"""Modules that compiled code may import: none for processes, files or printing."""


def imports(path: Path) -> set[str]:
    """Return the full names of a module's imports; relative imports fail."""
    if path.suffix == ".pyx":
        return set(re.findall(r"^ *(?:from|c?import) (\S+)", path.read_text(), re.MULTILINE))
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


SOURCES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyx")]
}
"""The files of all modules, by their names inside the package."""


@lru_cache
def modules() -> dict[str, set[str]]:
    """Return the imports of every module, by its name inside the package."""
    return {name: imports(path) for name, path in SOURCES.items()}


@needs_sources
@pytest.mark.parametrize("name", sorted(set(SOURCES) - OUTSIDE))
def test_a_package_imports_only_from_those_to_its_left(name: str) -> None:
    package, engine = name.split(".")[:2]
    for full in modules()[name]:
        top, room, inner = (*full.split("."), "", "")[:3]
        if top == "enumerator" and room in FACES:
            assert room == package, full
        if top == "enumerator" and room in RANKS and package in RANKS:
            assert RANKS.index(room) <= RANKS.index(package), full
            if package == room == "engines" and engine in ENGINES | COMMON and inner in ENGINES:
                assert inner == engine, "engines do not import each other"
        elif package in ("text", "board", "engines"):
            assert top not in {"concurrent", "multiprocessing", "threading", "queue"}, "it cannot tell where it runs"


def test_the_command_gets_what_it_needs_through_questions() -> None:
    found = [full for name, full in all_imports() if name.startswith("command.")]
    assert len([full for full in found if full.startswith("enumerator.run")]) <= 15
    assert len([full for full in found if full.startswith("enumerator.engines")]) <= 4


def all_imports() -> list[tuple[str, str]]:
    """Return the imports of all modules: the name of the module, and the full name of what it imports."""
    return [(name, full) for name, found in modules().items() for full in found]


@needs_sources
def test_the_name_of_a_module_is_its_own() -> None:
    """Views are named after their questions, and parts of engines after what they are in each engine."""
    rooms: dict[str, list[str]] = {}
    for name in modules():
        *room, last = name.split(".")
        if last != "__init__" and room[:2] != ["command", "views"]:
            rooms.setdefault(last, []).append(room[0] if room else "")
    assert {last: found for last, found in rooms.items() if len(found) > 1 and set(found) != {"engines"}} == {}


def test_modules_outside_an_engine_import_nothing_of_its_inside() -> None:
    inside = re.compile(rf"enumerator\.engines\.({'|'.join(ENGINES | COMMON)})(\..+)?")
    users = {name: {full for full in found if inside.fullmatch(full)} for name, found in modules().items()}
    assert {name: found for name, found in users.items() if found and not name.startswith("engines.")} == {}


@needs_sources
@pytest.mark.parametrize("library", ALONE)
def test_a_large_library_is_imported_in_one_place(library: str) -> None:
    users = {name for name, found in modules().items() if any(full.split(".")[0] == library for full in found)}
    assert users == ALONE[library]


def test_kernels_know_nothing_of_processes_files_or_printing() -> None:
    for path in PACKAGE.rglob("*.pyx"):
        assert {full for full in imports(path) if not full.startswith("enumerator.")} <= COMPILED, path


def listed(package: Path) -> set[str]:
    """Return the modules that the docstring of a package lists: with a suffix, or all without."""
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text())) or ""
    names = re.findall(r"^ *(\w+)(\.pyx?|/)?  +\S", text, re.MULTILINE)
    return {name + suffix for name, suffix in names if suffix} or {f"{name}.py" for name, _ in names}


@needs_sources
@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_package_lists_its_modules(package: Path) -> None:
    modules = {path.name for path in package.iterdir() if path.suffix in (".py", ".pyx")}
    rooms = {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}
    names = listed(package) - {"__init__.py"}
    assert (modules | rooms) - {"__init__.py"} - names == set(), "not listed"
    assert {name for name in names if not (package / name).exists()} == set(), "listed, but absent"


def loaded_by(program: str) -> set[str]:
    """Return the modules that a program has loaded at its end."""
    done = run_python(f"{program}; import sys; print(*sys.modules)", status=0, cwd="/")
    return set(done.stdout.split())


def test_importing_the_package_imports_nothing_large() -> None:
    loaded = loaded_by("import enumerator")
    assert not loaded & {
        "joblib",
        "loky",
        "rich",
        "numpy",
        "gmpy2",
        "argparse",
        "dataclasses",
        "enumerator.board.board",
        *WEB,
    }


def test_a_short_command_imports_nothing_large(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("1234341221434321")
    loaded = loaded_by(f"from enumerator.command.main import main; main([{str(board)!r}])")
    assert not loaded & {"joblib", "loky", "rich", "numpy", "gmpy2", "concurrent.futures", *WEB}
    assert not loaded & {"enumerator.run.driver", "enumerator.engines.contraction.problem"}
    assert "enumerator.engines.contraction.worker" not in loaded


def test_a_list_without_a_ledger_does_not_import_one(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("1234341221434321")
    loaded = loaded_by(f"from enumerator.command.main import main; main([{str(board)!r}, '--list'])")
    assert not loaded & {"sqlite3", "hashlib", "enumerator.run.ledger"}


def seconds(command: list[str]) -> float:
    """Return the processor time of a command, which other programs do not change."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command, status=0, cwd=ROOT / "boards")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_starting_takes_little_longer_than_python_itself() -> None:
    commands = {
        "nothing": [sys.executable, "-c", "pass"],
        "import": [sys.executable, "-c", "import enumerator"],
        "count": [COMMAND, "1a.txt", "--cores", "1"],
    }
    least = dict.fromkeys(commands, float("inf"))
    importing = counting = float("inf")
    for _ in range(40):  # in turn, and again if the machine was busy: the least times are compared
        for name, command in commands.items():
            least[name] = min(least[name], seconds(command))
        importing, counting = least["import"] - least["nothing"], least["count"] - least["nothing"]
        if importing < 0.015 and counting < 0.100:
            break
    assert importing < 0.015
    assert counting < 0.100


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
def test_a_count_takes_little_memory() -> None:
    program = (
        "import sys; from enumerator.command.main import main; main(sys.argv[1:]);"
        "print(open('/proc/self/status').read(), file=sys.stderr)"
    )
    done = run_python(program, "1e.txt", status=0, cwd=ROOT / "boards")
    (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", done.stderr)
    assert 5_000 < int(peak) < 60_000


def test_the_lazy_names_are_the_real_ones() -> None:
    import enumerator
    from enumerator.api.questions import count
    from enumerator.board import Board

    assert enumerator.Board is Board
    assert enumerator.count is count
    assert set(enumerator.__all__) == set(enumerator._HOMES) <= set(dir(enumerator))  # noqa: SLF001 - the table under test
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = enumerator.nonsense
