"""Damaged, cut, newer and foreign bundles are refused before any of their code is put into memory."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import tapeless as tl
from tapeless.runtime import image
from tapeless.runtime.bundle.archive import DIGEST_LETTERS, LABEL, pack, unpack
from tapeless.runtime.code import MAGIC

from .resealed import Manifest, resealed, with_part

FLIPS = 400


@tl.function
def halves(x: tl.f64[:], k: tl.i64):
    return x[k] * 0.5, tl.exp(x)


@pytest.fixture(scope="module")
def data() -> bytes:
    return tl.compile(halves).to_bytes()


@pytest.fixture(autouse=True)
def no_code_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in this file may come as far as memory that is executed."""

    def refuse(*arguments: object) -> None:
        raise AssertionError("the code of a bundle that must be refused was put into memory")

    monkeypatch.setattr(image, "_make_executable", refuse)


def refused(data: bytes, message: str = "") -> None:
    with pytest.raises(tl.BundleError, match=message):
        tl.load(data)


def test_what_is_whole_would_be_loaded(data: bytes) -> None:
    with pytest.raises(AssertionError, match="put into memory"):
        tl.load(data)


def test_every_place_is_protected(data: bytes) -> None:
    """Flips of single bits: at the beginning, at the end, and all over the rest."""
    rest = random.Random(1).sample(range(len(data)), FLIPS)
    for place in {*range(60), *range(len(data) - 200, len(data)), *rest}:
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        refused(bytes(changed), "damaged or no saved kernel: .*; save the kernel again")


def test_every_length_but_the_right_one_is_refused(data: bytes) -> None:
    ends = {*range(100), *range(len(data) - 200, len(data)), *range(0, len(data), 61)}
    for end in ends:
        refused(data[:end], "damaged or no saved kernel")
    for more in (b"\0", b"PK", data):
        refused(data + more, "damaged or no saved kernel")


@pytest.mark.parametrize("other", [b"", b"#!/bin/sh", b"\x7fELF" + bytes(200), b"\x80\x04N.", MAGIC + bytes(100)])
def test_other_files_are_refused(other: bytes) -> None:
    refused(other, "does not begin as a bundle does")


def test_other_archives_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("manifest.json", "{}")
    refused(buffer.getvalue(), "does not end as a bundle does")
    refused(pack({"readme": b"text"}), "not a saved kernel of this version: 'manifest.json'")
    refused(pack({"manifest.json": b"[" * 100_000}), "not a saved kernel of this version")
    refused(pack({"manifest.json": b"[]"}), "its manifest is not that of a bundle")


def test_an_archive_that_lies_about_itself_is_refused(data: bytes) -> None:
    """Right digests do not make a right archive: sizes, names, encryption."""
    from hashlib import sha256

    body = bytearray(data[:-DIGEST_LETTERS])
    for place in range(body.rindex(b"PK\x01\x02"), len(body) - len(LABEL)):
        changed = bytes(body[:place]) + bytes([body[place] ^ 0xFF]) + bytes(body[place + 1 :])
        sealed = changed + sha256(changed).hexdigest().encode()
        try:
            files = unpack(sealed)
        except ValueError:
            continue
        assert files.keys() != unpack(data).keys() or files == unpack(data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda m: m.update(version=3, made_by="7.0"),
            "saved by Tapeless 7.0 as bundle version 3, and this version reads version 2; update",
        ),
        (lambda m: m.update(version=0), "has version 0"),
        (lambda m: m.update(version="1"), "has version '1'"),
        (lambda m: m.update(format="other"), "not that of a bundle"),
        (lambda m: m.update(targets=[]), "files that its manifest does not name"),
        (lambda m: m.update(targets=None), "not a saved kernel of this version"),
        (lambda m: m.pop("targets"), "'targets'"),
        (lambda m: m.pop("interface"), "'interface'"),
        (lambda m: m["targets"].append(m["targets"][0]), "names a target twice"),
        (lambda m: m["targets"][0].update(kind="quantum"), "'native' is for 'quantum', which this version"),
        (lambda m: m["targets"][0].update(name="other"), "do not agree with their checksums"),
        (lambda m: m["targets"][0].update(name=3), "not described as this version does"),
        (lambda m: m["targets"][0]["parts"].pop("kernel.image"), "files that its manifest does not name"),
        (lambda m: m["targets"][0]["parts"]["kernel.o"].update(sha256="0"), "do not agree with their checksums"),
        (lambda m: m["targets"][0]["parts"]["kernel.o"].update(bytes=1), "do not agree with their checksums"),
        (lambda m: m["targets"][0]["parts"]["kernel.o"].update(file="../x"), "'../x'"),
        (lambda m: _details(m).update(machine="pdp11"), "'native' is for pdp11 processors, and this one is"),
        (lambda m: _details(m).update(runtime=0), "calls version 0 of the C runtime"),
        (lambda m: _details(m)["needs"].append("magic"), "needs a processor that has magic"),
        (lambda m: _details(m).pop("needs"), "'needs'"),
        (lambda m: _details(m).update(needs=None), "'native' is not described as this version does"),
        (lambda m: _details(m).update(entry="other"), "does not fit the code"),
        (lambda m: _details(m)["imports"].update(system=8), "does not fit the code"),
        (lambda m: _details(m).pop("abi"), "'abi'"),
        (lambda m: _details(m).update(writable_from=-1), "does not fit the code"),
        (lambda m: m["interface"].update(line="x"), "'line' is 'x'"),
        (lambda m: m["interface"].update(parameters=[]), "the parameters do not fit the code"),
        (lambda m: m["interface"]["parameters"][0].update(default=[]), "a parameter is"),
    ],
)
def test_what_does_not_fit_is_refused(data: bytes, change: Callable[[Manifest], object], message: str) -> None:
    refused(resealed(data, change), message)


def _details(manifest: Manifest) -> Manifest:
    return manifest["targets"][0]["details"]


def test_other_code_than_the_manifest_describes_is_refused(data: bytes) -> None:
    code = unpack(data)["native/kernel.image"]
    refused(with_part(data, "kernel.image", code[:-1] + bytes([code[-1] ^ 1])), "does not fit the code")
    refused(with_part(data, "kernel.image", b""), "does not fit the code")


def test_a_target_without_its_code_is_refused(data: bytes) -> None:
    files = unpack(data)
    del files["native/kernel.image"]
    stripped = resealed(pack(files), lambda m: m["targets"][0]["parts"].pop("kernel.image"))
    refused(stripped, "target 'native' has no part 'kernel.image'")


def test_a_bundle_without_targets_is_refused(data: bytes) -> None:
    empty = pack({"manifest.json": unpack(data)["manifest.json"]})
    refused(resealed(empty, lambda m: m.update(targets=[])), "has no code for this machine")


def test_messages_name_the_file(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "cut.tlk").write_bytes(data[:500])
    with pytest.raises(tl.BundleError, match=r"cut\.tlk is damaged"):
        tl.load(tmp_path / "cut.tlk")
