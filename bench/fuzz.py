"""Look for bytes that break something: atheris makes them up, guided by the lines of Python that they reach.

With files, a target is run over them alone, without atheris: so a finding is looked at again. Without, it begins with
the seeds of the target and what is in bench/corpora/TARGET, goes on for some time, and says how often the target was
run and what was found. Findings are left in results/fuzz. `--keep` adds some of what it has come upon to the corpus.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from time import perf_counter

from bench import ROOT

CORPORA, FINDINGS = ROOT / "bench" / "corpora", ROOT / "results" / "fuzz"

TIMEOUT, MEMORY = 10, 2048
"""Seconds and MB that one input may take."""

MOST_FILES, MOST_BYTES = 40, 50_000
"""A corpus is no larger than that."""


def configure(parser: argparse.ArgumentParser) -> None:
    from bench.targets import TARGETS

    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(["targets:", *(f"  {name:<10}{target.summary}" for name, target in TARGETS.items())])
    parser.add_argument("target", choices=TARGETS, metavar="TARGET")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="run the target over these, and end")
    parser.add_argument("--seconds", type=int, default=600, help="how long to look (default: %(default)s)")
    parser.add_argument("--keep", action="store_true", help="add what was come upon to the corpus, if there is room")


def run(options: argparse.Namespace) -> int:
    if options.files:
        return run_files(options.target, options.files)
    if find_spec("atheris") is None:
        raise SystemExit("bench: fuzzing needs atheris: pip install '.[bench]' (it has wheels for some Pythons only)")
    return look(options.target, options.seconds, options.keep)


def run_files(target: str, files: list[Path]) -> int:
    """Run a target over some inputs. What is wrong comes as it is, with its traceback."""
    from bench.targets import TARGETS

    for path in files:
        print(path, flush=True)
        TARGETS[target].check(path.read_bytes())
    return 0


def look(target: str, seconds: int, keep: bool) -> int:
    """Fuzz a target, in a process of its own: atheris ends the one that it is in."""
    from bench.targets import TARGETS

    FINDINGS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        save(corpus, *TARGETS[target].seeds(), *(path.read_bytes() for path in corpus_of(target)))
        begun, started = {path.name for path in corpus.iterdir()}, perf_counter()
        arguments = [f"-max_total_time={seconds}", f"-max_len={TARGETS[target].longest}", f"-timeout={TIMEOUT}"]
        arguments += [f"-rss_limit_mb={MEMORY}", f"-artifact_prefix={FINDINGS}/{target}-", "-print_final_stats=1"]
        if words := TARGETS[target].words:
            arguments.append(f"-dict={written(Path(folder, 'words'), words)}")
        arguments += ["-handle_int=0", "-handle_term=0", str(corpus)]  # which the command has handlers for
        program = f"from bench.fuzz import drive; drive({target!r}, {arguments!r})"
        with open(Path(folder, "log"), "w+") as log:
            done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=log, stderr=log, check=False)
            log.seek(0)
            text = log.read()
        if done.returncode:
            print(text[-10_000:], file=sys.stderr)
        runs = re.findall(r"(?:stat::number_of_executed_units: |^Done )(\d+)", text, re.MULTILINE)
        reached = re.findall(r"cov: (\d+)", text)
        verdict = "no finding" if done.returncode == 0 else f"a finding, in {FINDINGS.relative_to(ROOT)}"
        new = sorted(path for path in corpus.iterdir() if path.name not in begun)
        work = f"{int(runs[-1]) if runs else 0:,} runs in {perf_counter() - started:.0f} s"
        news = f"{len(new)} new inputs, {reached[-1] if reached else 0} branches reached"
        print(f"{target}: {work}, {news}, {verdict}")
        if keep:
            keep_some(target, new)
    with suppress(OSError):  # where there is nothing in it
        FINDINGS.rmdir()
    return 1 if done.returncode else 0


def drive(target: str, arguments: list[str]) -> None:
    """Hand over to atheris, which does not come back.

    All of the package is imported first: atheris says on standard error what it instruments.
    """
    import atheris

    with atheris.instrument_imports(include=["enumerator"]):
        import enumerator
        from bench.targets import TARGETS

        for module in walk_packages(enumerator.__path__, "enumerator."):
            if not module.name.endswith(("__main__", "_build")):
                with suppress(ImportError):  # of Dask, which may be absent
                    import_module(module.name)
    atheris.Setup(["fuzz", *arguments], TARGETS[target].check)
    atheris.Fuzz()


def corpus_of(target: str) -> list[Path]:
    return sorted((CORPORA / target).glob("*"))


def save(folder: Path, *inputs: bytes) -> None:
    """Write inputs, each under the name that its bytes have."""
    for data in inputs:
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def written(path: Path, words: tuple[str, ...]) -> Path:
    """A dictionary of words that inputs may be made up of."""
    path.write_text("".join('"{}"\n'.format("".join(f"\\x{code:02x}" for code in word.encode())) for word in words))
    return path


def keep_some(target: str, new: list[Path]) -> None:
    """Copy as many of the new inputs as the corpus has room for, always the same ones of many."""
    folder = CORPORA / target
    folder.mkdir(parents=True, exist_ok=True)
    room, files = MOST_BYTES - sum(path.stat().st_size for path in corpus_of(target)), len(corpus_of(target))
    for path in random.Random(target).sample(new, len(new)):
        if files < MOST_FILES and path.stat().st_size <= room:
            shutil.copy(path, folder)
            room, files = room - path.stat().st_size, files + 1
