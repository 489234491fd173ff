"""A sweep on a Dask cluster that is there: settings are spread over its workers, results come back in their order.

The cluster runs this package's code with its own Python: it needs the same versions installed. What travels is the
corpus with its personas' access and decisions, so the cluster must be as trusted as the machine that asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from distributed import Client

from workbench.errors import InputError

Setting = TypeVar("Setting")
Rows = TypeVar("Rows")
TIMEOUT = 20
"""Seconds to wait for a scheduler to answer."""


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the scheduler at this address, closed afterwards; InputError where none answers."""
    try:
        client = Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        remedy = "start one with dask scheduler, or leave --scheduler out"
        raise InputError(f"no Dask scheduler answers: {error}", found=address, remedy=remedy) from None
    try:
        yield client
    finally:
        client.close()


def spread(client: Client) -> Callable[[Callable[[Setting], Rows], Sequence[Setting]], Iterator[Rows]]:
    """What ``sweep(..., apply=spread(client))`` works with: one task for each setting, results in the given order.

    What is common to all settings travels to each worker once. A task whose worker is lost runs again on another; what
    was raised by a setting is raised here. Stopping cancels what has not begun.
    """

    def apply(run: Callable[[Setting], Rows], settings: Sequence[Setting]) -> Iterator[Rows]:
        # A task of its own, not scattered data: lost with its worker, it is simply made again.
        common = client.submit(_itself, run, pure=False)
        futures = [client.submit(_called, common, setting, pure=False) for setting in settings]
        try:
            for future in futures:
                yield future.result()
        finally:
            client.cancel([common, *futures])

    return apply


def _itself(run: Callable[[Setting], Rows]) -> Callable[[Setting], Rows]:
    return run


def _called(run: Callable[[Setting], Rows], setting: Setting) -> Rows:
    return run(setting)
