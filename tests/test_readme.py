"""The documents: their commands, transcripts, links and length."""

import ast
import re
import subprocess
from pathlib import Path
from shlex import quote
from typing import Any

import pytest
from support.boards import ROOT
from support.cases import HAS_SOURCES
from support.processes import COMMAND, run

if not HAS_SOURCES:
    pytest.skip("no source tree: tests of a wheel", allow_module_level=True)

README = (ROOT / "README.md").read_text()
TRANSCRIPTS = (ROOT / "results" / "transcripts.md").read_text()
FIRST, SECOND = "pip install . && enumerate boards/1c.txt --cores 16", "pip install '.[test]' && pytest"

MAX_LINES = 240
"""The length of the README: a newcomer reads it in one sitting."""

MAX_DISCUSSION_LINES = 150
"""The length of the discussion of the study."""

DOCUMENTS = [
    *ROOT.glob("*.md"),
    ROOT / "boards" / "README.md",
    *(ROOT / "results").glob("*.md"),
    *(ROOT / "enumerator").rglob("README.md"),
]


def test_ci_runs_the_second_of_the_two_commands() -> None:
    assert f"    {FIRST}\n" in README
    assert f"    {SECOND}\n" in README
    assert f"\n{SECOND}\n" in (ROOT / ".ci" / "run").read_text()


def test_the_documents_are_short() -> None:
    assert len(README.splitlines()) <= MAX_LINES
    assert len((ROOT / "results" / "README.md").read_text().splitlines()) <= MAX_DISCUSSION_LINES


def transcripts() -> list[tuple[str, str]]:
    """Commands shown with their output, except those that measure and the one drawn on a terminal."""
    shown = re.findall(r"^    \$ (.*)\n((?:    .*\n)*)", README + TRANSCRIPTS, re.MULTILINE)
    return [
        (command, re.sub(r"^    ", "", output, flags=re.MULTILINE))
        for command, output in shown
        if not re.search("bench|dask|--estimate|--time-limit|run.db", command) and "┌" not in output
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "output"), transcripts(), ids=[command[:40] for command, _ in transcripts()])
def test_transcripts_are_true(command: str, output: str) -> None:
    done = run(["sh", "-c", re.sub(r"\benumerate\b", quote(COMMAND), command)], cwd=ROOT, stderr=subprocess.STDOUT)
    assert without_times(done.stdout) == without_times(output)


def without_times(text: str) -> str:
    """The text without what depends on the machine: times, and the numbers of cores, nodes and tasks."""
    text = re.sub(r'(time +|"seconds": |agrees, )[\d.e-]+', r"\1…", text)
    return re.sub(r"\b\d+ cores?(, [\d,]+ nodes?)?(, [\d,]+ tasks?)?", r"… cores\1", text)


def python_example() -> str:
    """Return the code of the section on Python, up to the part that needs pandas."""
    section = README.partition("## In Python\n")[2].partition("\n## ")[0]
    code = "".join(line[4:] + "\n" for line in section.splitlines() if line.startswith("    "))
    return code.partition("import pandas")[0]


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
    assert "6670903752021072936960" in README  # the count of the empty board, by `test_transcripts_are_true`


def test_options_in_the_readme_exist() -> None:
    done = run([COMMAND, "--help"], status=0)
    known = set(re.findall(r"--[a-z][a-z-]*", done.stdout)) | {
        "--nworkers",
        "--nthreads",
        "--quick",
    }  # Dask's, and the study's
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", README)) <= known


@pytest.mark.parametrize("document", DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS])
def test_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
        if link.startswith("https://"):
            continue
        name, _, section = link.partition("#")
        target = (document.parent / name) if name else document
        assert target.exists(), link
        assert not section or section in sections(target), link


def sections(document: Path) -> set[str]:
    """The names by which links refer to the headings of a document, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
