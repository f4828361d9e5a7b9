"""The command as its users meet it: what it prints, where, and with which exit status."""

import json
import random
import re
from pathlib import Path

import gmpy2
import pytest
from support.boards import BOARDS, CONTRADICTION, EMPTY, PUZZLE, SOLVED, UNSOLVABLE, breaks_no_rule, shuffle
from support.cases import slow_after
from support.counts import assert_count
from support.processes import Run, assert_mistake
from support.runs import RESTLESS

import enumerator
from enumerator.board import Board
from enumerator.board.files import read
from enumerator.engines import search
from enumerator.run.workers.executors import usable_cores


def test_a_count_in_a_pipe_is_plain_text(command: Run) -> None:
    done = command(str(BOARDS / "1b.txt"), "--engine", "search", "--cores", "1")
    board = read(str(BOARDS / "1b.txt"))
    facts = dict(re.findall(r"^  (\S.*?)  +(.*)$", done.stdout, re.MULTILINE))
    assert done.stdout.startswith(f"{BOARDS}/1b.txt:1\n")
    assert (facts["shape"], facts["cells"], facts["empty cells"]) == ("3x3", "81", "59")
    assert list(facts)[:2] == ["solutions", "verdict"]
    assert (facts["verdict"], facts["clues"]) == ("multiple", "22 of 81 cells (27 % filled)")
    assert facts["search space"] == f"{board.search_space:.3e}"[:4] + "e37"  # more than 30 digits
    assert_count(board, int(facts["solutions"]))
    assert facts["engine"].startswith("search, 1 core, ")
    assert "\x1b" not in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_json_is_one_object_a_board(ask: Run) -> None:
    done = ask(str(BOARDS / "1a.txt"), str(BOARDS / "1b.txt"), "--json")
    first, second = map(json.loads, done.stdout.splitlines())
    board = read(str(BOARDS / "1b.txt"))
    assert list(first) == [
        *("source", "board", "shape", "cells", "empty_cells", "filling_factor", "search_space"),
        *("solutions", "complete", "ended", "engine", "cores", "requested_cores", "tasks", "nodes", "seconds"),
        *("verdict", "solution"),
    ]
    assert (first["solutions"], first["complete"]) == ("1", True)
    assert (second["board"], second["requested_cores"]) == (str(board), None)
    assert second["source"] == f"{BOARDS}/1b.txt:1"
    assert (second["shape"], second["cells"], second["empty_cells"]) == ("3x3", 81, 59)
    assert second["filling_factor"] == pytest.approx(22 / 81, abs=1e-6)
    assert second["search_space"] == str(board.search_space)
    assert second["solutions"] == str(enumerator.count(board))
    assert (second["engine"], second["cores"]) == ("search", 1)
    assert 0 < second["seconds"] < 10


def test_quiet_prints_the_counts_alone(command: Run) -> None:
    done = command("--quiet", str(BOARDS / "4x4-many.txt"), "-", stdin=f"{PUZZLE}\n" * 3)
    assert done.stdout.split() == [str(enumerator.count(read(str(BOARDS / "4x4-many.txt")))), "1", "1", "1"]


def test_boards_of_a_batch_are_named_by_their_lines(ask: Run) -> None:
    done = ask("-", "--json", stdin=f"# two puzzles\n{PUZZLE}\n{PUZZLE}\n")
    assert [json.loads(line)["source"] for line in done.stdout.splitlines()] == ["<stdin>:2", "<stdin>:3"]


def test_what_follows_two_dashes_is_boards(ask: Run, tmp_path: Path) -> None:
    for name in ("--list", "-x.txt", "--"):
        (tmp_path / name).write_text(PUZZLE)
    assert ask("--quiet", "./--", "--", "--list", "-x.txt", "--", "-", stdin=PUZZLE).stdout == "1\n" * 5


def test_a_limit_is_kept_and_said(ask: Run) -> None:
    done = ask(str(BOARDS / "empty.txt"), "--limit", "1e3")
    assert re.search(r"solutions +at least 1000 \(limit\)", done.stdout)
    answer = json.loads(ask(str(BOARDS / "empty.txt"), "--limit", "5", "--json").stdout)
    assert (answer["solutions"], answer["complete"]) == ("5", False)
    answer = json.loads(ask(str(BOARDS / "4x4-unique.txt"), "--limit", "5", "--json").stdout)
    assert (answer["solutions"], answer["complete"]) == ("1", True)


def test_a_number_alone_says_too_whether_there_may_be_more(ask: Run) -> None:
    assert ask("-", "--quiet", "--limit", "2", stdin=f"{PUZZLE}\n{'.' * 81}\n").stdout == "1\n2+\n"


def test_a_shape_can_be_given(ask: Run) -> None:
    board = "." * 36
    tall, wide = (
        json.loads(ask("-", "--json", "--limit", "1", *more, stdin=board).stdout) for more in (["--shape", "3x2"], [])
    )
    assert (tall["shape"], wide["shape"]) == ("3x2", "2x3")


def test_the_largest_board_has_a_search_space_of_7398_digits(ask: Run) -> None:
    answer = json.loads(
        ask(
            "-",
            "--json",
            "--limit",
            "1",
            stdin="." * 4096,
        ).stdout
    )
    assert (answer["shape"], answer["solutions"]) == ("8x8", "1")
    assert gmpy2.mpz(answer["search_space"]) == gmpy2.mpz(64) ** 4096


def test_fewer_cores_than_requested_come_with_the_reason(ask: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("enumerator.run.workers.executors.usable_cores", lambda: 4)
    for options, reason in (
        (["1a.txt", "--cores", "16"], " (16 requested: done before it was worth dividing)"),
        (["1c.txt", "--cores", "16", "--limit", "5"], " (16 requested: ended before it was worth dividing)"),
        (["1a.txt", "--cores", "1"], ""),
        (["1a.txt"], ""),
    ):
        assert f"search, 1 core{reason}, " in ask(str(BOARDS / options[0]), *options[1:]).stdout
    monkeypatch.setattr("enumerator.run.workers.executors.usable_cores", lambda: 1)
    shown = ask(str(BOARDS / "1a.txt"), "--cores", "16").stdout
    assert "search, 1 core (16 requested: no more are available), " in shown


def test_a_cutoff_is_for_the_search_alone(ask: Run) -> None:
    """Without one, auto counts this board by contraction, which has no tree to cut."""
    plain, cut = (
        json.loads(ask(str(BOARDS / "1d.txt"), "--json", *more).stdout) for more in ([], ["--cutoff", "1e30"])
    )
    assert (plain["engine"], cut["engine"]) == ("contraction", "search")
    assert plain["solutions"] == cut["solutions"]
    refused = ask(str(BOARDS / "1d.txt"), "--cutoff", "1e30", "--engine", "contraction")
    assert_mistake(refused, "--cutoff does not go with --engine contraction: it divides the tree of the search")


@pytest.mark.slow
def test_requested_and_effective_cores_are_said(command: Run) -> None:
    answer = json.loads(command(str(BOARDS / "1d.txt"), "--engine", "search", "--cores", "16", "--json").stdout)
    usable = usable_cores()
    assert (answer["cores"], answer["requested_cores"]) == (min(usable, 16), 16)
    assert answer["tasks"] > 10 or usable == 1
    assert_count(read(BOARDS / "1d.txt"), int(answer["solutions"]), search.count)


@pytest.mark.parametrize(
    "options", slow_after(1, [["--backend", "threads"], ["--cutoff", "1e30"], ["--cutoff", "1e12"], ["--cores", "1"]])
)
def test_the_count_does_not_depend_on_how_it_is_done(ask: Run, options: list[str]) -> None:
    answer = ask(str(BOARDS / "1c.txt"), "--quiet", "--engine", "search", *options, pacing=RESTLESS)
    assert (answer.stdout, answer.stderr) == (f"{search.count(read(BOARDS / '1c.txt'))}\n", "")


@pytest.mark.slow
def test_a_limit_is_kept_on_all_cores(ask: Run) -> None:
    answer = json.loads(ask(str(BOARDS / "empty.txt"), "--engine", "search", "--limit", "1e6", "--json").stdout)
    assert (answer["solutions"], answer["complete"]) == ("1000000", False)


@pytest.mark.slow
def test_an_estimate_says_how_many_and_how_long(ask: Run) -> None:
    options = ["--engine", "search", "--cores", "1", "--seed", "1", "--probes", "500"]
    done = ask(str(BOARDS / "empty.txt"), "--estimate", *options)
    facts = dict(re.findall(r"^  (\S.*?)  +(.*)$", done.stdout, re.MULTILINE))
    assert re.fullmatch(r"about [4-9]\.\d\de21 \(95 %: \d\.\d\de2\d to \d\.\d\de2\d\)", facts["solutions"])
    assert re.fullmatch(r"about \S+ years \(95 %: \S+ years to \S+ years\) by search on 1 core", facts["time"])
    exact = ask(str(BOARDS / "1c.txt"), "--estimate").stdout
    assert re.search(r"^  solutions       134037 \(counted\)$", exact, re.MULTILINE)
    options = ["--engine", "search", "--json", "--seed", "3", "--probes", "500"]
    answer = json.loads(ask(str(BOARDS / "2g.txt"), "--estimate", *options).stdout)
    low, high = (answer["estimated_solutions"][name] for name in ("low", "high"))
    assert low < 507_283_775 < high
    assert set(answer["estimated_seconds"]) == {"mean", "low", "high", "log10"}
    assert (answer["exact"], answer["probes"] > 30) == (False, True)


@pytest.mark.slow
def test_a_seed_fixes_an_estimate(ask: Run) -> None:
    """The number of probes is given, or that of the board; the cores do not matter."""

    def estimate(*options: str) -> dict[str, object]:
        answer = json.loads(ask("." * 144, "--estimate", "--json", *options).stdout)
        return {name: answer[name] for name in ("estimated_solutions", "estimated_nodes", "exact", "probes")}

    for options in (["--seed", "5", "--probes", "256"], ["--probes", "256"]):
        first = estimate(*options, "--cores", "1")
        assert first == estimate(*options, "--cores", "2")
        assert (first["exact"], first["probes"]) == (False, 256)
        assert first != estimate("--seed", "6", "--probes", "256")


def test_an_estimate_from_too_few_probes_says_so(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "64.txt").write_text(" ".join("." * 4096))
    options = ["64.txt", "--shape", "8x8", "--estimate", "--time-limit", "0.1"]
    facts = dict(re.findall(r"^  (\S.*?)  +(.*)$", ask(*options).stdout, re.MULTILINE))
    assert (facts["solutions"], facts["nodes"]) == ("too few probes to say", "too few probes to say")
    assert ask(*options, "--quiet").stdout == "?\n"
    answer = json.loads(ask(*options, "--json").stdout)
    assert answer["estimated_solutions"]["low"] is None


def test_conflicting_clues_are_an_answer(ask: Run) -> None:
    done = ask("-", stdin="5...5" + "." * 76)
    assert re.search(r"conflict +row 1 holds 5 twice, at r1c1 and r1c5", done.stdout)
    assert re.search(r"solutions +0$", done.stdout, re.MULTILINE)
    assert done.returncode == 0
    answer = json.loads(ask("-", "--json", stdin="5...5" + "." * 76).stdout)
    assert answer["conflicts"] == ["row 1 holds 5 twice, at r1c1 and r1c5"]


def test_the_version_says_what_was_compiled(ask: Run) -> None:
    done = ask("--version")
    assert f"enumerator {enumerator.__version__}" in done.stdout
    assert re.search(r"kernel: compiled by .+ from Cython 3\.\d+.*, checks off, flags -O3", done.stdout)
    assert "-march=native" not in done.stdout


def test_help_explains_the_words_of_an_answer(ask: Run) -> None:
    words = ask("--help").stdout.partition("\nwords:\n")[2].partition("\n\n")[0]
    explained = set(re.findall(r"^  (\w+(?: \w+)?)   ", words, re.MULTILINE))
    assert {"unique", "clues", "empty cells", "search space"} <= explained
    assert "filling factor" in words


def test_a_unique_board_comes_with_its_solution(ask: Run) -> None:
    done = ask("-", stdin=PUZZLE)
    assert f"  solutions       1\n  verdict         unique\n  solution        {SOLVED}\n" in done.stdout
    lines = [json.loads(line) for line in ask("-", "--json", stdin=f"{PUZZLE}\n{EMPTY}\n").stdout.splitlines()]
    assert [(line["verdict"], line.get("solution")) for line in lines] == [("unique", SOLVED), ("multiple", None)]
    assert ask("-", "--quiet", stdin=PUZZLE).stdout == "1\n"


def test_a_batch_of_unique_boards_comes_with_their_solutions(ask: Run, tmp_path: Path) -> None:
    rng = random.Random(16)
    boards = [shuffle(Board.parse(PUZZLE), rng) for _ in range(300)]
    (tmp_path / "many").write_text("".join(f"{board}\n" for board in boards))
    found = [json.loads(line)["solution"] for line in ask("many", "--json").stdout.splitlines()]
    assert all(breaks_no_rule(Board.parse(line), board) for line, board in zip(found, boards, strict=True))


@pytest.mark.parametrize(
    ("options", "text", "verdict"),
    [
        (["--limit", "1"], EMPTY, "unknown"),
        (["--limit", "2"], PUZZLE, "unique"),
        (["--limit", "2"], EMPTY, "multiple"),
        ([], CONTRADICTION, "none"),
        ([], UNSOLVABLE, "none"),
    ],
)
def test_a_verdict_is_only_what_a_count_shows(ask: Run, options: list[str], text: str, verdict: str) -> None:
    assert json.loads(ask("-", "--json", *options, stdin=text).stdout)["verdict"] == verdict


def test_long_integers_are_short_in_text_and_exact_in_json(ask: Run) -> None:
    board = read(str(BOARDS / "25x25-unique.txt"))
    text = ask(str(BOARDS / "25x25-unique.txt")).stdout
    assert re.search(r"^  search space    5\.39e266$", text, re.MULTILINE)
    answer = json.loads(ask(str(BOARDS / "25x25-unique.txt"), "--json").stdout)
    assert answer["search_space"] == str(board.search_space)


# -------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "<stdin>: no board in it"),
        (["--status"], "no ledger given: --status needs the name of its file"),
        (["--audit", "--share", "5%"], "no ledger given: --audit needs the name of its file"),
        (["x.txt", "--cores", "0"], "--cores: '0' is not a whole number of at least 1"),
        (["x.txt", "--cores", "-1"], "--cores"),
        (["x.txt", "--cores", "two"], "--cores: 'two'"),
        (["x.txt", "--cores", "1e5000"], "--cores: '1e5000'"),
        (["x.txt", "--cores", "1e400"], "--cores: '1e400' is not a number of cores between 1 and 1,000,000"),
        (["x.txt", "--cores", "9" * 400], f"--cores: '{'9' * 30}…' is not a number of cores"),
        (["x.txt", "--limit", "0" * 400], f"--limit: '{'0' * 30}…' is not a whole number of at least 1"),
        (["x.txt", "--no\nsuch"], r"--no\nsuch"),
        (["x.txt", "--limit", "0"], "--limit: '0'"),
        (["x.txt", "--limit", "1.5"], "--limit: '1.5'"),
        (["x.txt", "--limit", "1e-3"], "--limit"),
        (["x.txt", "--engine", "magic"], "--engine"),
        (["x.txt", "--backend", "magic"], "--backend"),
        (["x.txt", "--cutoff", "0"], "--cutoff: '0' is not a size between 1 and 1e9999"),
        (["x.txt", "--cutoff", "1e99999"], "--cutoff: '1e99999'"),
        (["x.txt", "--cutoff", "-5"], "--cutoff"),
        (["x.txt", "--shape", "9"], "--shape: 9 is not a box: did you mean 3x3"),
        (["x.txt", "--shape", "1x9"], "--shape: a box of 1x9 is not between 2x2 and 8x8"),
        (["x.txt", "--json", "--quiet"], "not allowed with"),
        (["x.txt", "--nonsense"], "--nonsense"),
        (["x.txt", "--estimate", "--probes", "0"], "--probes: '0'"),
        (
            ["x.txt", "--estimate", "--seed", "1", "--time-limit", "5"],
            "--time-limit does not go with --estimate --seed",
        ),
        (["x.txt", "--probes", "5"], "--probes goes with --estimate"),
        (["absent.txt"], "absent.txt: No such file or directory"),
        (["."], ".: Is a directory"),
        (["-"], "<stdin>: no board in it"),
    ],
)
def test_mistakes_end_with_status_2_and_one_line(command: Run, ask: Run, arguments: list[str], message: str) -> None:
    run = ask if arguments else command
    assert_mistake(run(*arguments), message)


@pytest.mark.parametrize("engine", ["auto", "search"])
def test_a_limit_of_any_size_is_taken(ask: Run, engine: str) -> None:
    counts = [
        ask(str(BOARDS / "1c.txt"), "--quiet", "--engine", engine, *limit).stdout
        for limit in ((), ("--limit", "1e400"))
    ]
    assert counts[0] == counts[1] != ""


def test_one_unusable_board_does_not_keep_the_others_from_an_answer(ask: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad\nname.txt"
    bad.write_text("123456789\n" * 2 + "12345678X\n")
    done = ask(str(bad), "absent.txt", "-", "--quiet", stdin=f"{PUZZLE}\n{PUZZLE[1:]}x\n{PUZZLE}\n")
    assert done.stdout == "invalid\ninvalid\n1\ninvalid\n1\n"
    assert done.returncode == 2
    errors = done.stderr.splitlines()
    assert errors[0].endswith(r"bad\nname.txt:3:9: 'X' is no digit of a 9×9 board")
    assert errors[1:] == [
        "enumerate: absent.txt: No such file or directory",
        "enumerate: <stdin>:2:81: 'x' is no digit of a 9×9 board",
    ]
