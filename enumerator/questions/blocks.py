"""Many boards in blocks, which a kernel works off without Python code for each board.

A task is a block, or a hard board: one that takes the kernel longer than its budget. A hard board
leaves its block, and so do the boards after it:

    block -> answers for the boards before a hard one, [the hard one], [the boards after it]

So the other cores go on with the boards after a hard one, and the answers are in order.

The tasks run on threads, by the ordered map of `enumerator.run.maps.ordered`. On two cores, with 30,000
puzzles of 17 clues, joblib's `Parallel` over threads takes longer than one core alone:

    import joblib                      110 ms, where the puzzles take 70 ms on one core
    a task of joblib over threads      49 µs, where one of ours takes 25 µs
    a task that returns others         has no place in it

`python -m bench library map` measures this. Processes are started by joblib where hard boards
prevail: see `enumerator.questions.batches`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from threading import Event
from time import perf_counter
from typing import Protocol, TypeVar

from enumerator import engines
from enumerator.engines.blocks import Begun, BoardBlock, BoardCounts, HardBoard, Task
from enumerator.engines.lists import Work
from enumerator.run.maps.ordered import map_growing, map_ordered
from enumerator.run.progress import Stopped

Answers = TypeVar("Answers", covariant=True)

TURN_SECONDS = 0.2
"""The time after which the rest of a block becomes a task of its own, so that answers do not wait."""


class BlockQuestion(Protocol[Answers]):
    """A question about many boards. Several threads may ask it at the same time."""

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Answers, int, Begun | None]:
        """Answer for the first boards of a block.

        Return the answers, their number, and the beginning of the next board's count if that is hard.
        Raise Stopped soon after `stop` is set.
        """
        ...

    def ask_hard(self, hard: HardBoard, stop: Event) -> Answers:
        """Answer for a hard board, on one core. Raise Stopped soon after `stop` is set."""
        ...


def map_blocks(
    question: BlockQuestion[Answers],
    blocks: Iterable[Task],
    cores: int,
    size: Callable[[Answers], int],
    *,
    growing: bool = False,
) -> Generator[Answers, None, None]:
    """Yield the answers for the boards of all blocks, in order, in groups.

    `size` returns the size of a group, in bytes or the like; at most HELD_SIZE are held after a hard
    board. With `growing`, threads start at the first hard board.
    """
    stop = Event()

    def work(task: Task) -> tuple[Answers, list[Task]]:
        if isinstance(task, HardBoard):
            return question.ask_hard(task, stop), []
        answers, boards, begun = question.ask(task, stop)
        return answers, list(task.remaining_after(boards, begun))

    if growing:
        return map_growing(Work(work, blocks), lambda: cores, stop, size=size)
    return map_ordered(Work(work, blocks), cores, stop, size=size)


def count_quickly(
    block: BoardBlock, out: BoardCounts, budget: int, limit: int, stop: Event
) -> tuple[int, Begun | None]:
    """Count the first boards of a block; return their number, and the beginning of a hard one.

    At most `limit` solutions of each board are counted. Without a hard board, the counts end after
    TURN_SECONDS, or where `out` has no room. Raise Stopped soon after `stop` is set.
    """
    shape, cells, allowed = block
    boards, done, now = block.boards, 0, perf_counter()
    end = now + TURN_SECONDS
    while done < boards:
        if stop.is_set():
            raise Stopped
        room = out.remaining_after(done, shape) if done else out
        some, counting = engines.count_boards(cells[done * shape.cells :], shape, budget, limit, room, allowed)
        done, started, now = done + some, now, perf_counter()
        if counting:
            return done, Begun(now - started, counting)
        if not some or now > end:
            break
    return done, None
