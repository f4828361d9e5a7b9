"""The build: kernels with every check on, their copies in the tree, distributions, the citation."""

import os
import re
import shutil
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest
from setuptools import Distribution, Extension
from support.boards import ROOT
from support.cases import needs_compiler, needs_sources
from support.processes import run, run_python

import enumerator
from enumerator._build import BuildKernels
from enumerator.engines import kernel_build

EVERY_KERNEL = " or ".join(
    (
        *("reference_finds[0-3x", "agree_on_9x9[1", "make_the_whole[0", "kernel_says", "refuses"),  # both walks
        *("takes_marks", "share_their_marks"),  # pencil marks
        *("partitions", "lines_that_fit", "few_solutions", "sum_in_pieces_is_the_same[0", "avx2_have_the_same_sum[5"),
        *("every_solution_once[0", "nth_is_the_nth", "list_has[0"),  # lists, candidates
        *("in_one_order_in_any_slicing[0", "walked_in_parts[0", "hard_puzzle_are_dead"),  # learning
        *("teach_clauses_are", "teach_clauses[16x16", "teach_clauses[36x36"),
    )
)
"""Tests that use every kernel; `python -m bench sanitize` runs the others, too."""


@pytest.mark.long
@needs_compiler
@needs_sources
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_checked_build_passes_the_kernels_tests(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    """The kernels are built once for each state of their sources: pytest's cache keeps them."""
    cache = getattr(pytestconfig, "cache", None)
    kept = cache.mkdir("checked-kernels") if cache else tmp_path
    done = run(
        [
            *(sys.executable, "-m", "bench", "sanitize", "--build", "checked"),
            *("--keyword", EVERY_KERNEL, "--kept", str(kept)),
        ],
        cwd=ROOT,
        env={**os.environ, "ENUMERATOR_CFLAGS": "-O0 -g0"},
        timeout=550,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert re.fullmatch(r"checked +built in \d+ s, \d+ passed, \d+ deselected in .*\n", done.stdout)


class FakeCompiler(BuildKernels):
    """A build whose compiler writes `code` for every kernel."""

    code = b""

    def build_extensions(self) -> None:
        for ext in self.extensions:
            path = Path(self.get_ext_fullpath(ext.name))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.code)


def build(code: bytes) -> Path:
    """Build a package of one kernel in the current folder; returns the path beside its source."""
    kernel = Extension("toy.kernel", ["toy/kernel.pyx"])
    command = FakeCompiler(Distribution({"name": "toy", "packages": ["toy"], "ext_modules": [kernel]}))
    command.code = code
    command.ensure_finalized()
    command.run()
    return Path("toy", Path(command.get_ext_fullpath(kernel.name)).name)


def test_every_build_leaves_its_kernels_beside_their_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("toy").mkdir()
    for code in (b"first", b"second"):
        beside = build(code)
        assert beside.read_bytes() == code
        assert beside.name.count(".") == 2, "no tag in the name to tell builds of other Pythons"


def test_a_tree_that_cannot_be_written_to_is_built_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert not build(b"without a folder").exists()


@needs_sources
@pytest.mark.slow
def test_a_source_distribution_has_what_the_two_commands_need(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".git", ".*_cache", "__pycache__", "build", "*.egg-info")
    )
    (source / "enumerator" / "kernel.so").touch()
    (source / "tests" / "golden").mkdir(exist_ok=True)
    (source / "tests" / "golden" / "counts.tsv").touch()
    program = "from setuptools import build_meta; build_meta.build_sdist('made')"
    run_python(program, cwd=source, status=0)
    (archive,) = (source / "made").iterdir()
    with tarfile.open(archive) as files:
        held = {name.partition("/")[2] for name in files.getnames()}
    for pattern in (
        "bench/**/*.py",
        "bench/corpora/*/*",
        "boards/**/*.txt",
        "boards/**/*.md",
        "tests/**/*.py",
        "tests/**/*.tsv",
        "enumerator/**/*.py",
        "enumerator/**/*.pyx",
        "enumerator/**/*.h",
        "enumerator/page/static/*",
        "*.md",
        "LICENSE",
        "CITATION.cff",
        "pyproject.toml",
        ".ci/run",
    ):
        wanted = {str(path.relative_to(source)) for path in source.glob(pattern)}
        assert wanted, pattern
        assert wanted <= held, pattern
    assert not {name for name in held if name.endswith((".so", ".pyc", "__pycache__"))}


@needs_sources
def test_the_citation_has_the_version_of_the_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [enumerator.__version__]


def test_the_kernels_run_on_any_processor_of_their_kind() -> None:
    """A wheel of this build must not need the processor of the machine that made it."""
    if os.environ.get("ENUMERATOR_CFLAGS"):
        pytest.skip("ENUMERATOR_CFLAGS is set")
    assert "native" not in kernel_build().flags


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="not a free-threaded Python")
def test_no_kernel_brings_the_lock_back() -> None:
    modules = (
        "search.kernel",
        "walks.boards",
        "learning.kernel",
        "contraction.sum",
        "contraction.sum_listing",
        "contraction.box",
    )
    program = "; ".join(f"import enumerator.engines.{module}" for module in modules)
    program += "; import sys; sys.exit(sys._is_gil_enabled())"
    run([sys.executable, "-W", "error", "-c", program], status=0)
