"""Text and bytecode that are nested too deep are refused before MLIR's parser ends the process."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from tapeless.backend.reading.nesting import AFFINE_LIMIT, LIMIT
from tapeless.optimizer.driver import Outcome, optimize
from tapeless.optimizer.settings import Settings
from tapeless.optimizer.source import Source

pytestmark = pytest.mark.one_in(2)

DEEP = 50_000


def attribute(value: str) -> str:
    return f"module attributes {{t.a = {value}}} {{}}\n"


def argument(type_: str) -> str:
    return f"func.func private @f({type_})\n"


def nested(n: int) -> dict[str, str]:
    """One text per way to nest n levels."""
    return {
        "regions": "module {\n" * n + "}\n" * n,
        "generic regions": '"builtin.module"() ({\n' * n + "}) : () -> ()\n" * n,
        "arrays": attribute("[" * n + "]" * n),
        "dictionaries": attribute("{a = " * n + "1" + "}" * n),
        "elements": attribute("dense<" + "[" * n + "1" + "]" * n + "> : tensor<1xi32>"),
        "unknown dialects": attribute("#foo<" + "<" * n + ">" * n + ">"),
        "tuples": argument("tuple<" * n + "f64" + ">" * n),
        "function types": argument("(" * n + ") -> ()" * n),
        "structs": argument("!llvm.struct<(" * n + "f64" + ")>" * n),
        "fused locations": "module {} loc(" + "fused[" * n + '"a":1:1' + "]" * n + ")\n",
        "named locations": "module {} loc(" + '"x"(' * n + '"a":1:1' + ")" * n + ")\n",
        "call sites": "module {} loc(" + "callsite(" * n + '"a":1:1' + ' at "b":1:1)' * n + ")\n",
        "affine brackets": attribute(f"affine_map<(d0) -> ({'(' * n}d0{')' * n})>"),
        "affine signs": attribute(f"affine_map<(d0) -> ({'- ' * n}d0)>"),
        "affine sets": attribute(f"affine_set<(d0) : ({'-' * n}d0 >= 0)>"),
        "aliases": "".join(f"#a{k + 1} = [#a{k}]\n" for k in range(n)).replace("#a0]", "1]") + attribute(f"#a{n}"),
        "type aliases": "!t0 = f64\n" + "".join(f"!t{k + 1} = tuple<!t{k}>\n" for k in range(n)) + argument(f"!t{n}"),
        "late aliases": f"module {{}} loc(#loc{n})\n"
        + "".join(f"#loc{k + 1} = loc(fused[#loc{k}])\n" for k in range(n))
        + '#loc0 = loc("a":1:1)\n',
        "resources": "module {}\n{-#\n dialect_resources: {" + "{" * n + "}" * n + "}\n#-}\n",
    }


SHALLOW = {
    "brackets in strings": attribute('"' + "[" * DEEP + '"'),
    "brackets in comments": "// " + "[" * DEEP + "\nmodule {}\n",
    "many in a row": attribute("[" + ", ".join(["[[1]]"] * DEEP) + "]"),
    "arrows and comparisons": "module {\n" + "func.func private @f() -> f64\n" + "}\n",
    "aliases side by side": "".join(f"#a{k} = [[1]]\n" for k in range(2_000)) + attribute("#a7"),
    "a long affine map": attribute(f"affine_map<(d0) -> ({', '.join(f'd0 mod {k + 2}' for k in range(9_000))})>"),
}


def outcome(text: str | bytes, **settings: object) -> tuple[Outcome, str]:
    log = io.StringIO()
    content = text.encode() if isinstance(text, str) else text
    return optimize(Source("deep.mlir", content), Settings(allow_unregistered=True, **settings), log), log.getvalue()


@pytest.mark.one_in(6)
@pytest.mark.parametrize("what", nested(1))
def test_deep_text_is_refused(what: str) -> None:
    done, log = outcome(nested(DEEP)[what])
    assert not done.succeeded
    assert f"levels deep; the limit is {LIMIT}; write the inner part as a function or a smaller one" in log
    assert log.startswith("deep.mlir:")


@pytest.mark.parametrize("what", nested(1))
def test_text_below_the_limit_is_parsed(what: str) -> None:
    """Whether it is valid is for MLIR to say."""
    _, log = outcome(nested(LIMIT // 5)[what])
    assert "levels deep" not in log


@pytest.mark.parametrize("what", SHALLOW)
def test_what_only_looks_deep(what: str) -> None:
    done, log = outcome(SHALLOW[what])
    assert done.succeeded, log[:300]


def test_long_affine_expressions_are_refused() -> None:
    terms = " + ".join(f"d0 mod {k + 2}" for k in range(60_000))
    done, log = outcome(attribute(f"affine_map<(d0) -> ({terms})>"))
    assert not done.succeeded
    assert f"an affine expression of 119999 operations; the limit is {AFFINE_LIMIT}; write a shorter one" in log


def test_split_sources_name_the_line_of_the_whole() -> None:
    text = "module {}\n// -----\nmodule {}\n// -----\n" + nested(DEEP)["arrays"]
    done, log = outcome(text, split_marker="// -----")
    assert not done.succeeded
    assert log.startswith("deep.mlir:5:")


def test_reproducers_are_checked() -> None:
    trailer = '{-#\n external_resources: {\n mlir_reproducer: {\n pipeline: "builtin.module(cse)"\n }\n }\n#-}\n'
    done, log = outcome(nested(DEEP)["arrays"] + trailer, run_reproducer=True)
    assert not done.succeeded
    assert "levels deep" in log


def test_bytecode_is_checked() -> None:
    levels = 2 * LIMIT
    deep = f'"t.op"() {{a = {"[" * levels}{"]" * levels}}} : () -> ()'
    script = "from tapeless._mlir import ir\nfrom tapeless.passes.driver.assembly import bytecode\nimport sys\n"
    script += "context = ir.Context()\ncontext.allow_unregistered_dialects = True\n"
    script += f"module = ir.Module.parse({deep!r}, context)\nsys.stdout.buffer.write(bytecode(module.operation))\n"
    written = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
    done, log = outcome(written)
    assert not done.succeeded
    assert f"the limit is {LIMIT}" in log


@pytest.mark.one_in(4)
@pytest.mark.parametrize("way", ["file", "stdin"])
def test_the_program_ends_with_a_diagnostic(way: str, tmp_path: Path) -> None:
    path, text = tmp_path / "deep.mlir", nested(10_000)["regions"]
    path.write_text(text)
    command = [str(Path(sys.executable).with_name("tapeless-opt")), str(path) if way == "file" else "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "error: nested 10000 levels deep" in done.stderr
