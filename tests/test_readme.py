"""The documents: their commands, transcripts, links and length."""

import ast
import re
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from support.boards import ROOT
from support.cases import HAS_SOURCES
from support.in_process import run_main, shown_by

if not HAS_SOURCES:
    pytest.skip("no source tree: tests of a wheel", allow_module_level=True)

README = (ROOT / "README.md").read_text()
MANUAL = (ROOT / "enumerator" / "README.md").read_text()
FIRST, SECOND = "pip install . && enumerate boards/1c.txt --cores 16", "pip install '.[test]' && pytest"

MAX_LINES = 170
"""The length of the README: a newcomer reads it in one sitting."""

MAX_DISCUSSION_LINES = 150
"""The length of the discussion of the study."""

DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "boards").rglob("README.md"),
    *(ROOT / "results").glob("*.md"),
    *(ROOT / "bench").glob("*.md"),
    *(ROOT / "enumerator").rglob("README.md"),
]


def test_ci_runs_the_second_of_the_two_commands() -> None:
    assert f"    {FIRST}\n" in README
    assert f"    {SECOND}\n" in README
    assert f"\n{SECOND}\n" in (ROOT / ".ci" / "run").read_text()


def test_the_documents_are_short() -> None:
    assert len(README.splitlines()) <= MAX_LINES
    assert len((ROOT / "results" / "README.md").read_text().splitlines()) <= MAX_DISCUSSION_LINES


def sections_of(text: str) -> dict[str, str]:
    """Return the sections of a document by their headings, without those that have no transcript."""
    parts = re.split(r"^#+ (.*)\n", text, flags=re.MULTILINE)
    return {name: part for name, part in zip(parts[1::2], parts[2::2], strict=True) if transcripts(part)}


def transcripts(text: str) -> list[tuple[str, str]]:
    """Return commands with their output, except those that measure and those drawn on a terminal."""
    shown = re.findall(r"^    \$ (.*)\n((?:    .*\n)*)", text, re.MULTILINE)
    return [
        (command, re.sub(r"^    ", "", output, flags=re.MULTILINE))
        for command, output in shown
        if not re.search("bench|dask|--time-limit|--estimate$", command) and "┌" not in output
    ]


SECTIONS = {f"manual: {heading}": transcripts(text) for heading, text in sections_of(MANUAL).items()}
"""The transcripts of documents by their sections. Those of a section run one after the other in a folder."""

SECTIONS["README"] = [each for each in transcripts(README) if each not in transcripts(MANUAL)]


@pytest.mark.slow
@pytest.mark.parametrize("name", SECTIONS)
def test_transcripts_are_true(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "boards").symlink_to(ROOT / "boards")
    monkeypatch.chdir(tmp_path)
    for command, output in SECTIONS[name]:
        assert without_times(shown_by(command)) == without_times(output), command


NOT_RUN = {"--serve", "--host", "--allow-host", "--scheduler", "--completion", "--help"}
"""Options that the manual shows without a transcript: a server, a cluster, a long text."""


def test_the_manual_has_an_example_of_every_option() -> None:
    done = run_main("--help")
    known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*(?=[ ,\n])", done.stdout.partition("words:")[0]))
    shown = " ".join(command for command, _ in re.findall(r"^    \$ (.*)\n(.*)", MANUAL, re.MULTILINE))
    examples = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", shown))
    long = {option for option in known if option.startswith("--")}
    assert long - examples == NOT_RUN
    assert all(re.search(rf"(?<![\w-]){option}(?![\w-])", MANUAL) for option in NOT_RUN)


def without_times(text: str) -> str:
    """The text without what depends on the machine: times, and the numbers of cores, nodes and tasks."""
    text = re.sub(r'(time +|"seconds": |agrees, )[\d.e-]+', r"\1…", text)
    return re.sub(r"\b\d+ cores?( \(.* requested: .*\))?(, [\d,]+ nodes?)?(, [\d,]+ tasks?)?", r"… cores", text)


def python_example() -> str:
    """Return the code of the section on Python."""
    section = README.partition("## In Python\n")[2].partition("\n## ")[0]
    return "".join(line[4:] + "\n" for line in section.splitlines() if line.startswith("    "))


def test_the_python_example_runs_and_its_values_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment behind an expression begins with its value, if it begins like one."""
    pytest.importorskip("numpy")
    monkeypatch.chdir(ROOT)
    code, names, checked = python_example(), dict[str, Any](), 0
    for statement in ast.parse(code).body:
        comment = code.splitlines()[statement.lineno - 1].partition("  # ")[2]
        if isinstance(statement, ast.Expr) and re.match(r"\d+(:|$)|['\[(]|Board\(", comment):
            value = eval(compile(ast.Expression(statement.value), "README.md", "eval"), names)
            assert re.match(rf"{re.escape(repr(value))}([:;]|$)", comment), comment
            checked += 1
        else:
            exec(compile(ast.Module([statement], []), "README.md", "exec"), names)
    assert checked == 8


def test_options_in_the_readme_exist() -> None:
    done = run_main("--help")
    known = set(re.findall(r"--[a-z][a-z-]*", done.stdout)) | {
        "--nworkers",
        "--nthreads",
        "--quick",
    }  # Dask's, and the study's
    commands = re.sub(r"python -m bench .*", "", README + MANUAL)
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", commands)) <= known


@pytest.mark.parametrize("document", DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS])
def test_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
        if link.startswith("https://"):
            continue
        name, _, section = link.partition("#")
        target = (document.parent / name) if name else document
        assert target.exists(), link
        assert not section or section in sections(target), link


CAPITALS = re.compile(r"\b[A-Z][A-Z0-9_]*[A-Z0-9]{2}\b")
"""A word in capitals of three or more letters."""

ABBREVIATIONS = {"A346008", "API", "ARM", "BMI", "OEIS", "QEMU", "TLS", "VMTF", "VNNI"}
"""Abbreviations that only documents use."""

STAND_INS = {"CLONE", "FOLDER_WITHOUT_CC", "PATH"}
"""Words in commands of the documents for which the reader puts in a name of his own."""


@lru_cache
def words_of_ours() -> set[str]:
    """Return the words in capitals that the code uses, and the names of the documents."""
    code = chain.from_iterable((ROOT / house).rglob("*") for house in ("enumerator", "bench"))
    texts = [path.read_text() for path in code if path.suffix in (".py", ".pyx", ".pxd", ".h")]
    return {word for text in texts for word in CAPITALS.findall(text)} | {path.stem for path in ROOT.iterdir()}


@pytest.mark.parametrize("document", DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS])
def test_no_placeholder_is_left(document: Path) -> None:
    words = set(CAPITALS.findall(document.read_text()))
    assert words - words_of_ours() - ABBREVIATIONS - STAND_INS == set()
    assert not words & {"TODO", "FIXME", "TBD", "XXX"}


def test_files_that_comments_of_the_build_name_exist() -> None:
    comments = re.findall(r"#.*", (ROOT / "pyproject.toml").read_text())
    names = {name for comment in comments for name in re.findall(r"[\w/.]+/[\w.]*|[\w/]+\.(?:py|md)\b", comment)}
    assert {name for name in names if not (ROOT / name).exists()} == set()


def sections(document: Path) -> set[str]:
    """The names by which links refer to the headings of a document, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
