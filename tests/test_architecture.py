"""What imports what, and what importing costs."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest
from helpers import COMMAND, ROOT

PACKAGE = ROOT / "enumerator"

INWARD = {  # module: the modules of this package that it may import
    "shape": set(),
    "board": {"shape", "formats"},  # formats: for Board.parse, when it is called
    "position": {"board", "shape"},
    "formats": {"board", "shape", "wording"},
    "search": {"board", "search.kernel"},
    "search.kernel": set(),
    "search.reference": {"board", "position"},
    "search.task": {"search.kernel"},
    "parallel": {"board", "parallel.driver", "parallel.executors", "search", "shape"},  # driver: when it is called
    "parallel.executors": {"search.task"},
    "parallel.splitting": {"board", "search.kernel", "shape"},
    "parallel.driver": {
        *("board", "parallel", "parallel.executors", "parallel.splitting"),
        *("search", "search.kernel", "search.task", "shape", "wording"),
    },
    "parallel.batches": {"parallel", "parallel.executors", "wording"},
    "parallel.estimate": {"board", "parallel.splitting", "search", "search.kernel", "shape"},
    "report": {"board", "parallel.estimate", "wording"},
    "terminal": {"board", "report", "wording"},
    "answers": {
        *("board", "formats", "parallel", "parallel.batches", "parallel.estimate"),
        *("report", "search", "shape", "status", "terminal", "wording"),
    },
    "cli": {
        *("", "answers", "board", "formats", "parallel", "parallel.executors"),
        *("search.kernel", "shape", "status", "wording"),
    },
    "__main__": {"cli"},
    "status": set(),
    "wording": set(),
    "": {"board", "formats", "parallel", "search", "shape"},
    "_build": set(),
}
ALONE = {
    "rich": {"terminal"},
    "gmpy2": {"board"},
    "joblib": {"parallel.executors"},
    "loky": {"parallel.executors"},
    "distributed": set(),
}


def modules() -> dict[str, ast.Module]:
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip("."): ast.parse(
            path.read_text()
        )
        for path in PACKAGE.rglob("*.py")
    }


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


def test_dependencies_point_inward() -> None:
    assert set(modules()) == set(INWARD) - {"search.kernel"}
    for name, tree in modules().items():
        own = {full.removeprefix("enumerator").lstrip(".") for full in imports(tree) if full.startswith("enumerator")}
        assert own <= INWARD[name], name


@pytest.mark.parametrize("library", ALONE)
def test_a_large_library_is_imported_in_one_place(library: str) -> None:
    users = {name for name, tree in modules().items() if any(full.split(".")[0] == library for full in imports(tree))}
    assert users == ALONE[library]


def test_serial_code_cannot_tell_that_it_is_run_in_parallel() -> None:
    for name, tree in modules().items():
        if name.startswith("search"):
            known = {full.split(".")[0] for full in imports(tree)}
            assert not known & {"concurrent", "multiprocessing", "threading", "queue", "joblib", "loky"}
            assert not any(full.startswith("enumerator.parallel") for full in imports(tree))


def test_kernels_know_nothing_of_processes_files_or_printing() -> None:
    text = (PACKAGE / "search" / "kernel.pyx").read_text()
    assert {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))} == {
        "functools",
        "operator",
        "libc.stdint",
        "libc.stdlib",
    }


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
    assert not loaded & {"joblib", "loky", "rich", "numpy", "gmpy2", "concurrent.futures", "enumerator.parallel.driver"}


def seconds(command: list[str]) -> float:
    started = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, timeout=20, check=True, cwd=ROOT / "boards")
    return perf_counter() - started


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
