"""Bundles whose checksums are right and whose contents are not: every field with every hostile value, and odd archives.

Code in a bundle is trusted with the bundle. What stands around it is not: loading ends with a kernel or a BundleError,
takes less than a second of the processor, and little memory.
"""

from __future__ import annotations

import hashlib
import io
import json
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.cli.inspect import described
from tapeless.deep_calls import deep_calls
from tapeless.runtime import image
from tapeless.runtime.bundle import cuda
from tapeless.runtime.bundle.archive import DIGEST_LETTERS, LABEL, MOST_TIMES, SMALL, pack, unpack
from tapeless.runtime.bundle.choose import read_bundle

MOST_SECONDS, MOST_BYTES = 1.0, 100 << 20
TEXTS_OF_JSON = ("abi", "sites")
Way = tuple[str | int, ...]


@tl.function
def mixed(x: tl.f64[:], m: tl.f64[:, 3], k: tl.i64, flag: tl.bool_ = True):
    """Scalars, results of given and of unknown sizes, checks, calls of the runtime, nested tuples."""
    return x[k] * 0.5, (tl.exp(x), (m @ m.T,)), tl.zeros(k + 2), x[tl.argsort(x)][:k], flag


@pytest.fixture(scope="module", params=["cpu", "cuda:sm_80"])
def data(request: pytest.FixtureRequest) -> bytes:
    """What a pickled kernel is: a bundle without parts for C."""
    return tl.compile(mixed, target=request.param).__reduce__()[1][0]


@pytest.fixture(autouse=True)
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code is put into memory and stays there; kernels for GPUs are loaded as if there were one."""
    monkeypatch.setattr(image, "_make_executable", lambda *arguments: None)
    gpu = SimpleNamespace(capability=(9, 0), turns=SimpleNamespace(check_process=lambda: None))
    monkeypatch.setattr(cuda, "driver", lambda: gpu)


def nested(depth: int, wrap: Callable[[Any], Any]) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = wrap(value)
    return value


HOSTILE: dict[str, Any] = {
    "none": None,
    "true": True,
    "zero": 0,
    "negative": -1,
    "2**63": 2**63,
    "10**300": 10**300,
    "float": 1.5,
    "nan": float("nan"),
    "infinite": float("inf"),
    "empty text": "",
    "text": "x",
    "long text": "x" * 200_000,
    "control characters": "\x1b[31m\0\n\u202e",
    "surrogate": "\ud800",
    "wide": "{0:1000000000}",
    "wider": "{:>999999999999}",
    "attribute": "{0.__class__.__mro__}",
    "path": "/dev/zero",
    "empty list": [],
    "empty table": {},
    "many": [0] * 10_000,
    "lists": [[]] * 1000,
    "tables": [{}] * 1000,
    "deep list": nested(220, lambda value: [value]),
    "deeper list": nested(5000, lambda value: [value]),
    "deep table": nested(900, lambda value: {"a": value}),
    "deep sum": nested(220, lambda value: ["add", value, 1]),
    "deep product": nested(400, lambda value: ["mul", value, ["dim", 0, 0]]),
}


# What may be made of these could be large.
LARGE = ("long text", "wide", "wider", "many", "deep list", "deep sum", "deep product")


def ways(value: Any, way: Way = ()) -> Iterator[Way]:
    """Paths to everything in a description; of lists, to the first and the last element."""
    yield way
    if isinstance(value, dict):
        for key, each in value.items():
            yield from ways(each, (*way, key))
    elif isinstance(value, list) and value:
        for position in {0, len(value) - 1}:
            yield from ways(value[position], (*way, position))


def changed(value: Any, way: Way, new: Any) -> Any:
    if not way:
        return new
    copied = value.copy()
    copied[way[0]] = changed(value[way[0]], way[1:], new)
    return copied


def opened(data: bytes) -> dict[str, Any]:
    """The descriptions of a bundle: its manifest, with the JSON texts in it read, and the plan."""
    files = unpack(data)
    manifest = json.loads(files["manifest.json"])
    for target in manifest["targets"]:
        target["details"] |= {name: json.loads(target["details"][name]) for name in TEXTS_OF_JSON}
    plans = {name: json.loads(each) for name, each in files.items() if name.endswith("plan.json")}
    return {"manifest": manifest, **plans}


def sealed(data: bytes, descriptions: dict[str, Any], way: Way) -> bytes:
    """The bundle with these descriptions, and right checksums wherever these can be made."""
    files = unpack(data)
    plans = {name: json.dumps(each).encode() for name, each in descriptions.items() if name != "manifest"}
    manifest = descriptions["manifest"]
    files |= plans
    if "image" not in way:
        _seal(manifest, files)
    return pack({**files, "manifest.json": json.dumps(_closed(manifest)).encode()})


def _seal(manifest: Any, files: dict[str, bytes]) -> None:
    """The digests of parts and of images, if the manifest still has places for them."""
    try:
        target = manifest["targets"][0]
        details, parts = target["details"], target["parts"]
        for part in parts.values():
            contents = files[part["file"]]
            part |= {"bytes": len(contents), "sha256": hashlib.sha256(contents).hexdigest()}
        if "architecture" in details:
            links = {"plan": files[parts["plan.json"]["file"]].decode(), "architecture": details["architecture"]}
            code = files[parts["kernels.ptx"]["file"]]
        else:
            links = {name: details[name] for name in ("writable_from", "exports", "imports", "absolutes")}
            code = files[parts["kernel.image"]["file"]]
        details["image"] = hashlib.sha256(json.dumps(links).encode() + b"\0" + code).hexdigest()
    except (LookupError, TypeError, AttributeError, RecursionError):
        pass


def _closed(manifest: Any) -> Any:
    try:
        for target in manifest["targets"]:
            target["details"] |= {name: json.dumps(target["details"][name]) for name in TEXTS_OF_JSON}
    except (LookupError, TypeError, AttributeError, ValueError):
        pass
    return manifest


def looked_at(data: bytes) -> None:
    """Loads a bundle, and looks at it in every way that runs nothing; BundleError is an answer."""
    try:
        contents = read_bundle(data, "it")
        "\n".join(described(contents, Path("it"), len(data), list(contents.targets)))
        kernel = tl.load(data)
    except tl.BundleError as error:
        assert len(str(error)) < 10_000
    else:
        assert kernel.explain() and repr(kernel)


def measured(work: Callable[[], None], *, memory: bool = True) -> None:
    """Memory is measured on demand, because everything takes longer meanwhile."""
    if memory:
        tracemalloc.start()
    try:
        start = time.process_time()
        work()
        assert time.process_time() - start < MOST_SECONDS
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.one_in(72)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_every_field_may_be_anything(data: bytes, hostile: str) -> None:
    for way in [each for each in ways(opened(data)) if len(each) > 1]:
        with deep_calls():
            made = sealed(data, changed(opened(data), way, HOSTILE[hostile]), way)
        measured(lambda made=made: looked_at(made), memory=hostile in LARGE)


def test_what_is_right_is_loaded(data: bytes) -> None:
    """The test would see nothing if what it makes were always refused."""
    assert tl.load(sealed(data, opened(data), ())).explain()


def test_thousands_of_parameters() -> None:
    @tl.function
    def one(x: tl.f64):
        return x

    data = tl.compile(one).to_bytes()
    for count in (1500, 2048, 2049, 60_000):
        made = opened(data)
        details = made["manifest"]["targets"][0]["details"]
        details["abi"]["parameters"] *= count
        details["abi"]["results"] *= count
        details["structure"] = list(range(count))
        each = made["manifest"]["interface"]["parameters"][0]
        made["manifest"]["interface"]["parameters"] = [{**each, "name": f"p{k}"} for k in range(count)]
        bundle = sealed(data, made, ())
        measured(lambda bundle=bundle: looked_at(bundle))


def archive(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name, contents in files.items():
            made.writestr(name, contents)
        made.comment = LABEL + bytes(DIGEST_LETTERS)
    return bytearray(buffer.getvalue()[:-DIGEST_LETTERS])


def with_digest(body: bytes) -> bytes:
    return bytes(body) + hashlib.sha256(body).hexdigest().encode()


MANIFEST = {"manifest.json": b"{}"}


def unknown_method(number: int) -> bytes:
    body = archive(MANIFEST)
    local, listed = body.index(b"PK\x03\x04"), body.index(b"PK\x01\x02")
    body[local + 8 : local + 10] = body[listed + 10 : listed + 12] = number.to_bytes(2, "little")
    return with_digest(body)


def lies_about_its_size() -> bytes:
    body = archive({"manifest.json": bytes(110 << 20)})
    local, listed = body.index(b"PK\x03\x04"), body.index(b"PK\x01\x02")
    body[local + 22 : local + 26] = body[listed + 24 : listed + 28] = (10).to_bytes(4, "little")
    return with_digest(body)


def with_larger_end() -> bytes:
    body = archive(MANIFEST)
    end = body.index(b"PK\x05\x06")
    return with_digest(body[:end] + b"PK\x06\x07" + bytes(16) + body[end:])


ARCHIVES: dict[str, Callable[[], bytes]] = {
    **{
        f"method {number}": (lambda number=number: unknown_method(number))
        for number in (1, 6, 9, 12, 14, 93, 99, 65535)
    },
    "bzip2": lambda: with_digest(archive(MANIFEST, zipfile.ZIP_BZIP2)),
    "lzma": lambda: with_digest(archive(MANIFEST, zipfile.ZIP_LZMA)),
    "inflates": lambda: with_digest(archive({"manifest.json": bytes(110 << 20)})),
    "inflates often": lambda: with_digest(archive({f"f{k}": bytes(1 << 20) for k in range(110)})),
    "lies about its size": lies_about_its_size,
    "many files": lambda: with_digest(archive({f"f{k}": b"" for k in range(20_000)})),
    "another end": with_larger_end,
    "no list": lambda: with_digest(b"PK\x03\x04" + bytes(100) + LABEL),
    "many items": lambda: pack({"manifest.json": b"[" + b"{}," * 2_000_000 + b"0]"}),
    "deep": lambda: pack({"manifest.json": b"[" * 1_000_000}),
    "deep table": lambda: pack({"manifest.json": b'{"a":' * 1_000_000}),
    "a long number": lambda: pack({"manifest.json": b"9" * 1_000_000}),
    "no text": lambda: pack({"manifest.json": b"\xff\xfe\xfd"}),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", ARCHIVES)
def test_odd_archives_are_refused(case: str) -> None:
    data = ARCHIVES[case]()

    def refused() -> None:
        with pytest.raises(tl.BundleError):
            tl.load(data)

    measured(refused)


@pytest.mark.thorough
def test_what_shrinks_a_lot_is_kept_as_it_is() -> None:
    """So that no bundle of ours is refused for it."""
    files = {"zeros": bytes(SMALL + 1), "numbers": np.arange(SMALL // 4).tobytes()}
    data = pack(files)
    assert unpack(data) == files
    assert len(data) * MOST_TIMES > sum(map(len, files.values()))
