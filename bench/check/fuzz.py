"""Look for bytes that break something: atheris makes them up, guided by the code they reach.

With files, a target is run over these alone, without atheris: that is how to look at a finding
again. Without, it begins with the seeds of the target and its corpus in bench/corpora/TARGET, runs
for `--seconds`, and prints the number of runs and the findings, which are left in results/fuzz.
`--keep` adds some of the new inputs to the corpus.
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

from bench import RESULTS, ROOT

CORPORA, FINDINGS = ROOT / "bench" / "corpora", RESULTS / "fuzz"

TIMEOUT_SECONDS, MEMORY_MB = 10, 2048
"""The most that one input may take."""

MOST_FILES, MOST_BYTES = 40, 50_000
"""The largest corpus: the tests run all of it."""


def configure(parser: argparse.ArgumentParser) -> None:
    from bench.check.targets import TARGETS

    parser.epilog = "\n".join(["targets:", *(f"  {name:<10}{target.summary}" for name, target in TARGETS.items())])
    parser.add_argument("target", choices=TARGETS, metavar="TARGET")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="run the target over these, and end")
    parser.add_argument("--seconds", type=int, default=600, help="default: %(default)s")
    parser.add_argument(
        "--boards", dest="number", type=int, metavar="N", help="forms: check N random boards, without atheris"
    )
    parser.add_argument("--seed", type=int, default=0, help="the random boards of --boards; default: %(default)s")
    parser.add_argument("--keep", action="store_true", help="add new inputs to the corpus, if there is room")


def run(options: argparse.Namespace) -> int:
    if options.files:
        return run_files(options.target, options.files)
    if options.number is not None:
        return run_boards(options.target, options.number, options.seed)
    if find_spec("atheris") is None:
        raise SystemExit("bench: fuzzing needs atheris: pip install '.[fuzz]' (it has wheels for some Pythons only)")
    return fuzz(options.target, options.seconds, options.keep)


def run_files(target: str, files: list[Path]) -> int:
    """Run a target over some inputs; an error ends it with its traceback."""
    from bench.check.targets import TARGETS

    for path in files:
        print(path, flush=True)
        TARGETS[target].check(path.read_bytes())
    return 0


def run_boards(target: str, boards: int, seed: int) -> int:
    """Check random boards in the forms that are written; a silent difference ends it with its traceback."""
    from bench.check.targets import forms

    if target != "forms":
        raise SystemExit("bench: --boards is an option of the target forms")
    started = perf_counter()
    print(f"{forms.summary(boards, forms.check_many(boards, seed))}, in {perf_counter() - started:.0f} s")
    return 0


def fuzz(target: str, seconds: int, keep: bool) -> int:
    """Fuzz a target in a new process, which atheris ends; return 1 if there is a finding."""
    from bench.check.targets import TARGETS

    FINDINGS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        save_inputs(corpus, *TARGETS[target].seeds(), *(path.read_bytes() for path in corpus_of(target)))
        begun, started = {path.name for path in corpus.iterdir()}, perf_counter()
        arguments = [f"-max_total_time={seconds}", f"-max_len={TARGETS[target].longest}", f"-timeout={TIMEOUT_SECONDS}"]
        arguments += [f"-rss_limit_mb={MEMORY_MB}", f"-artifact_prefix={FINDINGS}/{target}-", "-print_final_stats=1"]
        if words := TARGETS[target].words:
            arguments.append(f"-dict={write_dictionary(Path(folder, 'words'), words)}")
        arguments += ["-handle_int=0", "-handle_term=0", str(corpus)]  # the command has handlers of its own
        program = f"from bench.check.fuzz import run_atheris; run_atheris({target!r}, {arguments!r})"
        with open(Path(folder, "log"), "w+") as log:
            done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=log, stderr=log, check=False)
            log.seek(0)
            text = log.read()
        if done.returncode:
            print(text[-10_000:], file=sys.stderr)
        new = sorted(path for path in corpus.iterdir() if path.name not in begun)
        verdict = "no finding" if done.returncode == 0 else f"a finding, in {FINDINGS.relative_to(ROOT)}"
        print(f"{target}: {statistics(text, perf_counter() - started, len(new))}, {verdict}")
        if keep:
            add_to_corpus(target, new)
    with suppress(OSError):  # unless it is empty
        FINDINGS.rmdir()
    return 1 if done.returncode else 0


def statistics(log: str, seconds: float, new: int) -> str:
    """Return the runs, new inputs and reached branches of a log of atheris, in words."""
    runs = re.findall(r"(?:stat::number_of_executed_units: |^Done )(\d+)", log, re.MULTILINE)
    reached = re.findall(r"cov: (\d+)", log)
    work = f"{int(runs[-1]) if runs else 0:,} runs in {seconds:.0f} s"
    return f"{work}, {new} new inputs, {reached[-1] if reached else 0} branches reached"


def run_atheris(target: str, arguments: list[str]) -> None:
    """Hand over to atheris, which ends the process.

    The whole package is imported first: atheris prints on standard error which modules it
    instruments.
    """
    import atheris

    with atheris.instrument_imports(include=["enumerator"]):
        import enumerator
        from bench.check.targets import TARGETS

        for module in walk_packages(enumerator.__path__, "enumerator."):
            if not module.name.endswith(("__main__", "_build")):
                with suppress(ImportError):  # Dask may be absent
                    import_module(module.name)
    atheris.Setup(["fuzz", *arguments], TARGETS[target].check)
    atheris.Fuzz()


def corpus_of(target: str) -> list[Path]:
    return sorted((CORPORA / target).glob("*"))


def save_inputs(folder: Path, *inputs: bytes) -> None:
    """Write inputs, each under the hash of its bytes."""
    for data in inputs:
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def write_dictionary(path: Path, words: tuple[str, ...]) -> Path:
    """Write the words that the fuzzer may build inputs from; return the file."""
    path.write_text("".join('"{}"\n'.format("".join(f"\\x{code:02x}" for code in word.encode())) for word in words))
    return path


def add_to_corpus(target: str, new: list[Path]) -> None:
    """Copy as many new inputs as the corpus has room for; the same ones of the same inputs."""
    folder = CORPORA / target
    folder.mkdir(parents=True, exist_ok=True)
    room, files = MOST_BYTES - sum(path.stat().st_size for path in corpus_of(target)), len(corpus_of(target))
    for path in random.Random(target).sample(new, len(new)):
        if files < MOST_FILES and path.stat().st_size <= room:
            shutil.copy(path, folder)
            room, files = room - path.stat().st_size, files + 1
