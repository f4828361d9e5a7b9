"""What is built: the kernels with every check on, and the source distribution."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from helpers import ROOT


@pytest.mark.timeout(400)
def test_the_checked_build_passes_the_kernels_tests(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "installed"
    leave_out = shutil.ignore_patterns(".*", "build", "*.so", "*.egg-info", "*.c", "__pycache__", "results", "tests")
    shutil.copytree(ROOT, source, ignore=leave_out)
    environment = {**os.environ, "ENUMERATOR_CHECKED": "1", "ENUMERATOR_CFLAGS": "-O1 -DNOTED=1"}
    install = f"{sys.executable} -m pip install -q --no-build-isolation --no-deps --target {target} {source}".split()
    subprocess.run(install, check=True, timeout=200, env=environment, capture_output=True)

    environment = {**os.environ, "PYTHONPATH": str(target)}
    program = "from enumerator.search import kernel; print(kernel.CHECKED, kernel.FLAGS)"
    answer = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert answer.stdout.startswith("True -O3 ")
    assert "-O1 -DNOTED=1" in answer.stdout
    for kernel in (source / "enumerator").rglob("*.pyx"):
        assert "__Pyx_RaiseBufferIndexError" in kernel.with_suffix(".c").read_text()  # bounds

    names = ("test_search.py", "test_contraction.py", "test_lists.py", "test_candidates.py", "test_verdicts.py")
    tests = [str(ROOT / "tests" / name) for name in names]
    slow = "random_boards_have or boards_with_many or all_plans or every_symmetry or rearrange or likely or interchange"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", f"not ({slow})", *tests],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]


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
        "boards/*",
        "tests/*.py",
        "enumerator/**/*.py",
        "enumerator/**/*.pyx",
        "enumerator/**/*.h",
    ]
    for pattern in [*wanted, "*.md", "LICENSE", "pyproject.toml", ".ci/run"]:
        assert {str(path.relative_to(ROOT)) for path in ROOT.glob(pattern)} <= held, pattern
