"""Bytecode that was cut off, or has other bits, is refused or read, and never ends the process."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
import pytest

import tapeless as tl
from tapeless._mlir import ir, stablehlo
from tapeless.backend.reading import bytecode
from tapeless.dialects.core_context import make_core_context
from tapeless.dialects.foreign import load_stablehlo

TEXT = """
func.func @main(%x: tensor<3xf64>) -> tensor<f64> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.sine %x : tensor<3xf64>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
"""


@cache
def whole(kind):
    context = make_core_context()
    with context:
        load_stablehlo(context)
        module = ir.Module.parse(TEXT)
        if kind == "artifact":
            return stablehlo().serialize_portable_artifact(module, stablehlo().get_minimum_version())
        written = io.BytesIO()
        module.operation.write_bytecode(written)
        return written.getvalue()


KINDS = ("artifact", "bytecode")
SHARES = (0.02, 0.3, 0.55, 0.8, 0.97)
"""Where bytes are cut off and changed, as shares of the length: header, strings, attributes, operations, the end."""


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_whole_is_read(kind):
    assert tl.from_mlir(whole(kind))(np.zeros(3)) == 0.0


@pytest.mark.one_in(2)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_cut_off_is_refused(kind, share):
    with pytest.raises(tl.TapelessError, match=r"<mlir>:1:1: error: the \w+ (of StableHLO )?is damaged"):
        tl.from_mlir(whole(kind)[: max(4, int(share * len(whole(kind))))])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", KINDS)
def test_other_bits_are_refused_or_mean_something_else(kind, share):
    changed = bytearray(whole(kind))
    changed[max(4, int(share * len(changed)))] ^= 0x55
    try:
        tl.from_mlir(bytes(changed))
    except tl.TapelessError as error:
        assert "internal error" not in str(error)


def test_a_crash_of_the_reader_is_a_refusal(monkeypatch):
    command = ["-c", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"]
    run = bytecode.subprocess.run
    monkeypatch.setattr(bytecode.subprocess, "run", lambda given, **rest: run([given[0], *command], **rest))
    with pytest.raises(tl.PipelineError, match="MLIR crashed reading it"):
        tl.from_mlir(whole("bytecode"))


def test_a_file_is_read_in_the_same_way(tmp_path):
    path = tmp_path / "cut.mlirbc"
    path.write_bytes(whole("artifact")[:80])
    with pytest.raises(tl.PipelineError, match=r"cut.mlirbc:1:1: error: the artifact of StableHLO is damaged"):
        tl.from_mlir(path)
