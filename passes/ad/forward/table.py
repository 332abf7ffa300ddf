"""The forward rules of all operations."""

from __future__ import annotations

from tapeless.passes.ad.forward.arrays import ARRAYS
from tapeless.passes.ad.forward.calls import CALLS
from tapeless.passes.ad.forward.control import CONTROL
from tapeless.passes.ad.forward.retraces import RETRACES
from tapeless.passes.ad.forward.scalars import SCALARS

RULES = {**SCALARS, **CONTROL, **ARRAYS, **CALLS, **RETRACES}
