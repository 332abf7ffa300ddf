"""What all tests share: a kernel cache of their own, how much LLVM optimises their kernels, time for hypothesis."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from costs import PROPERTY, Costs, Deadline, complaint, processor_seconds
from shares import TABLES_WITHOUT_CASES, left_out_of_tables

TESTS = Path(__file__).parent
# Tests that compile much and ask what the passes before LLVM made of a program: without optimisation LLVM takes a tenth
# of the time. `make thorough` runs them again with the code that is shipped.
UNOPTIMISED = (
    "pairs",
    "unit/ad",
    "unit/api/test_growing_arrays.py",
    "unit/api/test_odd_arguments.py",
    "unit/at_once",
    "unit/benchmarks",
    "unit/by_python",
    "unit/docs",
    "unit/exports",
    "unit/frontend",
    "unit/fuzz",
    "unit/gpu",
    "unit/gradbench",
    "unit/lower",
    "unit/phi",
    "unit/recursion",
    "unit/rev",
    "unit/reversible",
    "unit/soac",
    "unit/structures",
    "unit/transforms",
    "unit/vectorise",
)
# What measures kernels or reads their instructions, nevertheless.
OPTIMISED = (
    "unit/ad/costs/test_time_of_columns.py",
    "unit/lower/test_carried_cells.py",
    "unit/lower/test_together.py",
    "unit/vectorise/test_known_lengths.py",
)

# How long an example takes is a matter of the machine and of what else it does; a test that hangs is ended elsewhere.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("share", settings.get_profile("untimed"), max_examples=20)


@cache
def is_unoptimised(path: Path) -> bool:
    return is_within(path, UNOPTIMISED) and not is_within(path, OPTIMISED)


def is_within(path: Path, places: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(TESTS / place) for place in places)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--optimised", action="store_true", help="let LLVM optimise all kernels, as shipped")
    parser.addoption("--seconds", type=float, help="begin no test after so many seconds, and skip the others")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("untimed" if config.getoption("optimised") else "share")
    config.pluginmanager.register(Costs())
    if (seconds := config.getoption("seconds")) is not None:
        config.pluginmanager.register(Deadline(seconds))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Tests that are run each time must not take long."""
    before = processor_seconds()
    result = yield
    seconds = processor_seconds() - before
    item.user_properties.append((PROPERTY, seconds))
    is_short = not item.get_closest_marker("thorough") and not item.config.getoption("optimised")
    if is_short and (problem := complaint(seconds)):
        pytest.fail(problem, pytrace=False)
    return result


def pytest_itemcollected(item: pytest.Item) -> None:
    if is_unoptimised(item.path):
        item.add_marker("unoptimised")
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        item.add_marker("drawn")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the cases of a test or of a file that is marked so, some are run each time, of those that are not long."""
    found, config.stash[TABLES_WITHOUT_CASES] = left_out_of_tables(items)
    for item in found:
        item.add_marker("thorough")


def pytest_collection_finish() -> None:
    """Tests and what their files define stay until the end: nobody need look for garbage among them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def own_kernel_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled kernels of this run go to a temporary folder, which processes that share the tests share too."""
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "kernels"
    with pytest.MonkeyPatch.context() as patch:
        use_cache(folder, patch)
        yield


@pytest.fixture(scope="module", autouse=True)
def optimisation(request: pytest.FixtureRequest, own_kernel_cache: None) -> Iterator[None]:
    """Kernels of some folders are not optimised, and kept apart from the others."""
    if request.config.getoption("optimised") or not is_unoptimised(request.path):
        yield
        return
    from tapeless.backend.codegen import llvm

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llvm, "EFFORT", 0)
        use_cache(Path(os.environ["TAPELESS_CACHE_DIR"]).with_name("unoptimised-kernels"), patch)
        yield


def use_cache(folder: Path, patch: pytest.MonkeyPatch) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    patch.setenv("TAPELESS_CACHE_DIR", str(folder))
