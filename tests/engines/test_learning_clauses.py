"""Learnt clauses: the checker of the checked build tells right ones from wrong ones, and walks that learn much.

A build with all checks verifies every clause that these walks learn: see enumerator/engines/learning/checks.h.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from support.boards import ROOT, shuffle, transpose
from support.cases import needs_compiler, needs_sources
from support.counts import general
from support.processes import run

from enumerator.board.files import read
from enumerator.engines import learning

CHECKER = r"""
#include "parts.h"

/* Return the variable of a digit in a cell. */
static uint32_t variable(const Learner *learner, int cell, int digit)
{
    for (uint32_t v = 0; v < learner->variables; v++)
        if (learner->cell_of[v] == cell && learner->digit_of[v] == digit)
            return v;
    abort();
}

static int implied(const Learner *learner, uint32_t first, uint32_t second, uint32_t third)
{
    uint32_t literals[3] = {first, second, third};
    return is_clause_implied(learner, literals, third == UINT32_MAX ? second == UINT32_MAX ? 1 : 2 : 3);
}

int main(void)
{
    /* row 1 is 1 2 . . : the two other cells hold 3 and 4; so do the last two of row 2 hold 1 and 2 */
    const uint8_t cells[16] = {1, 2};
    const uint32_t none = UINT32_MAX;
    Learner learner;
    if (!learning_start(&learner, cells, 2, 2, NULL))
        return 2;
    uint32_t a3 = variable(&learner, 2, 3), a4 = variable(&learner, 2, 4), b3 = variable(&learner, 3, 3);
    uint32_t far = variable(&learner, 15, 1);
    printf("%d", implied(&learner, false_literal(a3), false_literal(b3), none)); /* not both in one row */
    printf("%d", implied(&learner, true_literal(a3), true_literal(a4), none));   /* one of a cell's two digits */
    printf("%d", implied(&learner, false_literal(a3), false_literal(b3), true_literal(far)));
    printf("%d", implied(&learner, true_literal(a3), true_literal(far), none)); /* not so, like the next two */
    printf("%d", implied(&learner, true_literal(a3), none, none));
    printf("%d", implied(&learner, false_literal(a3), true_literal(b3), none)); /* both ways: a3 and b4, a4 and b3 */
    const uint32_t wrong[2] = {true_literal(a3), true_literal(far)};
    if (add_clause(&learner, wrong, 2, 1) == UINT32_MAX)
        return 2;
    printf("%d\n", implied(&learner, true_literal(far), false_literal(a4), none)); /* by that clause */
    learning_free(&learner);
    fflush(stdout);
    learner.conflicts = 7;
    CHECK(learner.conflicts != 7);
    return 0;
}
"""

FORGETFUL = r"""
#include "conflicts.h"

/* Learn, but leave the last literal out of every hundredth clause of three literals and more. */
static uint32_t analyse_badly(Learner *learner)
{
    uint32_t level = analyse(learner);
    if (learner->conflicts % 100 == 99 && learner->learnt_count > 2)
        learner->learnt_count--;
    return level;
}
#define analyse analyse_badly
#include "parts.h"

int main(void)
{
    static uint8_t cells[625];
    Learner learner;
    uint64_t effort = 2000;
    for (int cell = 0; cell < 625; cell++)
        if (scanf("%2hhu", &cells[cell]) != 1)
            return 2;
    if (!learning_start(&learner, cells, 5, 5, NULL))
        return 2;
    learning_run(&learner, &effort, UINT64_MAX, NULL, 0);
    printf("%llu conflicts\n", (unsigned long long)learner.conflicts);
    learning_free(&learner);
    return 0;
}
"""

KERNEL = ROOT / "enumerator" / "engines" / "learning"
LARGE = ROOT / "boards" / "large"


def compile_and_run(folder: Path, program: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Compile a C program with all checks on, beside the sources of the kernel, and run it."""
    (folder / "program.c").write_text(program)
    flags = ["-O1", "-DENUMERATOR_CHECKED=1", "-Wno-unused-function", f"-I{KERNEL}", f"-I{KERNEL.parent}"]
    run(["cc", *flags, "-o", folder / "program", folder / "program.c"], status=0)
    return run([folder / "program"], stdin=typed, cwd=folder)


@needs_compiler
@needs_sources
def test_the_checker_tells_which_clauses_are_implied(tmp_path: Path) -> None:
    done = compile_and_run(tmp_path, CHECKER)
    assert done.stdout == "1110001\n"
    assert done.returncode < 0, "a check that does not hold ends the process"
    assert "check failed: learner.conflicts != 7" in done.stderr


@pytest.mark.slow
@needs_compiler
@needs_sources
def test_the_checker_finds_a_clause_that_lacks_a_literal(tmp_path: Path) -> None:
    numbers = " ".join(map(str, read(LARGE / "25x25-b.txt").cells))
    right = compile_and_run(tmp_path, FORGETFUL.replace("== 99", "== 100"), numbers)
    assert (right.returncode, right.stderr) == (0, "")
    assert int(right.stdout.split()[0]) > 500
    wrong = compile_and_run(tmp_path, FORGETFUL, numbers)
    assert wrong.returncode < 0
    assert "check failed: is_clause_implied" in wrong.stderr


# ---------------------------------------------------------------------------------------- walks that learn


@pytest.mark.parametrize("name", ["16x16-b-6", "25x25-a-6", "25x25-b", "36x36-a"])
def test_large_boards_teach_clauses(name: str) -> None:
    walk = learning.ENGINE.start(read(LARGE / f"{name}.txt"))
    walk.run(3_000)
    assert walk.nodes == 3_000 or walk.finished
    assert walk.conflicts > 300  # type: ignore[attr-defined]


def test_counts_that_teach_clauses_are_right() -> None:
    """The walk forgets clauses, restarts below solutions, and learns facts for all levels."""
    one, rng, conflicts = read(LARGE / "16x16-b-4.txt"), random.Random("clauses"), 0
    solutions = general(one).run()
    for twin in (one, shuffle(one, rng), transpose(shuffle(one, rng))):
        walk = learning.ENGINE.start(twin)
        assert (walk.run(), walk.finished) == (solutions, True)
        conflicts += walk.conflicts  # type: ignore[attr-defined]
    assert conflicts > 1_000
