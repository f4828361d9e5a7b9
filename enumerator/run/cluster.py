"""Where tasks run: on the workers of a Dask cluster. Alone in importing `distributed`.

    this process                                            | scheduler       | workers
                                                            |                 |
    submit() -> bytes -> the event loop, a thread of its own -> bytes --------> pickle.loads(bytes): perform()
    future <---------- result, or an error of ours <---------- bytes <--------- result

The scheduler must not have to know `enumerator`, but it unpickles what it is sent. So it is sent a call of
`pickle.loads`, and bytes that call `perform` where they are unpickled: on a worker, which has this module or is unfit.

    fit       a worker with the same version of `enumerator`. Others get no work, and are named; one with other sources
              of the same version ends the run
    lost      the scheduler has gone, or has been silent for long: every task ends with ClusterLostError

If a worker dies, the scheduler has its tasks run elsewhere, and waits for a worker if there is none: nobody here hears
of it, unless it happens over the same task again and again.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import warnings
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from importlib import metadata
from math import inf
from multiprocessing import resource_tracker
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, TypeVar

from distributed import Client, KilledWorker, LocalCluster
from distributed.versions import VersionMismatchWarning

from enumerator import __version__
from enumerator.run.executors import usable_cores
from enumerator.run.plan import DeadlyTaskError, RunLostError, no_messages
from enumerator.run.signals import starting_processes

Item = TypeVar("Item")
Result = TypeVar("Result")

CONNECT_SECONDS = 10.0
"""So long a scheduler may take to answer at first; one on this machine, with its workers, five times as long."""

LOOK_SECONDS = 0.5
"""So often it is looked what workers there are: that costs the scheduler a millisecond."""

SILENT_SECONDS = 30.0
"""A scheduler that says nothing for so long is lost."""

CLOSE_SECONDS = 3.0

BOUNCES = 5
"""So often a task may come back from workers that are not fit for it."""

AHEAD = 4
"""Items of a mapping for each thread that are at work, under way, or done and not asked for yet: of those of 50 ms, two
cost a fifth of the time, four a tenth."""

ADDRESS = re.compile(r"((tcp|tls|ucx|wss?)://)?[^/\s]+:\d+")

NOISY = "distributed", "distributed.client", "distributed.gc"
"""Loggers with a level of their own."""


class ClusterError(RunLostError):
    """What is wrong with a cluster."""


class ClusterLostError(ClusterError):
    """There is no scheduler, or no longer."""


class VersionError(ClusterError):
    """Workers have another version of this package."""


class DesertedError(ClusterError):
    """None of the workers is left that might have done a task."""


class Call:
    """Unpickled, it is what the function returns."""

    def __init__(self, function: Callable[..., object], *args: object) -> None:
        self.parts = f"{__version__}, {sources()}", function, args

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return perform, self.parts


def perform(version: str, function: Callable[..., Result], args: tuple[object, ...]) -> Result:
    """On a worker: do what was asked for."""
    if version != (own := f"{__version__}, {sources()}"):
        raise VersionError(f"enumerator {own} there, {version} here")
    return function(*args)


@lru_cache
def sources() -> str:
    """What tells one state of this package from another, of the same version."""
    package = Path(__file__).parent.parent
    digest = sha256()
    for path in sorted(path for ending in ("py", "pyx", "h") for path in package.rglob(f"*.{ending}")):
        digest.update(path.read_bytes())
    return f"sources {digest.hexdigest()[:8]}"


def check_address(address: str) -> None:
    """Raise ValueError for what cannot be a scheduler's address: some of that would be waited for."""
    if not ADDRESS.fullmatch(address):
        raise ValueError(f"{address!r} is no address of a scheduler: one looks like tcp://10.0.0.1:8786")


class Cluster(Executor):
    """The workers that a scheduler has; with no address, those of a cluster on this machine, which ends with this.

    They come and go: `cores` says how many threads there are now.
    """

    def __init__(
        self, address: str | None = None, tell: Callable[[str], None] = no_messages, workers: int | None = None
    ) -> None:
        """Connect, or raise ClusterLostError or VersionError. So many workers, if they are to be started here."""
        if address is not None:
            check_address(address)
        self.address, self._tell = address or "this machine", tell
        self._threads: dict[str, int] = {}
        self._unfit: dict[str, str] = {}  # workers, and what is wrong with them
        self._tasks: set[asyncio.Task[Any]] = set()
        self._end: ClusterLostError | None = None
        self._client: Any = None
        self._local: Any = None
        self._folder: TemporaryDirectory[str] | None = None
        self._levels = {name: logging.getLogger(name).level for name in NOISY}
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self._thread = Thread(target=self._loop.run_forever, name="cluster", daemon=True)
        if address is None:
            resource_tracker.ensure_running()  # if not now, it would make the thread hear Ctrl-C again
        with starting_processes():  # nor do processes that the thread starts
            self._thread.start()
        try:
            seconds = CONNECT_SECONDS * (1 if address else 5)
            self._wait(asyncio.wait_for(self._open(address, workers), seconds), None)
        except BaseException:
            self.close()
            raise

    def cores(self) -> int:
        """How many threads fit workers have, as of a moment ago."""
        return sum(self._threads.values())

    def check(self) -> None:
        """Raise ClusterLostError if there is nobody to send tasks to any more."""
        if self._end:
            raise self._end

    def mapping(self, _cores: int) -> ClusterMapper:
        """What maps items, as `executors.JoblibMapper` does, whatever number of cores that is."""
        return ClusterMapper(self)

    def submit(self, function: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Have a worker do something. Its function must be importable there."""
        if kwargs:
            raise TypeError("arguments by name are not sent")
        self.check()
        return asyncio.run_coroutine_threadsafe(self._run(pickle.dumps(Call(function, *args))), self._loop)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all tasks, finished or not: what is wanted has been waited for."""
        self.close()

    def close(self) -> None:
        """Let go of the cluster; one on this machine is no more afterwards. All tasks are cancelled."""
        if self._loop.is_closed():
            return
        self._end = self._end or ClusterLostError("the cluster was closed")
        with suppress(Exception):
            self._wait(self._shut(), CLOSE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_SECONDS)
        with suppress(RuntimeError):  # still running: it is a daemon, and all of it sleeps
            self._loop.close()
        if self._folder:
            with suppress(OSError):
                self._folder.cleanup()
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)

    # ------------------------------------------------------------------------------------- in the event loop

    def _wait(self, coroutine: Coroutine[Any, Any, Result], seconds: float | None) -> Result:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(seconds)

    def _note(self) -> None:
        """Whoever calls this is cancelled when the cluster is closed or lost."""
        if task := asyncio.current_task():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _open(self, address: str | None, workers: int | None) -> None:
        self._note()
        for name in NOISY:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        warnings.filterwarnings("ignore", category=VersionMismatchWarning)  # of packages that are no matter of ours
        try:
            if address is None:
                self._local = self._start(workers)
                await self._local
            self._client = Client(
                self._local or address, asynchronous=True, set_as_default=False, timeout=0.8 * CONNECT_SECONDS
            )
            await self._client
            await self._look()
            if self._end:
                raise self._end
        except OSError:  # after many attempts
            raise ClusterLostError(f"nobody answers at {self.address}") from None
        except (Exception, asyncio.CancelledError) as error:
            reason = str(error).split("\n")[0]
            raise ClusterLostError(f"no scheduler at {self.address}{reason and ': '}{reason}") from None
        if self._unfit and not self._threads:
            raise VersionError("; ".join(self._unfit.values()))
        self._name(self._unfit)
        self._looking = asyncio.create_task(self._keep_looking())

    def _start(self, workers: int | None) -> LocalCluster:
        self._folder = TemporaryDirectory(prefix="enumerator-", ignore_cleanup_errors=True)
        return LocalCluster(
            n_workers=min(workers or inf, usable_cores()),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=":0",  # any: with none at all, it would be 8787 and a complaint if that is taken
            local_directory=self._folder.name,
            scheduler_kwargs={"local_directory": self._folder.name},
            memory_limit=0,
            silence_logs=logging.CRITICAL + 1,
            asynchronous=True,
        )

    async def _run(self, call: bytes) -> Any:
        self._note()
        self.check()
        try:
            for bounce in range(BOUNCES):
                while self._unfit and not self._threads:
                    await asyncio.sleep(LOOK_SECONDS)
                fit = set(self._threads) if self._unfit else set()
                only = {"workers": list(fit)} if fit else {}
                future = self._client.submit(pickle.loads, call, pure=False, **only)
                try:
                    return await self._brought(future, fit)
                except DesertedError:  # there may be others
                    continue
                except (ImportError, AttributeError, VersionError):
                    self._name(await self._look())
                    if not self._unfit or bounce == BOUNCES - 1:
                        raise
                except KilledWorker:
                    raise DeadlyTaskError from None
                except (CancelledError, OSError, RuntimeError) as error:
                    broken = isinstance(error, OSError)
                    if broken:  # a connection, which the client may hear of later than a task does
                        await asyncio.sleep(LOOK_SECONDS)
                    if self._client.status != "running":
                        self._lose(f"the scheduler at {self.address} is gone")
                        raise self._end from None  # type: ignore[misc]
                    if not ((broken and bounce < BOUNCES - 1) or future.cancelled()):  # it is, if workers are restarted
                        raise
                finally:
                    future.release()
            raise ClusterLostError(f"tasks come to no end at {self.address}")
        except asyncio.CancelledError:
            if self._end:
                raise self._end from None
            raise

    async def _brought(self, future: Any, fit: set[str]) -> Any:
        """The result of a task that only some may do, or anybody if there are none. DesertedError: they are gone."""
        # never cancelled itself: the client fetches many results at once, and whoever is cancelled while it waits for
        # that would take all others with it, also those to come
        result = asyncio.ensure_future(future.result())
        while not result.done():
            if fit and fit.isdisjoint(self._threads):
                result.add_done_callback(lambda late: late.cancelled() or late.exception())  # which nobody asks for
                raise DesertedError
            await asyncio.wait({result}, timeout=LOOK_SECONDS if fit else None)
        return result.result()

    async def _keep_looking(self) -> None:
        self._note()
        while not self._end:
            await asyncio.sleep(LOOK_SECONDS)
            self._name(await self._look())

    def _name(self, unfit: Iterable[str]) -> None:
        for worker in unfit:
            self._tell(f"{self._unfit[worker]}; it gets no work")

    async def _look(self) -> list[str]:
        """Find out who is there, and who of them is fit. Returns those who have turned out not to be."""
        try:
            threads = await asyncio.wait_for(self._client.scheduler.ncores(), SILENT_SECONDS)
        except TimeoutError:
            self._lose(f"the scheduler at {self.address} has not answered for {SILENT_SECONDS:.0f} s")
            return []
        except Exception:
            self._lose(f"the scheduler at {self.address} is gone")
            return []
        self._unfit = {worker: reason for worker, reason in self._unfit.items() if worker in threads}
        fit, unfit = self._threads.keys() & threads.keys(), []
        new = threads.keys() - fit - self._unfit.keys()
        for worker, version in (await self._versions(new) if new else {}).items():
            if version == _version():
                fit.add(worker)
            elif worker not in self._unfit:  # two may look at the same time
                there = f"enumerator {version} there" if version else "no enumerator there"
                self._unfit[worker] = f"worker {worker}: {there}, {_version()} here"
                unfit.append(worker)
        self._threads = {worker: threads[worker] for worker in fit}
        return unfit

    async def _versions(self, workers: Iterable[str]) -> dict[str, str | None]:
        """Those of workers that answer at once: the others will be asked again."""
        question = {"op": "versions", "packages": ["enumerator"]}
        answers: dict[str, Any] = {}
        with suppress(Exception):
            asking = self._client.scheduler.broadcast(msg=question, workers=list(workers), on_error="ignore")
            answers = await asyncio.wait_for(asking, CONNECT_SECONDS)
        return {worker: answer["packages"].get("enumerator") for worker, answer in answers.items()}

    def _lose(self, message: str) -> None:
        """There is no more to come, for nobody who waits."""
        self._end = self._end or ClusterLostError(message)
        self._threads = {}
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()

    async def _shut(self) -> None:
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()
        if self._client:
            with suppress(Exception):
                await asyncio.wait_for(self._client._close(fast=True), CLOSE_SECONDS / 3)
        if self._local:
            workers = self._local.workers.values()
            await asyncio.gather(*(worker.close(timeout=0.2) for worker in workers), return_exceptions=True)
            await self._local.close()


def _version() -> str:
    """Ours, as a worker would say it."""
    try:
        return metadata.version("enumerator")
    except metadata.PackageNotFoundError:
        return __version__


class ClusterMapper:
    """A cluster, that maps a function over items as `executors.JoblibMapper` does. It stays when this is closed."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    @property
    def up(self) -> bool:
        """Whether there is anybody."""
        return self.cluster.cores() > 0

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        """The results of all items, in their order; items are taken as there are workers for them."""
        turns: deque[Future[Result]] = deque()
        source, more = iter(items), True
        try:
            while more or turns:
                while more and len(turns) < AHEAD * max(1, self.cluster.cores()):
                    for item in source:
                        turns.append(self.cluster.submit(function, item))
                        break
                    else:
                        more = False
                    if turns and turns[0].done():
                        break
                if turns:
                    yield turns.popleft().result()
        except (DeadlyTaskError, CancelledError):
            raise BrokenExecutor("the cluster has given up a task") from None
        finally:
            for turn in turns:
                turn.cancel()

    def close(self) -> None:
        """Have done with it."""
