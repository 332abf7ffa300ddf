"""Makes the shared program collection importable as `programs`, and keeps compiled code out of the user's cache."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every run compiles everything anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAPELESS_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
