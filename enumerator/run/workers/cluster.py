"""Tasks on the workers of a Dask cluster. Alone in importing `distributed`.

    this process                                             | scheduler       | workers
                                                             |                 |
    submit() -> bytes -> the event loop, a thread of its own -> bytes --------> pickle.loads(bytes): perform()
    future <---------- result, or an error of ours <---------- bytes <--------- result

    fit       a worker with the same version of `enumerator`. Others get no work, and are named; one with
              other sources of the same version ends the run
    lost      the scheduler is gone, or was silent for long: every task ends with ClusterLostError

If a worker dies, the scheduler runs its tasks elsewhere, and waits for a worker if there is none. The
driver hears that it has left, and of the task only if workers die over it again and again.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import warnings
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from math import inf
from multiprocessing import resource_tracker
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, TypeVar

from distributed import Client, KilledWorker, LocalCluster
from distributed.versions import VersionMismatchWarning

from enumerator.run.endings import DeadlyTaskError
from enumerator.run.pacing import DEFAULT_PACING, Pacing
from enumerator.run.plan import no_messages
from enumerator.run.signals import starting_processes
from enumerator.run.workers.executors import usable_cores
from enumerator.run.workers.remote import Call, ClusterLostError, DesertedError, VersionError, installed_version

Item = TypeVar("Item")
Result = TypeVar("Result")

LOOK_SECONDS = 0.5
"""The polling interval for the list of workers: each poll costs the scheduler a millisecond."""

CLOSE_SECONDS = 3.0
"""The longest time for a cluster to be closed."""

MAX_BOUNCES = 5
"""The number of times that a task may come back from workers that are not fit for it."""

MOST_DEPARTURES = 1_000
"""The number of workers that have left and are kept until somebody asks for them."""

ITEMS_AHEAD = 4
"""Items of a map for each thread that are in flight, or done and not asked for yet.

With items of 50 ms, 2 cost a fifth of the time and 4 a tenth.
"""

ADDRESS = re.compile(r"((tcp|tls|ucx|wss?)://)?[^/\s]+:\d+")

NOISY_LOGGERS = "distributed", "distributed.client", "distributed.gc"
"""Loggers that are silenced."""


def check_address(address: str) -> None:
    """Raise ValueError for a text that is not the address of a scheduler: Dask would wait for some of these."""
    if not ADDRESS.fullmatch(address):
        raise ValueError(f"{address!r} is not the address of a scheduler, such as tcp://10.0.0.1:8786")


class Cluster(Executor):
    """The workers of a scheduler; without an address, of a cluster that is started on this machine.

    Workers come and go: `cores` returns the number of their threads now.
    """

    def __init__(
        self,
        address: str | None = None,
        on_message: Callable[[str], None] = no_messages,
        workers: int | None = None,
        pacing: Pacing = DEFAULT_PACING,
    ) -> None:
        """Connect; without an address, start `workers` workers. Raise ClusterLostError, VersionError."""
        if address is not None:
            check_address(address)
        self.address, self._on_message, self._pacing = address or "this machine", on_message, pacing
        self._threads: dict[str, int] = {}
        self._unfit: dict[str, str] = {}  # workers, and the reasons
        self._departed: deque[str] = deque(maxlen=MOST_DEPARTURES)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._end: ClusterLostError | None = None
        self._client: Any = None
        self._local: Any = None
        self._folder: TemporaryDirectory[str] | None = None
        self._levels = {name: logging.getLogger(name).level for name in NOISY_LOGGERS}
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self._thread = Thread(target=self._loop.run_forever, name="cluster", daemon=True)
        with starting_processes():
            if address is None:
                resource_tracker.ensure_running()  # if not now, it would make the thread hear Ctrl-C again
        with starting_processes():  # nor do processes that the thread starts
            self._thread.start()
        try:
            seconds = self._pacing.connect_seconds * (1 if address else 5)
            self._wait(asyncio.wait_for(self._open(address, workers), seconds), None)
        except BaseException:
            self.close()
            raise

    def cores(self) -> int:
        """Return the number of threads of all fit workers, as of the last poll."""
        return sum(self._threads.values())

    def check(self) -> None:
        """Raise ClusterLostError if the scheduler is gone."""
        if self._end:
            raise self._end

    def departures(self) -> Iterator[str]:
        """Yield the addresses of fit workers that have left since the last call: they were ended, or have died."""
        while self._departed:
            yield self._departed.popleft()

    def mapping(self, _cores: int) -> ClusterMapper:
        """Return a mapper over the workers of the cluster, whatever their number."""
        return ClusterMapper(self)

    def submit(self, function: Callable[..., Result], /, *args: object, **kwargs: object) -> Future[Result]:
        """Call a function on a worker, which must be able to import it."""
        if kwargs:
            raise TypeError("arguments by name are not sent")
        self.check()
        return asyncio.run_coroutine_threadsafe(self._run(pickle.dumps(Call(function, *args))), self._loop)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all tasks, finished or not."""
        self.close()

    def close(self) -> None:
        """Cancel all tasks and leave the cluster; one that was started here ends."""
        if self._loop.is_closed():
            return
        self._end = self._end or ClusterLostError("the cluster was closed")
        with suppress(Exception):
            self._wait(self._shut(), CLOSE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_SECONDS)
        with suppress(RuntimeError):  # still running: it is a daemon thread, and asleep
            self._loop.close()
        if self._folder:
            with suppress(OSError):
                self._folder.cleanup()
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)

    # ------------------------------------------------------------------------------------- in the event loop

    def _wait(self, coroutine: Coroutine[Any, Any, Result], seconds: float | None) -> Result:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(seconds)

    def _register(self) -> None:
        """Have the current task cancelled when the cluster is closed or lost."""
        if task := asyncio.current_task():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _open(self, address: str | None, workers: int | None) -> None:
        self._register()
        for name in NOISY_LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        warnings.filterwarnings("ignore", category=VersionMismatchWarning)  # about packages that do not matter here
        try:
            if address is None:
                self._local = self._start(workers)
                await self._local
            self._client = Client(
                self._local or address,
                asynchronous=True,
                set_as_default=False,
                timeout=0.8 * self._pacing.connect_seconds,
            )
            await self._client
            await self._poll_workers()
            if self._end:
                raise self._end
        except OSError:  # after many attempts
            raise ClusterLostError(f"no answer from {self.address}") from None
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - whatever Dask meets at that address
            reason = str(error).split("\n")[0]
            raise ClusterLostError(f"no scheduler at {self.address}{reason and ': '}{reason}") from None
        if self._unfit and not self._threads:
            raise VersionError("; ".join(self._unfit.values()))
        self._report_unfit(self._unfit)
        self._polling = asyncio.create_task(self._keep_polling())

    def _start(self, workers: int | None) -> LocalCluster:
        self._folder = TemporaryDirectory(prefix="enumerator-", ignore_cleanup_errors=True)
        return LocalCluster(
            n_workers=min(workers or inf, usable_cores()),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=":0",  # any port: without one it would be 8787, with a warning if that is taken
            local_directory=self._folder.name,
            scheduler_kwargs={"local_directory": self._folder.name},
            memory_limit=0,
            silence_logs=logging.CRITICAL + 1,
            asynchronous=True,
        )

    async def _run(self, call: bytes) -> Any:
        self._register()
        self.check()
        try:
            for bounce in range(MAX_BOUNCES):
                while self._unfit and not self._threads:
                    await asyncio.sleep(LOOK_SECONDS)
                fit = set(self._threads) if self._unfit else set()
                only = {"workers": list(fit)} if fit else {}
                future = self._client.submit(pickle.loads, call, pure=False, **only)
                try:
                    return await self._result(future, fit)
                except DesertedError:  # there may be others
                    continue
                except KilledWorker:
                    raise DeadlyTaskError from None
                except Exception as error:
                    if not await self._may_retry(error, future, bounce == MAX_BOUNCES - 1):
                        raise
                finally:
                    future.release()
            raise ClusterLostError(f"tasks do not finish at {self.address}")
        except asyncio.CancelledError:
            if self._end:
                raise self._end from None
            raise

    async def _may_retry(self, error: Exception, future: Any, is_last: bool) -> bool:
        """Tell if a task that has failed may be sent again. Raise ClusterLostError if the scheduler is gone."""
        if isinstance(error, ImportError | AttributeError | VersionError):
            self._report_unfit(await self._poll_workers())
            return bool(self._unfit) and not is_last
        if not isinstance(error, CancelledError | OSError | RuntimeError):
            return False
        is_broken = isinstance(error, OSError)
        if is_broken:  # a connection, which the client may hear of later than a task does
            await asyncio.sleep(LOOK_SECONDS)
        if self._client.status != "running":
            self._lose(f"the scheduler at {self.address} is gone")
            raise self._end from None  # type: ignore[misc]
        return (is_broken and not is_last) or bool(future.cancelled())  # it is, if workers are restarted

    async def _result(self, future: Any, fit: set[str]) -> Any:
        """Return the result of a task for the `fit` workers, or for any. Raise DesertedError if they are gone."""
        # never cancelled: the client fetches many results at once, and a cancelled fetch takes all others with it
        result = asyncio.ensure_future(future.result())
        while not result.done():
            if fit and fit.isdisjoint(self._threads):
                result.add_done_callback(lambda late: late.cancelled() or late.exception())  # it is not asked for
                raise DesertedError
            await asyncio.wait({result}, timeout=LOOK_SECONDS if fit else None)
        return result.result()

    async def _keep_polling(self) -> None:
        self._register()
        while not self._end:
            await asyncio.sleep(LOOK_SECONDS)
            self._report_unfit(await self._poll_workers())

    def _report_unfit(self, unfit: Iterable[str]) -> None:
        for worker in unfit:
            self._on_message(f"{self._unfit[worker]}; it gets no work")

    async def _poll_workers(self) -> list[str]:
        """Poll the workers, and find out which are fit. Return those that have turned out not to be."""
        try:
            threads = await asyncio.wait_for(self._client.scheduler.ncores(), self._pacing.silent_seconds)
        except TimeoutError:
            self._lose(f"the scheduler at {self.address} has not answered for {self._pacing.silent_seconds:.0f} s")
            return []
        except Exception:  # noqa: BLE001 - of Dask, of its transport, of the event loop
            self._lose(f"the scheduler at {self.address} is gone")
            return []
        self._unfit = {worker: reason for worker, reason in self._unfit.items() if worker in threads}
        self._departed.extend(sorted(self._threads.keys() - threads.keys()))
        fit, unfit = self._threads.keys() & threads.keys(), []
        new = threads.keys() - fit - self._unfit.keys()
        for worker, version in (await self._versions(new) if new else {}).items():
            if version == installed_version():
                fit.add(worker)
            elif worker not in self._unfit:  # two polls may overlap
                there = f"enumerator {version} there" if version else "no enumerator there"
                self._unfit[worker] = f"worker {worker}: {there}, {installed_version()} here"
                unfit.append(worker)
        self._threads = {worker: threads[worker] for worker in fit}
        return unfit

    async def _versions(self, workers: Iterable[str]) -> dict[str, str | None]:
        """Return the versions of workers that answer at once; the others are asked again with the next poll."""
        question = {"op": "versions", "packages": ["enumerator"]}
        answers: dict[str, Any] = {}
        with suppress(Exception):
            asking = self._client.scheduler.broadcast(msg=question, workers=list(workers), on_error="ignore")
            answers = await asyncio.wait_for(asking, self._pacing.connect_seconds)
        return {worker: answer["packages"].get("enumerator") for worker, answer in answers.items()}

    def _lose(self, message: str) -> None:
        """End every task that waits: the scheduler is gone."""
        self._end = self._end or ClusterLostError(message)
        self._threads = {}
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()

    async def _shut(self) -> None:
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()
        if self._client:
            with suppress(Exception):
                await asyncio.wait_for(self._client._close(fast=True), CLOSE_SECONDS / 3)  # noqa: SLF001 - close() takes no `fast`
        if self._local:
            workers = self._local.workers.values()
            await asyncio.gather(*(worker.close(timeout=0.2) for worker in workers), return_exceptions=True)
            await self._local.close()


class ClusterMapper:
    """Maps a function over items on a cluster, which stays when this is closed."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    @property
    def up(self) -> bool:
        """Tell if there is a worker."""
        return self.cluster.cores() > 0

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        """Yield the results of all items, in their order; items are taken as workers become free."""
        turns: deque[Future[Result]] = deque()
        source, more = iter(items), True
        try:
            while more or turns:
                while more and len(turns) < ITEMS_AHEAD * max(1, self.cluster.cores()):
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
        """Keep the cluster."""
