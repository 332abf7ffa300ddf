"""Names of the last release work everywhere where names of passes do, warn once, and are listed nowhere."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import tapeless as tl
from tapeless.passes.driver.catalogue import catalogue, explanation
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.renamed import RENAMED
from tapeless.passes.driver.text.resolve import known_names
from tapeless.passes.tables import PASSES, PIPELINES

MODULE = "func.func @f(%x: f64) -> f64 {\n  return %x : f64\n}\n"


def test_new_names_are_those_of_passes_and_old_ones_are_free() -> None:
    assert set(RENAMED.values()) <= {*PASSES, *PIPELINES}
    assert not set(RENAMED) & {*PASSES, *PIPELINES}


def test_old_names_are_listed_nowhere() -> None:
    assert not set(RENAMED) & ({entry.name for entry in catalogue()} | set(known_names()))


@pytest.mark.parametrize("old", sorted(RENAMED))
def test_a_pipeline_with_an_old_name_is_that_with_the_new_one(old: str) -> None:
    with pytest.warns(FutureWarning, match=f"'{old}' is called '{RENAMED[old]}'"):
        pipeline = PassPipeline.parse(f"builtin.module({old},canonicalize)")
    assert str(pipeline) == str(PassPipeline.parse(f"builtin.module({RENAMED[old]},canonicalize)"))


def test_an_old_name_has_the_help_of_the_new_one() -> None:
    with pytest.warns(FutureWarning):
        assert explanation("soac-spread") == explanation("soac-distribute-nests")


def test_an_old_name_is_a_stage() -> None:
    kernel = tl.compile(lambda x: x + 1.0, (tl.f64,))
    with pytest.warns(FutureWarning):
        assert kernel.ir("soac-contract") == kernel.ir("soac-mark-fma")


def test_a_name_of_now_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PassPipeline.parse("builtin.module(soac-distribute-nests)")


def test_the_command_takes_old_names_and_warns_once(tmp_path: Path) -> None:
    file = tmp_path / "f.mlir"
    file.write_text(MODULE)
    command = [str(Path(sys.executable).parent / "tapeless-opt"), "--soac-contract", "--soac-contract"]
    done = subprocess.run(
        [*command, "--mlir-print-ir-after=soac-contract", str(file)], capture_output=True, text=True, check=True
    )
    assert "func.func @f" in done.stdout
    assert done.stderr.count("'soac-contract' is called 'soac-mark-fma'") == 1
    assert "IR Dump After soac-mark-fma" in done.stderr
