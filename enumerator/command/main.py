"""The main function of the command: signals, standard streams, and the errors that end it.

Errors of boards, ledgers, files and workers are reported where they occur. Any other exception that
arrives here is a bug, and is shown with its traceback.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import enumerator
from enumerator.board.files import STANDARD_INPUT
from enumerator.board.shape import SMALLEST
from enumerator.command import console, dispatch
from enumerator.command.console import ANSWERED, FAILED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.options import (
    COMPLETIONS,
    choose_question,
    find_conflict,
    make_parser,
    missing_subject,
    parse_options,
)
from enumerator.questions.plans import MissingKernelError, UnknownInstructionsError
from enumerator.run.signals import deferred_signals, handle_interrupts, ignore_signals, is_thread_refused

if TYPE_CHECKING:
    from argparse import Namespace

    from enumerator.command.options import Parser
    from enumerator.questions.plans import BatchPacing, Pacing


def main(argv: list[str] | None = None, pacing: Pacing | None = None, batch_pacing: BatchPacing | None = None) -> int:
    """Run the command, and return its exit status."""
    handle_interrupts()
    if sys.stdout is None:
        complain("standard output is closed")
        return FAILED
    console.ensure_standard_error()
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        status = run(sys.argv[1:] if argv is None else argv, pacing, batch_pacing)
        if status == INTERRUPTED:  # the answer has been flushed; a further write might block
            console.abandon(sys.stdout)
        else:
            console.flush()
    except KeyboardInterrupt:
        ignore_signals()
        status = INTERRUPTED
        console.abandon(sys.stdout)
    except console.OutputError as error:
        status = FAILED
        if message := str(error):
            complain(message)
        console.abandon(sys.stdout)
    except UnknownInstructionsError as error:
        status = UNUSABLE
        complain(str(error))
    except MissingKernelError as error:
        status = FAILED
        complain(str(error))
    except MemoryError:
        status = FAILED
        complain("not enough memory")
    except RuntimeError as error:
        if not is_thread_refused(error):
            raise
        status = FAILED
        complain(str(error))
    return status


def run(argv: list[str], pacing: Pacing | None, batch_pacing: BatchPacing | None) -> int:
    """Parse the arguments and answer the question that they ask."""
    parser = make_parser()
    try:
        with deferred_signals():  # an interrupt would leave argparse in an inconsistent state
            options = parse_options(parser, argv)
        if options.version:
            return print_version()
        if options.completion:
            return print_completion(options.completion)
        question = choose_question(options)
        if not options.boards and dispatch.views()[question].subject:
            supply_boards(parser, options, question)
        if conflict := find_conflict(options, question) or find_rows(options):
            parser.error(conflict)
    except SystemExit as end:
        return int(end.code or ANSWERED)
    return dispatch.answer(question, options, pacing, batch_pacing)


def supply_boards(parser: Parser, options: Namespace, question: str) -> None:
    """Name standard input as the source of boards, unless it is a terminal. Otherwise end the command."""
    from enumerator.command.inputs import reads_standard_input

    is_about_boards = dispatch.views()[question].subject == "board"
    if is_about_boards and reads_standard_input():
        options.boards.append(STANDARD_INPUT)
        return
    if is_about_boards:
        parser.print_usage(sys.stderr)
    parser.error(missing_subject(question))


def find_rows(options: Namespace) -> str:
    """Return what is wrong with arguments that are the rows of one board; "" for others, which most are."""
    if len(options.boards) < SMALLEST**2:
        return ""
    from enumerator.command.inputs import explain_rows

    return explain_rows(options.boards, options.shape)


def print_completion(shell: str) -> int:
    """Print the completions for a shell."""
    from importlib.resources import files

    console.write(files("enumerator.command").joinpath("shell", COMPLETIONS[shell]).read_text())
    return ANSWERED


def print_version() -> int:
    """Print the version and the build settings of the kernel."""
    import platform

    from enumerator.questions.plans import kernel_facts

    build = kernel_facts()
    console.write(
        f"enumerator {enumerator.__version__}\n"
        f"kernel: compiled by {build['compiler']} from Cython {build['cython']},"
        f" checks {build['checks']}, flags {build['flags']}\n"
        f"instructions: {build['instructions']}\n"
        f"Python {platform.python_version()} on {platform.machine()}\n"
    )
    return ANSWERED
