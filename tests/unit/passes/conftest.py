"""A context, and tables with the example passes in them."""

from __future__ import annotations

import pytest
from example_passes import EXAMPLES, Tag

from tapeless.dialects.context import make_context
from tapeless.passes import PASSES, PIPELINES
from tapeless.passes.driver.base import Upstream


@pytest.fixture(autouse=True)
def example_tables(monkeypatch):
    for example in EXAMPLES:
        monkeypatch.setitem(PASSES, example.name, example)
    monkeypatch.setitem(PIPELINES, "example", (Tag(), Upstream("cse")))


@pytest.fixture
def context():
    with make_context() as context:
        yield context
