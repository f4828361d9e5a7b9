"""What a face needs besides questions: engines by name, the plan of a run, a cluster, the kernel's build."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from enumerator import engines
from enumerator.engines import AUTO, MissingKernelError
from enumerator.engines.instructions import UnknownInstructionsError
from enumerator.run.plan import Plan
from enumerator.run.workers.executors import BACKENDS, shut_down_pools

if TYPE_CHECKING:
    from enumerator.run.pacing import BatchPacing as BatchPacing
    from enumerator.run.pacing import Pacing as Pacing
    from enumerator.run.workers.cluster import Cluster

__all__ = [
    "AUTO",
    "MissingKernelError",
    "Plan",
    "UnknownInstructionsError",
    "UnusableClusterError",
    "connect_cluster",
    "divides_trees",
    "engine_names",
    "kernel_facts",
    "plan_of",
    "shut_down_pools",
]


class UnusableClusterError(Exception):
    """A cluster cannot be used. The message says why; `is_mistake` is True if the options are to blame."""

    def __init__(self, message: str, is_mistake: bool) -> None:
        super().__init__(message)
        self.is_mistake = is_mistake


def engine_names() -> list[str]:
    """Return the names of engines that can be chosen, with `auto`."""
    return engines.names()


def divides_trees(engine: str) -> bool:
    """Return True if a cut-off can be given to an engine: it divides a tree."""
    return engine == AUTO or engines.get(engine).visits


def plan_of(
    cores: int | None,
    limit: int | None,
    cutoff: int | None,
    engine: str,
    backend: str,
    on_message: Callable[[str], None],
    cluster: Cluster | None = None,
) -> Plan:
    """Return the plan of a run. `backend` names where its tasks run."""
    if cutoff is not None and engine == AUTO:
        engine = next(iter(engines.MODULES))  # the search: only a tree can be cut off
    plan = Plan(cores, limit, cutoff, BACKENDS.get(backend), on_message, engine=engine)
    return plan._replace(cluster=cluster, usable=cluster.cores) if cluster else plan


def connect_cluster(
    scheduler: str | None, on_message: Callable[[str], None], cores: int | None, pacing: Pacing | None
) -> Cluster:
    """Return the cluster that tasks are sent to. Raise UnusableClusterError if it cannot be used."""
    try:
        from enumerator.run.pacing import DEFAULT_PACING
        from enumerator.run.workers.cluster import Cluster
        from enumerator.run.workers.remote import ClusterError
    except ImportError as error:
        if error.name not in ("distributed", "dask"):
            raise
        raise UnusableClusterError("--backend dask needs Dask: pip install distributed", True) from None
    try:
        return Cluster(scheduler, on_message, cores, pacing or DEFAULT_PACING)
    except ValueError as error:
        raise UnusableClusterError(f"--scheduler: {error}", True) from None
    except ClusterError as error:
        raise UnusableClusterError(str(error), False) from None


def kernel_facts() -> dict[str, str]:
    """Return how the kernels were compiled, and which instructions they use."""
    build = engines.kernel_build()
    return {
        "compiler": str(build.compiler),
        "cython": str(build.cython),
        "checks": "on" if build.checked else "off",
        "flags": str(build.flags),
        "instructions": str(build.instructions),
    }
