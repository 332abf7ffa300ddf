"""All programs, from the modules of this folder: one for each field, with its `PROGRAMS`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from untuned.program import Program


def _all() -> Iterator[Program]:
    for module in sorted(each.name for each in iter_modules(__path__)):
        yield from import_module(f"{__name__}.{module}").PROGRAMS


PROGRAMS: dict[str, Program] = {}
for _program in _all():
    if _program.name in PROGRAMS:
        raise ValueError(f"two programs are called {_program.name!r}")
    PROGRAMS[_program.name] = _program

FIELDS = Counter(program.field for program in PROGRAMS.values())
