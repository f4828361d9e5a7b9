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

INWARD = {  # module: the modules of this package that it may import
    "shape": set(),
    "board": {"shape", "formats"},  # formats: for Board.parse, when it is called
    "position": {"board", "shape"},
    "formats": {"board", "shape", "wording"},
    "task": set(),
    "search": {"board", "search.kernel", "task"},
    "search.kernel": set(),
    "search.reference": {"board", "position"},
    "search.stretches": {"board", "search.kernel", "shape"},
    "search.task": {"search.kernel", "task"},
    "contraction": {"board", "contraction.task", "shape"},  # task: when it is called
    "contraction.tables": {"contraction.limits"},
    "contraction.network": {"contraction.limits", "contraction.tables"},
    "contraction.sum": {"contraction.limits"},
    "contraction.listing": {"contraction.limits", "contraction.sum"},
    "contraction.box": {"contraction.limits", "contraction.sum"},
    "contraction.order": {
        *("board", "contraction.listing", "contraction.network"),
        *("contraction.plan", "contraction.tables"),
    },
    "contraction.candidates": {"board", "contraction.box", "contraction.network", "contraction.plan"},
    "contraction.plan": {"contraction.network", "contraction.sum", "contraction.tables"},
    "contraction.task": {"contraction.network", "contraction.plan", "contraction.sum", "task"},
    "parallel": {
        *("board", "contraction", "parallel.executors", "search", "task"),
        *("parallel.cluster", "parallel.driver", "parallel.ledger", "parallel.splitting"),  # when they are called
    },
    "parallel.executors": {"task"},
    "parallel.splitting": {
        *("board", "search.kernel", "search.task", "shape", "task"),
        "contraction.task",  # when it is called
    },
    "parallel.driver": {
        *("parallel", "parallel.executors", "parallel.splitting"),
        *("search.kernel", "task", "wording"),
    },
    "parallel.cluster": {"", "parallel", "parallel.executors"},
    "parallel.book": {"wording"},
    "parallel.ledger": {
        *("", "board", "parallel", "parallel.book", "parallel.executors", "parallel.splitting", "task", "wording"),
    },
    "parallel.verify": {"board", "contraction", "parallel", "parallel.turns", "shape"},
    "parallel.audit": {
        *("board", "contraction", "parallel.book", "parallel.splitting", "parallel.verify"),
        *("search", "search.kernel", "shape"),
    },
    "parallel.ahead": set(),
    "parallel.turns": {"parallel.ahead"},
    "parallel.batches": {"parallel", "parallel.ahead", "parallel.executors", "wording"},
    "parallel.lists": {
        *("board", "contraction.order", "parallel", "parallel.turns"),
        *("parallel.splitting", "search.kernel", "search.stretches", "shape"),
    },
    "parallel.candidates": {
        *("board", "contraction.candidates", "parallel", "parallel.lists", "parallel.turns"),
        *("search.kernel", "search.stretches"),
    },
    "parallel.verdicts": {
        *("board", "parallel", "parallel.turns", "search.kernel", "shape"),
        "parallel.lists",  # when it is called
    },
    "parallel.estimate": {"board", "parallel", "parallel.splitting", "search.kernel", "shape"},
    "report": {"board", "parallel.estimate", "parallel.verify", "wording"},
    "shares": {"board", "report", "wording"},
    "terminal": {"board", "report", "shares", "wording"},
    "output": {"status", "wording"},
    "progress": {"terminal"},
    "questions": {"board", "contraction", "formats", "output", "parallel", "shape", "wording"},
    "answers": {
        *("board", "formats", "parallel", "parallel.batches", "parallel.estimate", "progress", "questions"),
        *("report", "solved", "status", "task", "terminal", "wording"),
        *(
            "audited",
            "checkpoint",
            "parallel.book",
            "parallel.executors",
            "parallel.ledger",
            "parallel.verify",
        ),  # when called
    },
    "checkpoint": {
        *(
            "output",
            "parallel.book",
            "parallel.ledger",
            "parallel.lists",
            "questions",
            "report",
            "status",
            "task",
            "wording",
        ),
    },
    "audited": {"", "parallel.audit", "parallel.book", "progress", "report", "search.kernel", "status", "wording"},
    "solved": {
        *("formats", "parallel.candidates", "parallel.lists", "parallel.turns", "progress", "questions"),
        *("output", "parallel", "shares", "status", "terminal", "wording"),
        *("checkpoint", "parallel.book"),  # when they are called
    },
    "judged": {
        *("board", "formats", "parallel.ahead", "parallel.turns", "parallel.verdicts", "questions"),
        *("shape", "status"),
    },
    "cli": {
        *("", "answers", "audited", "board", "checkpoint", "formats", "judged", "output", "parallel"),
        *("parallel.cluster", "parallel.executors", "questions", "search.kernel", "shape", "status", "wording"),
    },
    "__main__": {"cli"},
    "status": set(),
    "wording": set(),
    "": {
        *("board", "formats", "parallel", "parallel.book", "parallel.candidates", "parallel.lists"),
        *("parallel.verdicts", "shape"),
    },
    "_build": set(),
}
COMPILED = {  # module: the libraries that it imports
    "search.kernel": {"cython", "functools", "operator", "libc.stdint", "libc.stdlib", "libc.string"},
    "contraction.tables": {"array", "cpython", "functools", "itertools", "libc.stdint"},
    "contraction.network": {"array", "cpython", "cython", "libc.stdint", "libc.string", "math"},
    "contraction.sum": {"array", "cpython", "cython", "libc.stdint", "libc.stdlib", "libc.string", "posix.stdlib"},
    "contraction.listing": {"array", "cpython", "cython", "libc.stdint", "libc.stdlib", "libc.string"},
    "contraction.box": {"cython", "libc.stdint", "libc.stdlib", "libc.string"},
}
ALONE = {
    "rich": {"terminal"},
    "gmpy2": {"board"},
    "joblib": {"parallel.executors"},
    "loky": {"parallel.executors"},
    "zstandard": {"output"},
    "sqlite3": {"parallel.book", "parallel.ledger"},
    "distributed": {"parallel.cluster"},
}


def texts(pattern: str) -> dict[str, str]:
    """The modules in such files, by name."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip("."): path.read_text()
        for path in PACKAGE.rglob(pattern)
    }


def modules() -> dict[str, ast.Module]:
    return {name: ast.parse(text) for name, text in texts("*.py").items()}


def imports(tree: ast.Module) -> set[str]:
    """Full names of what a module imports; `from package import module` is the module."""
    found = set()
    known = {f"enumerator.{name}" for name in INWARD}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module, "imports are absolute"
            assert not node.level, "imports are absolute"
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= members & known or {node.module}
    return found


def kernels() -> dict[str, set[str]]:
    """The compiled modules, and the full names of what each of them imports."""
    return {
        name: set(re.findall(r"^(?:from|c?import) (\S+)", text, re.MULTILINE)) for name, text in texts("*.pyx").items()
    }


def test_dependencies_point_inward() -> None:
    known = {name: imports(tree) for name, tree in modules().items()} | kernels()
    assert set(known) == set(INWARD)
    for name, names in known.items():
        own = {full.removeprefix("enumerator").lstrip(".") for full in names if full.startswith("enumerator")}
        assert own <= INWARD[name], name


@pytest.mark.parametrize("library", ALONE)
def test_a_large_library_is_imported_in_one_place(library: str) -> None:
    users = {name for name, tree in modules().items() if any(full.split(".")[0] == library for full in imports(tree))}
    assert users == ALONE[library]


def test_serial_code_cannot_tell_that_it_is_run_in_parallel() -> None:
    for name, tree in modules().items():
        if name.startswith(("search", "contraction", "task")):
            known = {full.split(".")[0] for full in imports(tree)}
            assert not known & {"concurrent", "multiprocessing", "threading", "queue", "joblib", "loky"}
            assert not any(full.startswith("enumerator.parallel") for full in imports(tree))


def test_kernels_know_nothing_of_processes_files_or_printing() -> None:
    assert set(kernels()) == set(COMPILED)
    for name, names in kernels().items():
        assert {full for full in names if not full.startswith("enumerator.")} == COMPILED[name], name


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
    assert not loaded & {"joblib", "loky", "rich", "numpy", "gmpy2", "argparse", "dataclasses", "enumerator.board"}


def test_a_short_command_imports_nothing_large(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("1234341221434321")
    loaded = loaded_by(f"from enumerator.cli import main; main([{str(board)!r}])")
    assert not loaded & {"joblib", "loky", "rich", "numpy", "gmpy2", "concurrent.futures"}
    assert not loaded & {"enumerator.parallel.driver", "enumerator.contraction.task"}


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
        "import sys; from enumerator.cli import main; main(sys.argv[1:]);"
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
    from enumerator.board import Board
    from enumerator.parallel import count

    assert enumerator.Board is Board
    assert enumerator.count is count
    assert set(enumerator.__all__) == set(enumerator._HOMES) <= set(dir(enumerator))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = enumerator.nonsense
