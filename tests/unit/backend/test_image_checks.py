"""Images that would write outside of themselves, run outside of their code, or call what does not exist."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tapeless.backend.codegen.llvm import host
from tapeless.runtime.image import PAGE, Image
from tapeless.runtime.image_checks import is_sound

from .test_link import image_for


@pytest.fixture(scope="module")
def image() -> Image:
    """A function, an import, addresses to fill in, and data that stays writable."""
    made = image_for(host())
    made = replace(made, exports={"lookup": made.exports["lookup"]})
    assert made.imports and made.absolutes and made.writable_from % PAGE == 0 and made.writable_from < len(made.code)
    return made


def test_what_is_kept_of_a_linked_image_is_sound(image: Image) -> None:
    assert is_sound(image)


def wrong_places(image: Image, place: int) -> list[Any]:
    """Where no address can be written."""
    end = len(image.code)
    return [None, "0", 8.0, True, [], -8, -1, place + 1, place - 1, end, end - 7, end + 8, 2**63, 2**70]


def test_imports(image: Image) -> None:
    ((name, place), *_) = image.imports.items()
    assert is_sound(replace(image, imports={name: 0}))
    for wrong in wrong_places(image, place):
        assert not is_sound(replace(image, imports={name: wrong})), wrong
    for unknown in ("no_such_function", "", 1):
        assert not is_sound(replace(image, imports={unknown: place})), unknown
    for wrong in (None, [], [name], name):
        assert not is_sound(replace(image, imports=wrong)), wrong


def test_addresses_to_fill_in(image: Image) -> None:
    ((place, offset), *_) = image.absolutes
    for wrong in wrong_places(image, place):
        assert not is_sound(replace(image, absolutes=((wrong, offset),))), wrong
    for wrong in (None, "0", 1.0, False, -1, len(image.code) + 1, 2**63, 2**70):
        assert not is_sound(replace(image, absolutes=((place, wrong),))), wrong


def test_entry_points(image: Image) -> None:
    ((name, offset), *_) = image.exports.items()
    for wrong in (None, "0", 1.0, True, -4, offset + 1, offset - 1, image.writable_from, len(image.code), 2**63, 2**70):
        assert not is_sound(replace(image, exports={name: wrong})), wrong
    assert not is_sound(replace(image, exports={1: offset}))
    assert not is_sound(replace(image, exports=[name]))


def test_sizes(image: Image) -> None:
    size, end = len(image.code), image.writable_from
    for wrong in (None, "0", float(end), True, 0, -1, -PAGE, end + 1, end - 1, size - 1, size + 1, size + PAGE, 2**70):
        assert not is_sound(replace(image, writable_from=wrong, exports={})), wrong
    for code in (b"", image.code[: end - 1], bytearray(image.code), str(image.code)):
        assert not is_sound(replace(image, code=code, exports={}, imports={}, absolutes=())), len(code)
