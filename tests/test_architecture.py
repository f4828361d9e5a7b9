"""What imports what, and what importing costs."""

import ast
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import COMMAND, ROOT

PACKAGE = ROOT / "enumerator"

RANKS = ("board", "engines", "run", "questions", "command", "page")
"""The packages, inward to outward: each imports only from itself and from those before it."""

OUTSIDE = {"__init__", "__main__", "_build"}
"""Modules beside the packages: the public API, the entry of the command, the build."""

ALONE = {
    "rich": {"command.terminal"},
    "gmpy2": {"board.board"},
    "joblib": {"run.executors"},
    "loky": {"run.executors"},
    "zstandard": {"command.output"},
    "sqlite3": {"run.ledger.contents", "run.ledger.ledger"},
    "distributed": {"run.cluster"},
}
"""Libraries that are imported in few places, and the modules that may import them."""

COMPILED = {"array", "cpython", "cython", "functools", "itertools", "libc", "math", "operator", "posix"}
"""All that compiled modules may import, besides each other: nothing of processes, files or printing."""


def imports(path: Path) -> set[str]:
    """Full names of what a module imports; relative imports fail."""
    if path.suffix == ".pyx":
        return set(re.findall(r"^ *(?:from|c?import) (\S+)", path.read_text(), re.MULTILINE))
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, f"{path}: imports are absolute"  # noqa: PT018
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def modules() -> dict[str, set[str]]:
    """Every module of the package, by its name inside it, and what it imports."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): imports(path)
        for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyx")]
    }


@pytest.mark.parametrize("name", sorted(set(modules()) - OUTSIDE))
def test_a_package_imports_only_from_those_to_its_left(name: str) -> None:
    package, *inner = name.split(".")
    for full in modules()[name]:
        top, *parts = full.split(".")
        if top == "enumerator" and parts and parts[0] in RANKS:
            assert RANKS.index(parts[0]) <= RANKS.index(package), full
            if package == parts[0] == "engines" and len(inner) > 1 and (PACKAGE / "engines" / parts[1]).is_dir():
                assert parts[1] == inner[0], "engines do not import each other"
        elif package in ("board", "engines"):
            assert top not in {"concurrent", "multiprocessing", "threading", "queue"}, "it cannot tell where it runs"


@pytest.mark.parametrize("library", ALONE)
def test_a_large_library_is_imported_in_one_place(library: str) -> None:
    users = {name for name, full in modules().items() if any(one.split(".")[0] == library for one in full)}
    assert users == ALONE[library]


def test_kernels_know_nothing_of_processes_files_or_printing() -> None:
    for path in PACKAGE.rglob("*.pyx"):
        assert {full.split(".")[0] for full in imports(path)} <= {*COMPILED, "enumerator"}, path


def loaded_by(program: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
        cwd="/",
    )
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
    }


def test_a_short_command_imports_nothing_large(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("1234341221434321")
    loaded = loaded_by(f"from enumerator.command.cli import main; main([{str(board)!r}])")
    assert not loaded & {"joblib", "loky", "rich", "numpy", "gmpy2", "concurrent.futures"}
    assert not loaded & {"enumerator.run.driver", "enumerator.engines.contraction.worker"}


def seconds(command: list[str]) -> float:
    """What a command takes of the processor: others may be at work on it, too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, timeout=20, check=True, cwd=ROOT / "boards")
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
    for _ in range(40):  # by turns, and again where the machine was busy: the least time is the one that counts
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
        "import sys; from enumerator.command.cli import main; main(sys.argv[1:]);"
        "print(open('/proc/self/status').read(), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "1e.txt"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=ROOT / "boards",
    )
    (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", done.stderr)
    assert 5_000 < int(peak) < 60_000


def test_the_lazy_names_are_the_real_ones() -> None:
    import enumerator
    from enumerator.api import count
    from enumerator.board import Board

    assert enumerator.Board is Board
    assert enumerator.count is count
    assert set(enumerator.__all__) == set(enumerator._HOMES) <= set(dir(enumerator))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = enumerator.nonsense
