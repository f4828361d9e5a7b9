"""Counts that do not agree, and audits of ledgers, in print."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from collections import Counter
from time import gmtime, perf_counter, strftime

from enumerator import __version__
from enumerator.board.wording import lasting, plural, printable
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.progress import Progress
from enumerator.command.report import Report, as_json, lines
from enumerator.engines.search import kernel
from enumerator.questions.audit import Audit, Finding
from enumerator.run.ledger.contents import LedgerError, read


def save(what: dict[str, object]) -> str:
    """Save a report of what does not agree, here or where there is room. Returns a sentence that says where."""
    about = {
        **what,
        "version": __version__,
        "kernel": f"{kernel.COMPILER}, {kernel.FLAGS}, checks {'on' if kernel.CHECKED else 'off'}",
        "python": platform.python_version(),
        "machine": platform.platform(),
        "date": strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()),
    }
    text = json.dumps(about, indent=2) + "\n"
    for folder in (os.curdir, tempfile.gettempdir()):
        try:
            number, path = tempfile.mkstemp(".json", f"enumerator-mismatch-{strftime('%Y%m%d-%H%M%S')}-", folder)
            with os.fdopen(number, "w") as file:
                file.write(text)
        except OSError:
            continue
        return f"a report is in {printable(os.path.normpath(path))}; please pass it on"
    return f"no report could be saved: {json.dumps(about)}"


def mismatch(report: Report) -> str:
    """What to say where two ways of counting do not agree, after a report of it was saved."""
    if report.again is None:
        raise RuntimeError("there is nothing to compare with")
    parts = [{"board": board, "solutions": str(solutions)} for board, solutions in report.again.parts]
    saved = save({"count": json.loads(as_json(report)), "board": str(report.board), "again": parts})
    figures = f"{report.solutions} solutions by {report.engine}, {report.again.solutions} by {report.again.way}"
    return f"{report.title}: the counts do not agree: {figures}; {saved}"


def audit(names: list[str], share: float, seed: int | None, rendering: str, progress: bool = False) -> int:
    """Recount a share of the tasks of some ledgers. A task that is wrong outweighs whatever else is amiss."""
    status, is_wrong = ANSWERED, False
    for name in names:
        started = perf_counter()
        findings: list[Finding] = []
        try:
            book, _ = read(name, lambda _: True)
            if book.run["question"] != "count" or book.run["version"] != __version__:
                what = "a list" if book.run["version"] == __version__ else f"version {printable(book.run['version'])}"
                raise LedgerError(f"{printable(name)}: is the ledger of {what}: there is nothing to recount")
            whole = Audit(book, share, seed)
        except (LedgerError, ValueError) as error:
            complain(str(error) if isinstance(error, LedgerError) else f"{printable(name)}: is damaged ({error})")
            status = UNUSABLE
            continue
        try:
            with Progress(progress, started) as bar:
                for finding in whole.findings():
                    findings.append(finding)
                    bar.show(len(findings) / (len(whole.divided) + len(whole.chosen)), None)
            print(RENDERINGS.get(rendering, as_text)(name, whole, findings, perf_counter() - started), flush=True)
        except ValueError as error:
            complain(f"{printable(name)}: is damaged ({error})")
            status = UNUSABLE
        except KeyboardInterrupt:
            complain(f"interrupted: {printable(name)} is not audited")
            status = INTERRUPTED
        if wrong := [finding for finding in findings if not finding.agrees]:
            is_wrong = True
            saved = save({"ledger": name, "board": book.run["board"], "findings": [explained(one) for one in wrong]})
            found = f"{plural(len(wrong), 'task')} of {len(findings)} recounted do not agree"
            complain(f"{printable(name)}: {found}; {saved}")
        if status == INTERRUPTED:
            break
    return FAILED if is_wrong else status


def explained(finding: Finding) -> dict[str, object]:
    task = finding.task
    return {"task": task.id, "work": task.work, "way": finding.way, "there": finding.there, "here": finding.here}


def as_text(name: str, whole: Audit, findings: list[Finding], seconds: float) -> str:
    """One fact a line; a line for each task that does not agree."""
    ways = Counter(finding.way for finding in findings)
    wrong = [finding for finding in findings if not finding.agrees]
    facts = [
        ("recounted", f"{len(whole.chosen):,} of {plural(len(whole.tasks), 'task', '{:,}')}"),
        *(("by", f"{way}: {number:,}") for way, number in ways.items()),
        ("verdict", f"{plural(len(wrong), 'task', '{:,}')} WRONG" if wrong else "all agree"),
        *(("task", f"{one.task.id}: {one.there} in the ledger, {one.here} by {one.way}") for one in wrong),
        ("time", lasting(seconds)),
    ]
    return lines(printable(name), facts)


def as_json_object(name: str, whole: Audit, findings: list[Finding], seconds: float) -> str:
    """One object."""
    return json.dumps(
        {
            "ledger": name,
            "tasks": len(whole.tasks),
            "recounted": len(whole.chosen),
            "divisions": len(whole.divided),
            "ways": Counter(finding.way for finding in findings),
            "agree": all(finding.agrees for finding in findings),
            "wrong": [explained(finding) for finding in findings if not finding.agrees],
            "seconds": round(seconds, 6),
        }
    )


def as_number(_name: str, _whole: Audit, findings: list[Finding], _seconds: float) -> str:
    """How many do not agree."""
    return str(sum(not finding.agrees for finding in findings))


RENDERINGS = {"json": as_json_object, "number": as_number}
