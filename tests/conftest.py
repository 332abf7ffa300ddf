"""What all tests share: a kernel cache of their own, so that nothing compiled before decides an outcome."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_kernel_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled kernels of this run go to a temporary folder, which processes that share the tests share too."""
    before = os.environ.get("TAPELESS_CACHE_DIR")
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "kernels"
    folder.mkdir(mode=0o700, exist_ok=True)
    os.environ["TAPELESS_CACHE_DIR"] = str(folder)
    yield
    if before is None:
        del os.environ["TAPELESS_CACHE_DIR"]
    else:
        os.environ["TAPELESS_CACHE_DIR"] = before
