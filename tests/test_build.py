"""What is built: the kernels with every check on, and the source distribution."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from helpers import ROOT

SOME = " or ".join(
    (
        *("reference_finds[0-3x", "agree_on_9x9[1", "make_the_whole[0", "kernel_says", "refuses"),  # both walks
        *("partitions", "lines_that_fit", "few_solutions", "sum_in_pieces_is_the_same[0", "avx2_have_the_same_sum[5"),
        *("every_solution_once[0", "nth_is_the_nth", "list_has[0"),  # lists, candidates
    )
)
"""Tests that use every kernel; `python -m bench sanitize` runs the others, too."""


@pytest.mark.slow
@pytest.mark.timeout(200)
def test_the_checked_build_passes_the_kernels_tests() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "sanitize", "--build", "checked", "--keyword", SOME],
        cwd=ROOT,
        env={**os.environ, "ENUMERATOR_CFLAGS": "-O0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert re.fullmatch(r"checked +built in \d+ s, \d+ passed, \d+ deselected in .*\n", done.stdout)


@pytest.mark.slow
def test_a_source_distribution_has_what_the_two_commands_need(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".git", "build", "*.so", "*.egg-info", "__pycache__"))
    program = "from setuptools import build_meta; build_meta.build_sdist('made')"
    subprocess.run([sys.executable, "-c", program], cwd=source, check=True, timeout=60, capture_output=True)
    (archive,) = (source / "made").iterdir()
    with tarfile.open(archive) as files:
        held = {name.partition("/")[2] for name in files.getnames()}
    wanted = [
        "bench/*.py",
        "bench/corpora/*/*",
        "boards/*",
        "tests/**/*.py",
        "enumerator/**/*.py",
        "enumerator/**/*.pyx",
        "enumerator/**/*.h",
    ]
    for pattern in [*wanted, "*.md", "LICENSE", "pyproject.toml", ".ci/run"]:
        assert {str(path.relative_to(ROOT)) for path in ROOT.glob(pattern)} <= held, pattern
