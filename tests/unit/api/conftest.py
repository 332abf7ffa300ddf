"""Ctrl-C raises KeyboardInterrupt in these tests, however they were started."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def handler_of_python() -> Iterator[None]:
    """The one that raises KeyboardInterrupt: a shell starts what runs in the background with Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
