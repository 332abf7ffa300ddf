"""Whether an image read from a file can be one: every place and offset lies inside of it, every import exists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeless.errors import TargetError
from tapeless.runtime.image import ADDRESS, PAGE, Image, import_address

INSTRUCTION_ALIGNMENT = 4  # of functions, on every supported processor


def is_sound(image: Image) -> bool:
    """Whether loading the image writes to no memory but its own, and its functions start in its code."""
    return all(check(image) for check in CHECKS)


def is_whole_number(value: Any, end: int) -> bool:
    """Whether a value is an integer (bools are none) from 0 to before `end`."""
    return type(value) is int and 0 <= value < end


def _has_code(image: Image) -> bool:
    return type(image.code) is bytes and len(image.code) > 0


def _ends_on_a_page(image: Image) -> bool:
    end = image.writable_from
    return is_whole_number(end, len(image.code) + 1) and end > 0 and (end % PAGE == 0 or end == len(image.code))


def _exports_code(image: Image) -> bool:
    return type(image.exports) is dict and all(
        type(name) is str and is_whole_number(offset, image.writable_from) and offset % INSTRUCTION_ALIGNMENT == 0
        for name, offset in image.exports.items()
    )


def _imports_what_exists(image: Image) -> bool:
    return type(image.imports) is dict and all(
        type(name) is str and _is_place(place, image) and _exists(name) for name, place in image.imports.items()
    )


def _fills_in_addresses(image: Image) -> bool:
    return all(
        _is_place(place, image) and is_whole_number(offset, len(image.code) + 1) for place, offset in image.absolutes
    )


def _is_place(value: Any, image: Image) -> bool:
    """Whether an address can be written there."""
    return is_whole_number(value, len(image.code) - ADDRESS.size + 1) and value % ADDRESS.size == 0


def _exists(name: str) -> bool:
    try:
        return import_address(name) != 0
    except TargetError:
        return False


CHECKS: tuple[Callable[[Image], bool], ...] = (
    _has_code,
    _ends_on_a_page,
    _exports_code,
    _imports_what_exists,
    _fills_in_addresses,
)
