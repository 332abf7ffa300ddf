"""What a way to make an expression is."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.draft import Draft
from fuzz.types import Type

Maker = Callable[[Draft, Type, int], str]
Table = dict[Maker, int]
