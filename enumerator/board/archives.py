"""Zip archives: the only file of one is read as if it were not packed. Others are refused by name."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BufferedReader
from typing import NoReturn

from enumerator.board.reading import BoardError
from enumerator.text.phrases import plural

IGNORED = "__MACOSX/"
"""The folder in which macOS adds facts about the files of an archive."""

ENCRYPTED = 1
"""The bit of a file's flags that says that it is encrypted."""


def read_archive(file: BufferedReader, source: str, size: int) -> Iterator[bytes]:
    """Yield the decompressed bytes of the only file of an archive, at most `size` at a time.

    Raise a BoardError if there is not exactly one file, or if it is damaged. It has a check sum.
    """
    try:
        with zipfile.ZipFile(file) as archive, archive.open(_only_file(archive, source)) as member:
            while data := member.read(size):
                yield data
    except (BoardError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - BadZipFile, zlib.error, LZMAError, EOFError, NotImplementedError, …
        raise BoardError(f"the zip data is damaged ({error}); the rest was not read", source) from None


def _only_file(archive: zipfile.ZipFile, source: str) -> zipfile.ZipInfo:
    files = [info for info in archive.infolist() if not info.is_dir() and not info.filename.startswith(IGNORED)]
    if not files:
        raise BoardError("is a zip archive without files", source)
    if len(files) > 1:
        raise BoardError(f"is a zip archive of {plural(len(files), 'file')}: unpack it, and name the files", source)
    if files[0].flag_bits & ENCRYPTED:
        raise BoardError("is an encrypted zip archive: unpack it, and name the file", source)
    return files[0]


def refuse_archive(source: str) -> NoReturn:
    """Raise a BoardError for an archive from a pipe: the list of its files is at its end."""
    raise BoardError("is a zip archive, which is not read from a pipe: name its file, or unpack it", source)
