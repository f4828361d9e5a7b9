"""The number of cores that may be used: by affinity, by container, by environment."""

import os
from pathlib import Path

import loky
import pytest

from enumerator.run.workers.executors import container_cores, usable_cores, visible_cores


def test_the_cores_are_those_that_loky_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOKY_MAX_CPU_COUNT", raising=False)
    assert usable_cores() == loky.cpu_count()
    for limit in ("1", "2", "1000"):
        monkeypatch.setenv("LOKY_MAX_CPU_COUNT", limit)
        assert usable_cores() == loky.cpu_count() <= int(limit)


@pytest.mark.parametrize("wrong", ["", "two", "0", "-3"])
def test_a_limit_that_is_no_number_of_cores_leaves_at_least_one(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", wrong)
    assert 1 <= usable_cores() <= visible_cores()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_affinity_limits_the_cores() -> None:
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert usable_cores() == 1
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, None),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "100000 100000"}, 1),
        ({"cpu.max": "10000 100000"}, 1),
        ({"cpu.max": "1600000 100000"}, 16),
        ({"cpu.max": "damaged"}, None),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "250000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        ({"cpu/cpu.cfs_quota_us": "250000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "250000\n", "cpu/cpu.cfs_period_us": "0\n"}, None),
    ],
)
def test_a_container_limits_the_cores(files: dict[str, str], cores: int | None, tmp_path: Path) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert container_cores(str(tmp_path)) == cores
