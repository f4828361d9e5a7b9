"""The view of --status: the state of ledgers and of their runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.console import ANSWERED, UNUSABLE, complain
from enumerator.command.layout import Facts
from enumerator.command.views import View, option
from enumerator.text.phrases import lasting, percent, plural, printable, time_left

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.status import StatusAnswer


class StatusView(View["StatusAnswer"]):
    """The progress of a run, and its solutions so far."""

    group = "runs"
    arguments = option(action="store_true", help="the state of a run; BOARD is its ledger")
    special_options = frozenset(["quiet", "engine"])
    columns = (
        *("ledger", "state", "source", "question", "shape", "board", "engine", "at_work", "cutoff", "limit", "output"),
        *("version", "created", "solutions", "complete", "share", "tasks.finished", "tasks.open", "effort"),
        *("seconds", "worked_seconds"),
    )
    subject = "ledger"

    def answer(self, request: Request) -> int:
        from enumerator.questions.status import status as ask_status
        from enumerator.run.ledger import LedgerError

        status = ANSWERED
        for name in request.options.boards:
            try:
                answer = ask_status(name)
            except LedgerError as error:
                complain(str(error))
                status = UNUSABLE
            else:
                self.show(name, answer, request.form)
        return status

    def record(self, source: str, answer: StatusAnswer) -> dict[str, object]:
        """Return the facts, of which the source of the board is one, or none."""
        return answer.to_dict()

    def as_number(self, answer: StatusAnswer) -> str:
        """Return the number of solutions; a trailing + means "at least"."""
        return f"{answer.contents.totals.solutions}{'' if answer.contents.complete else '+'}"

    def facts(self, answer: StatusAnswer) -> Facts:
        from enumerator import engines

        contents, share = answer.contents, answer.share
        run, known = contents.run, contents.totals
        time = lasting(contents.seconds)
        predicts = not contents.engine or engines.get(contents.engine).shares_predict
        if share and not contents.finished and predicts:
            time += f" so far, {time_left(contents.seconds, share)}"
        engine = run["engine"]
        if contents.engine not in ("", engine):
            engine = f"{engine}: {contents.engine}"
        question = f"{run['question']} limit {run['limit']}" if run.get("limit") else run["question"]
        facts = [
            ("state", answer.state),
            ("board", f"{run.get('name', '')}, {run['shape']}"),
            ("question", question),
            *([("output", run["output"])] if "output" in run else []),
            ("engine", engine),
            ("cut-off", run.get("cutoff") or "none"),
            ("version", run["version"]),
            ("begun", run.get("created", "")),
            ("solutions", f"{known.solutions:,}" if contents.complete else f"at least {known.solutions:,}"),
            ("done", percent(share)),
            ("tasks", f"{plural(known.finished, 'task', '{:,}')} finished, {known.open:,} open"),
            ("time", time),
        ]
        return [(label, printable(value)) for label, value in facts]


VIEW = StatusView()
