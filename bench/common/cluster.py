"""A Dask cluster on this machine, as processes that can be killed."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import tempfile
from time import sleep

START_SECONDS = 4
"""The time that a scheduler and its workers are given to find each other."""


class LocalCluster:
    """A scheduler and `size` workers of one thread each, on the loopback interface."""

    def __init__(self, size: int = 2) -> None:
        self.size = size
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.folder = tempfile.TemporaryDirectory(prefix="dask-")

    def __enter__(self) -> LocalCluster:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.folder.cleanup()

    def start(self) -> None:
        host, port = self.address.removeprefix("tcp://").split(":")
        self.scheduler = self._launch("scheduler", "--host", host, "--port", port, "--no-dashboard")
        self.workers = [self._launch_worker() for _ in range(self.size)]
        sleep(START_SECONDS)

    def stop(self) -> None:
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()

    def replace_worker(self, rng: random.Random) -> None:
        """Kill a random worker and start another."""
        number = rng.randrange(len(self.workers))
        self.workers[number].kill()
        self.workers[number].wait()
        self.workers[number] = self._launch_worker()

    def _launch_worker(self) -> subprocess.Popen[bytes]:
        return self._launch("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def _launch(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "DASK_TEMPORARY_DIRECTORY": self.folder.name},
            cwd=self.folder.name,
            start_new_session=True,
        )
