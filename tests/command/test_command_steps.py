"""--steps: the steps of a solution on the command line, and the rating."""

from __future__ import annotations

import json
from signal import SIGINT, raise_signal

import pytest
from support.boards import CONTRADICTION, EMPTY, PUZZLE, SOLVED, board, board_file
from support.processes import Run

import enumerator as en
from enumerator.questions.rules import Candidates, Conclusion

TINY = "1.....2..3.....4"


def test_each_step_stands_on_a_line_after_the_rating(ask: Run) -> None:
    lines = ask(TINY, "--steps").stdout.splitlines()
    assert lines[1:4] == [
        "  result          solved in 12 steps, without a guess",
        "  rating          easy: naked single",
        "  rules           naked single: 12 steps",
    ]
    assert lines[5:7] == ["  1     r1c4 is 3: its only candidate.", "  2     r2c2 is 4: its only candidate."]
    assert [line[8:] for line in lines[5:]] == [step.text for step in en.steps(TINY)]
    assert lines[-2:] == ["  12    r4c2 is 1: its only candidate.", "        Solved: every cell holds a digit."]


def test_the_steps_of_the_rules_and_dead_ends_sum_to_those_of_the_headline(ask: Run) -> None:
    for asked in ("1a", "16x16-unique"):
        lines = ask(board_file(asked), "--steps").stdout.splitlines()
        numbers = [int(line.split(": ")[1].split()[0].replace(",", "")) for line in lines if line.startswith("  rules")]
        assert lines[1].startswith(f"  result          solved in {sum(numbers):,} steps, ")
    assert en.steps(board("1a")).headline.startswith(f"solved in {board('1a').empty_cells} steps"), "singles alone"


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        (SOLVED, "easy"),
        (TINY, "easy: naked single"),
        (CONTRADICTION, "easy"),
        (EMPTY, "guess"),
        ("000105000140000670080002400063070010900000003010090520007200080026000035000409000", "easy: naked single"),
    ],
)
def test_the_rating_is_that_of_the_hardest_rule(ask: Run, text: str, rating: str) -> None:
    assert ask(text, "--steps", "-q").stdout == f"{rating}\n"
    answer = en.steps(text)
    assert answer.rating == rating.partition(":")[0]
    if answer.solution and answer.rating in ("easy", "medium", "hard"):
        assert answer.guesses == 0


def test_rules_beyond_singles_are_used_only_where_singles_end() -> None:
    """The rating is easy exactly where naked and hidden singles, applied alone, fill the board."""
    for name in ("1a", "2a", "6x6-unique", "16x16-unique"):
        now = Candidates(board(name))
        while (found := now._naked_single() or now._hidden_single()) is not None:  # noqa: SLF001 - the rules alone
            now.apply(found)
        assert (now.empty == 0) == (en.steps(board(name)).rating == "easy")


def test_json_and_csv_have_a_record_of_each_step(ask: Run) -> None:
    facts = json.loads(ask(TINY, "--steps", "--json").stdout)
    assert (facts["rating"], facts["hardest"], facts["ended"]) == ("easy", "naked single", "solved")
    rows = ask(TINY, "--steps", "--csv").stdout.splitlines()
    assert rows[0] == "source,board,step,kind,rule,cells,digits,depth,text,error"
    assert rows[1].endswith(",1,place,naked single,r1c4,3,0,r1c4 is 3: its only candidate.,")
    assert len(rows) == 1 + len(facts["steps"])


def test_a_file_of_boards_is_rated_board_by_board(ask: Run) -> None:
    done = ask("--steps", "-q", TINY, "x", PUZZLE)
    assert done.stdout.splitlines() == ["easy: naked single", "invalid", f"easy: {en.steps(PUZZLE).hardest}"]
    assert done.returncode == 2


def test_after_its_time_a_record_says_so(ask: Run) -> None:
    done = ask(board_file("25x25-unique"), "--steps", "--time-limit", "0.01")
    assert done.returncode == 0
    assert "the time limit cut it off" in done.stdout


def test_an_interrupt_leaves_the_steps_so_far(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = Candidates.conclude, list[Candidates]()

    def interrupted(now: Candidates) -> Conclusion | None:
        calls.append(now)
        if len(calls) == 4:
            raise_signal(SIGINT)
        return real(now)

    monkeypatch.setattr(Candidates, "conclude", interrupted)
    done = ask(TINY, "--steps")
    assert done.returncode == 130
    assert "not solved in 3 steps, without a guess: interrupted" in done.stdout
    assert "interrupted after" in done.stderr
