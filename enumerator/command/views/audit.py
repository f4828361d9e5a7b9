"""The view of --audit: tasks of ledgers that are recounted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.views import View, option
from enumerator.text.phrases import plural, printable

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.questions.audit import AuditAnswer


class AuditView(View["AuditAnswer"]):
    """The number of tasks that were recounted, the methods, and the tasks that disagree."""

    question = "audit"
    group = "runs"
    arguments = option(
        action="store_true", help="recount a share of the tasks of a run, and compare; BOARD is its ledger"
    )
    special_options = frozenset(["seed", "share", "quiet", "engine"])
    subject = "ledger"

    def answer(self, request: Request) -> int:
        """Audit every ledger. If a task disagrees, the exit status is FAILED, whatever else happened."""
        status, is_wrong = ANSWERED, False
        for name in request.options.boards:
            outcome, answer = self._audit(name, request)
            if answer and answer.wrong:
                is_wrong = True
                self._report(name, answer)
            status = outcome or status
            if outcome == INTERRUPTED:
                break
        return FAILED if is_wrong else status

    def _audit(self, name: str, request: Request) -> tuple[int, AuditAnswer | None]:
        """Audit one ledger; return the exit status and the answer, which may be partial or None."""
        from enumerator.questions.ask import Interrupted
        from enumerator.questions.audit import AUDIT_SHARE, audit
        from enumerator.questions.checkpoints import LedgerError

        options = request.options
        try:
            with request.asking("the audit is not finished") as question:
                answer = audit(name, options.share or AUDIT_SHARE, options.seed, question.watch)
        except LedgerError as error:
            complain(str(error))
            return UNUSABLE, None
        except Interrupted as error:
            complain(f"interrupted: {printable(name)} is not audited")
            return INTERRUPTED, error.answer
        self.show(name, answer, request.form)
        return ANSWERED, answer

    def _report(self, name: str, answer: AuditAnswer) -> None:
        """Save a report of the tasks that disagree, and print a message about it."""
        from enumerator.command.saved_files import save_report

        findings = [finding.to_dict() for finding in answer.wrong]
        saved = save_report({"ledger": name, "board": answer.board, "findings": findings})
        found = f"{plural(len(findings), 'task')} of {len(answer.findings)} recounted do not agree"
        complain(f"{printable(name)}: {found}; {saved}")

    def as_number(self, answer: AuditAnswer) -> str:
        """Return the number of tasks that disagree."""
        return str(len(answer.wrong))


VIEW = AuditView()
