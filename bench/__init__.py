"""Commands that measure, make boards and a picture, or check the kernels: `python -m bench --help`.

What is measured is what was installed: Python finds this folder through the current directory, which
would also give it the source tree of `enumerator`, so that directory goes to the end of the path.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
"""The published boards, puzzles and the yardstick, beside the repository; may be absent."""

for _entry in ("", str(ROOT)):
    if _entry in sys.path:
        sys.path.remove(_entry)
        sys.path.append(str(ROOT))


def shared(*parts: str) -> Path:
    """A file beside the repository; ends the command where there is none."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        raise SystemExit(f"bench: this needs {'/'.join(('shared', *parts))} beside the repository")
    return path


def enumerate_command() -> str:
    """The command that belongs to this Python."""
    return shutil.which("enumerate", path=os.path.dirname(sys.executable)) or "enumerate"


def peak_memory(*arguments: str, text: str = "") -> float:
    """The most memory that a command has had, in MB, given a text on standard input.

    Asked of the process itself: what its parent is told begins with the parent's own memory.
    """
    program = (
        "import sys; from enumerator.command.cli import main; status = main(sys.argv[1:]);"
        "print(open('/proc/self/status').read(), file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        input=text,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT / "boards",
    )
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", done.stderr)
    return int(kilobytes) / 1024


def compiled_yardstick(folder: Path) -> Path:
    """The plain counter in C, compiled as it is meant to be."""
    program = folder / "walk"
    subprocess.run(["cc", "-O2", "-o", program, shared("yardstick", "walk.c")], check=True)
    return program
