"""Readers of boards: closed with their files when a command ends, unless a thread is reading."""

from collections.abc import Generator
from threading import Event, Thread

from enumerator.board import Shape
from enumerator.command.inputs import closing_reader
from enumerator.engines.board_blocks import BoardBlock
from enumerator.questions.chunks import Chunk, Names

CHUNK = Chunk(Names("a", 1), BoardBlock(Shape(2, 2), memoryview(bytes(16))))


def test_a_reader_is_closed_at_the_end() -> None:
    closed = Event()

    def read() -> Generator[Chunk]:
        try:
            yield CHUNK
        finally:
            closed.set()

    with closing_reader(read()) as entries:
        next(entries)
    assert closed.is_set()


def test_a_reader_that_a_thread_is_in_is_left_to_it() -> None:
    """A batch that ends early must not close the generator that its thread is just reading."""
    inside, go_on = Event(), Event()

    def read() -> Generator[Chunk]:
        inside.set()
        go_on.wait(10)
        yield CHUNK

    reader = read()
    thread = Thread(target=lambda: next(reader))
    thread.start()
    assert inside.wait(10)
    with closing_reader(reader):
        pass
    go_on.set()
    thread.join(10)
    assert not thread.is_alive()
