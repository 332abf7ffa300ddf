"""JSON from files that anybody may have made: values that would take much more memory than their text are refused."""

from __future__ import annotations

import json
from typing import Any, Final

# Lists and tables take up to a hundred times the memory of their text; long strings, such as constants, do not.
MOST_ITEMS: Final = 400_000


def read_json(text: bytes | str) -> Any:
    """The value of a JSON text; raises ValueError or RecursionError for malformed or too large ones."""
    items = sum(text.count(mark.encode()) if isinstance(text, bytes) else text.count(mark) for mark in ",[{")
    if items > MOST_ITEMS:
        raise ValueError(f"a description has {items} items, and at most {MOST_ITEMS} are read")
    return json.loads(text)
