"""What files say is printed without anything that steers a terminal, and without tracebacks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tapeless as tl
from tapeless.cli.main import main
from tapeless.cli.printable import LAYOUT, printable
from tapeless.runtime.bundle.archive import pack, unpack

ODD = {
    "escape": "\x1b[31mred\x1b]0;title\x07",
    "controls": "a\0b\rc\x08d\x7f\x9b31m",
    "lines": "one\ntwo\u2028three\x85",
    "direction": "abc\u202e\u2066txt\u200f",
    "half": "\ud800 \udfff",
    "markup": "[red]{0}{x:10}[/red] %s [/]",
    "blank": "   \n\t ",
    "empty": "",
}
STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@tl.function
def doubled(x: tl.f64[:]):
    """Twice the array."""
    return x + x


@pytest.fixture(scope="module")
def data() -> bytes:
    return tl.compile(doubled).to_bytes()


def written(data: bytes, path: Path, text: str, field: str) -> str:
    files = unpack(data)
    manifest = json.loads(files["manifest.json"])
    target = manifest["targets"][0]
    places: dict[str, Any] = {
        "made_by": manifest,
        "signature": manifest,
        "name": manifest["interface"],
        "doc": manifest["interface"],
        "file": manifest["interface"],
        "kind": target,
        "symbol": target["details"],
        "machine": target["details"],
    }
    places[field][field] = text
    path.write_bytes(pack({**files, "manifest.json": json.dumps(manifest).encode()}))
    return str(path)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("field", ["made_by", "signature", "name", "doc", "file", "kind", "symbol", "machine"])
@pytest.mark.parametrize("odd", ODD)
def test_commands_steer_no_terminal(data: bytes, tmp_path: Path, odd: str, field: str) -> None:
    path = written(data, tmp_path / "odd.tlk", ODD[odd], field)
    for arguments in (["inspect", path], ["extract", path, "-o", str(tmp_path / "parts")], ["run", path]):
        result = CliRunner().invoke(main, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert not STEERS.search(result.output)


@pytest.mark.parametrize("odd", ODD)
def test_odd_names_of_files(data: bytes, tmp_path: Path, odd: str) -> None:
    """As the system gives them: without zeros, and with halves for bytes that are no text."""
    name = ODD[odd].replace("\0", "").replace("/", "").replace("\ud800", "\udc80").replace("\udfff", "\udcff")
    for command in ("inspect", "extract", "run"):
        result = CliRunner().invoke(main, [command, name or " "])
        assert result.exit_code in (1, 2) and isinstance(result.exception, SystemExit), result.exception
        assert not STEERS.search(result.output)


def test_what_is_visible_stays() -> None:
    assert printable("größe = 3 µm, 速度") == "größe = 3 µm, 速度"
    assert printable("a\n\tb", LAYOUT) == "a\n\tb"
    assert printable("a\n\x1b\u202e\ud800") == r"a\n\x1b\u202e\ud800"
