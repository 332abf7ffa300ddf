"""The shared collection of small programs: one table, read by every test that runs programs."""

from __future__ import annotations

from programs import (
    arrays,
    boundaries,
    expressions,
    fields,
    functions,
    hints,
    indexing,
    linear_algebra,
    names,
    numerics,
    operators,
    random_numbers,
    reductions,
    scalars,
    segments,
    statements,
)
from programs.program import Program

TOPICS = (
    statements,
    expressions,
    indexing,
    scalars,
    segments,
    arrays,
    reductions,
    operators,
    functions,
    hints,
    boundaries,
    numerics,
    names,
    linear_algebra,
    random_numbers,
    fields,
)

PROGRAMS: dict[str, Program] = {item.name: item for topic in TOPICS for item in topic.PROGRAMS}
