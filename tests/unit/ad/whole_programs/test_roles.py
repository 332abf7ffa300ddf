"""One value in several roles, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled
from roles import PROGRAMS

X = np.array([0.91, 1.37, 0.58, 1.22, 0.75, 1.04])


@pytest.mark.one_in(24)
@pytest.mark.parametrize("program", PROGRAMS)
def test_value_and_derivatives(program: Callable[..., Any]) -> None:
    check_compiled(program, X)
