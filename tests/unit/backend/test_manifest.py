"""Manifests of cached kernels with every field missing, of another type, out of range, or one off."""

# The annotations are types of the language.
import copy
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.api.program import Program
from tapeless.backend import cache
from tapeless.runtime.code import MAGIC, CompiledCode, DamagedCode, split

KEY = "ab" + "0" * 62
NESTED_JSON = ("abi", "sites")
# Fields for which more than one value can be right: a checksum protects them, and no value leads out of the image.
FREE = ("description", "sites", "abi")
MISSING = object()
OTHER_TYPES = (None, "other", 1.5, True, [], {}, [None], {"a": 1})
NUMBERS = (-1, -(2**70), 2**31, 2**63, 2**70, 10**30)


@tl.function
def everything(x: tl.f64[:, 3], n: tl.i64, flag: tl.bool_):
    """Scalars, sizes fixed and computed, a result of unknown size, checks, calls of the runtime, nested tuples."""
    grown = x[0]
    for _ in range(n):
        grown = tl.concat((grown, x[n]))
    return (tl.exp(x) * 2.0, tl.zeros(n * 2 + x.shape[0])), (grown, tl.sum(tl.sort(x[:, 0])), flag)


ARGUMENTS = (np.arange(12.0).reshape(4, 3), 2, True)


@pytest.fixture(scope="module")
def program() -> Program:
    return everything.lower()._compilation


@pytest.fixture(scope="module")
def code(program: Program) -> CompiledCode:
    return program.code()


@pytest.fixture(scope="module")
def data(code: CompiledCode) -> bytes:
    return code.to_bytes(KEY, {"function": "everything"})


def manifest_of(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The manifest with the JSON texts in it read as well, and the code."""
    manifest, code = split(data)
    return {name: json.loads(each) if name in NESTED_JSON else each for name, each in manifest.items()}, code


def file_of(manifest: Any, code: bytes) -> bytes:
    """A file whose checksum is right."""
    if isinstance(manifest, dict):
        manifest = {name: json.dumps(each) if name in NESTED_JSON else each for name, each in manifest.items()}
    return file_of_text(json.dumps(manifest).encode(), code)


def file_of_text(text: bytes, code: bytes) -> bytes:
    return MAGIC + hashlib.sha256(text).digest() + len(text).to_bytes(8, "little") + text + code


def is_accepted(data: bytes) -> bool:
    try:
        CompiledCode.from_bytes(data, KEY)
    except DamagedCode:
        return False
    return True


Way = tuple[Any, ...]


def ways(value: Any, way: Way = ()) -> Iterator[Way]:
    """The ways to every value inside of a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inner:
        yield (*way, name)
        yield from ways(part, (*way, name))


def at(value: Any, way: Way) -> Any:
    for name in way:
        value = value[name]
    return value


def changed(manifest: Any, way: Way, new: Any) -> Any:
    made = copy.deepcopy(manifest)
    at(made, way[:-1])[way[-1]] = new
    return made


def without(manifest: Any, way: Way) -> Any:
    made = copy.deepcopy(manifest)
    del at(made, way[:-1])[way[-1]]
    return made


def replacements(old: Any) -> Iterator[Any]:
    yield from (new for new in (*OTHER_TYPES, *NUMBERS) if new != old or type(new) is not type(old))
    if type(old) is int:
        yield from (old + 1, old - 1)
    if type(old) is str:
        yield from (old + "x", old[1:], "")
    if type(old) is list:
        yield from ([*old, None], old[:-1], [*old, *old], list(reversed(old)))


def is_free(way: Way, new: Any, old: Any) -> bool:
    """Whether the new value can be right, too: another one of the same type, another size, another description."""
    if way[0] not in FREE:
        return False
    is_described = way[0] == "description" and len(way) > 1
    is_removed_item = isinstance(way[-1], int) and new is MISSING
    return type(new) is type(old) or "dims" in way or is_described or is_removed_item


def test_the_whole_file_is_accepted(data: bytes, code: CompiledCode) -> None:
    assert file_of(*manifest_of(data)) == data
    found = CompiledCode.from_bytes(data, KEY)
    assert (found.abi.to_json(), found.sites, found.structure) == (code.abi.to_json(), code.sites, code.structure)
    assert {result.place for result in found.abi.results} == {"value", "out", "allocated"}
    assert found.sites and found.image.imports


def test_no_field_can_be_missing_or_anything_else(data: bytes) -> None:
    manifest, code = manifest_of(data)
    accepted, count = [], 0
    for way in ways(manifest):
        old = at(manifest, way)
        for new in (MISSING, *replacements(old)):
            candidate = without(manifest, way) if new is MISSING else changed(manifest, way, new)
            count += 1
            if candidate != manifest and not is_free(way, new, old) and is_accepted(file_of(candidate, code)):
                accepted.append((way, new))
    assert accepted == []
    assert count > 1000


@pytest.mark.parametrize(
    ("way", "wrong"),
    [
        (("abi", "parameters", 0, "dims"), [None, -1]),
        (("abi", "parameters", 0, "dims"), [None, True]),
        (("abi", "parameters", 0, "dims"), [None, 2**63]),
        (("abi", "parameters", 0, "dims"), []),
        (("abi", "parameters", 0, "dtype"), "f8"),
        (("abi", "parameters", 0, "kind"), "scalar"),
        (("abi", "parameters", 1, "dims"), [1]),
        (("abi", "results", 0, "place"), "value"),
        (("abi", "results", 0, "dims"), [["dim", 0, 2], 3]),
        (("abi", "results", 0, "dims"), [["dim", 3, 0], 3]),
        (("abi", "results", 0, "dims"), [["dim", -1, 0], 3]),
        (("abi", "results", 0, "dims"), [["arg", 0], 3]),
        (("abi", "results", 0, "dims"), [["arg", True], 3]),
        (("abi", "results", 0, "dims"), [["pow", 1, 2], 3]),
        (("abi", "results", 0, "dims"), [["add", 1], 3]),
        (("abi", "results", 0, "dims"), [["add", 1, 2**63], 3]),
        (("abi", "results", 0, "dims"), [[], 3]),
        (("abi", "results", 0, "dims"), [None, 3]),
        (("abi", "results", 2, "dims"), [["dim", 0, 0]]),
        (("sites", 0, "kind"), "Sequence"),
        (("sites", 0, "kind"), "__doc__"),
        (("sites", 0, "message"), "{9}"),
        (("sites", 0, "message"), "{a}"),
        (("sites", 0, "message"), "{0.secret}"),
        (("sites", 0, "types"), ["i64"] * 9),
        (("sites", 0, "types"), ["str"]),
        (("sites", 0, "line"), -1),
        (("sites", 0, "ends"), 1),
        (("sites", 0, "kind"), "drift"),
    ],
)
def test_contracts_that_no_kernel_can_have(data: bytes, way: Way, wrong: Any) -> None:
    manifest, code = manifest_of(data)
    assert not is_accepted(file_of(changed(manifest, way, wrong), code))


def test_manifests_that_are_no_tables(data: bytes) -> None:
    _, code = manifest_of(data)
    for manifest in (None, 1, "text", [], [["key", KEY]], {}):
        assert not is_accepted(file_of(manifest, code))
    for text in (b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"1" * 10_000, b"NaN"):
        assert not is_accepted(file_of_text(text, code))


@pytest.mark.parametrize("field", ["structure", "absolutes", "exports", "description"])
def test_manifests_that_are_deeply_nested(data: bytes, field: str) -> None:
    _, code = manifest_of(data)
    text = json.dumps({name: each for name, each in split(data)[0].items() if name != field})
    for depth in (500, 5_000):
        nested = "[" * depth + "0" + "]" * depth
        assert not is_accepted(file_of_text(f'{text[:-1]}, "{field}": {nested}}}'.encode(), code))


def test_code_of_another_length_or_kernel(data: bytes) -> None:
    manifest, code = manifest_of(data)
    other = bytes(len(code))
    for wrong in (b"", code[:-1], code[8:], code + b"\0", code * 2, other):
        assert not is_accepted(file_of(manifest, wrong))


def test_entries_of_other_keys_machines_and_versions(code: CompiledCode, data: bytes) -> None:
    with pytest.raises(DamagedCode):
        CompiledCode.from_bytes(data, "cd" + KEY[2:])
    manifest, image = manifest_of(data)
    for field, other in (("key", "cd" + KEY[2:]), ("machine", "vax"), ("runtime", 0)):
        assert not is_accepted(file_of(changed(manifest, (field,), other), image))
    assert not is_accepted(b"tapeless kernel 1\n" + data[len(MAGIC) :])


def flat(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in flat(part)] if isinstance(value, tuple) else [value]


@pytest.fixture
def counted(
    program: Program, code: CompiledCode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, list[int]]:
    """The file of the program's entry in a cache of its own, and how often it was compiled since."""
    compiled: list[int] = []

    def compile_once_more(self: Program) -> tuple[CompiledCode, str]:
        compiled.append(1)
        return code, "compiled"

    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("tapeless.api.program._in_use", {})
    monkeypatch.setattr(Program, "_made", compile_once_more)
    cache.store(program.key(), code, program._description())
    return next(tmp_path.glob("*/*.kernel")), compiled


def call_afresh() -> list[Any]:
    """Calls the function as a new process would: nothing is in memory."""
    from tapeless.api import program

    program._in_use.clear()
    return flat(tl.TapelessFunction(everything.source)(*ARGUMENTS))


def assert_right(found: list[Any]) -> None:
    for one, other in zip(found, flat(everything(*ARGUMENTS)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_flipped_bytes_are_compiled_again(counted: tuple[Path, list[int]]) -> None:
    file, compiled = counted
    whole = file.read_bytes()
    assert_right(call_afresh())
    assert compiled == []
    generator = random.Random(8)
    for turn in range(150):
        damaged = bytearray(whole)
        for _ in range(generator.choice((1, 1, 2, 50))):
            damaged[generator.randrange(len(damaged))] ^= 1 << generator.randrange(8)
        file.write_bytes(damaged[: generator.choice((len(damaged), len(damaged), generator.randrange(len(damaged))))])
        assert_right(call_afresh())
        assert len(compiled) == turn + 1
        assert file.read_bytes() == whole


def test_an_entry_of_other_argument_types_is_compiled_again(program: Program, counted: tuple[Path, list[int]]) -> None:
    file, compiled = counted
    manifest, code = manifest_of(file.read_bytes())
    for dims in ([None, 4], [3, 3], [None, None], [None, 3, 3]):
        file.write_bytes(file_of(changed(manifest, ("abi", "parameters", 0, "dims"), dims), code))
        compiled.clear()
        assert_right(call_afresh())
        assert compiled == [1]


def test_the_entry_of_another_function_is_compiled_again(
    program: Program, code: CompiledCode, counted: tuple[Path, list[int]]
) -> None:
    file, compiled = counted
    other = program.key()[::-1]
    cache.store(other, code, {})
    file.write_bytes((file.parent.parent / other[:2] / f"{other[2:]}.kernel").read_bytes())
    assert_right(call_afresh())
    assert compiled == [1]
