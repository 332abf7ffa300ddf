"""The output of `tl.debug_print`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeless.errors import ArgumentError
from tapeless.trees import closed, opened


def printed(text: Any, *values: Any, **named: Any) -> None:
    """Prints a text with values in its braces: numbers as Python shows them, arrays as numpy does."""
    if not isinstance(text, str):
        raise ArgumentError(
            f"tl.debug_print begins with {text!r}; give it a text first, as in tl.debug_print('{{}}', x)"
        )
    shown, by_name = map(_shown, values), {name: _shown(value) for name, value in named.items()}
    try:
        line = text.format(*shown, **by_name)
    except (IndexError, KeyError, ValueError, TypeError) as error:
        raise ArgumentError(
            f"tl.debug_print({text!r}, ...) with {len(values)} values cannot be printed "
            f"({type(error).__name__}: {error}); give one value for each {{}}"
        ) from None
    print(line, flush=True)


def _shown(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item() if value.dtype != np.float32 else value
    parts = opened(value)
    return value if parts is None else closed(parts[0], [_shown(item) for item in parts[1]])
