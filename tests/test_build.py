"""The kernel built with every check on, and the same tests over it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT


@pytest.mark.timeout(240)
def test_the_checked_build_passes_the_kernels_tests(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "installed"
    leave_out = shutil.ignore_patterns(
        ".*", "build", "*.so", "*.egg-info", "kernel.c", "__pycache__", "results", "tests"
    )
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

    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(ROOT / "tests" / "test_search.py")]
    done = subprocess.run(
        tests, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
