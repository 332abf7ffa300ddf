"""IR printing, timing and reproducers around passes."""

from __future__ import annotations

import io
import re

import pytest

from tapeless._mlir import ir
from tapeless.errors import InternalError
from tapeless.passes.driver.faults.reproducer import CrashReproducer, Reproducer, read_reproducer, reproducer_text
from tapeless.passes.driver.ir_printer import IRPrinter, Selection
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.timing import Entry, Timer

REDUNDANT = """
func.func @f(%x: f64) -> f64 {
  %a = arith.addf %x, %x : f64
  %b = arith.addf %x, %x : f64
  %c = arith.mulf %a, %b : f64
  return %c : f64
}
func.func @g() { return }
"""
UNUSED = """
func.func @f(%x: tensor<?xf64>, %n: index) {
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %a: f64):
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}
"""
EVERYTHING = Selection(everything=True)


def dumps(pipeline: str, **settings) -> str:
    stream = io.StringIO()
    PassPipeline.parse(pipeline).run(ir.Module.parse(REDUNDANT), instruments=[IRPrinter(stream, **settings)])
    return stream.getvalue()


def banners(text: str) -> list[str]:
    return re.findall(r"// -----// IR Dump (.*) //----- //", text)


def test_selected_passes_are_printed_before_and_after(context):
    text = dumps("any(cse,canonicalize)", before_passes=Selection(frozenset({"cse"})), after_passes=EVERYTHING)
    assert banners(text) == ["Before cse", "After cse", "After canonicalize"]
    assert [text.split("//----- //")[i].count("arith.addf") for i in (1, 2)] == [2, 1]


def test_only_changes_are_printed(context):
    text = dumps("any(cse,cse,func.func(canonicalize,example-tag))", after_passes=EVERYTHING, only_on_change=True)
    tagged = [f"After example-tag: 'func.func' operation: @{name}" for name in "fg"]
    assert banners(text) == ["After cse", *tagged]


def test_nested_passes_print_their_function_or_the_module(context):
    settings = {"after_passes": EVERYTHING}
    assert dumps("any(func.func(cse))", **settings).count("module {") == 0
    assert dumps("any(func.func(cse))", module_scope=True, **settings).count("module {") == 1


def test_tree_of_files(context, tmp_path):
    assert dumps("any(func.func(cse),canonicalize)", after_passes=EVERYTHING, tree=tmp_path) == ""
    module = tmp_path / "builtin_module_no-symbol-name"
    files = sorted(path.relative_to(module).as_posix() for path in module.rglob("*.mlir"))
    assert files == ["1_canonicalize.mlir", "func_func_f/0_cse.mlir", "func_func_g/0_cse.mlir"]
    assert (module / "func_func_f/0_cse.mlir").read_text().count("arith.addf") == 1


def test_ir_of_a_failed_pass_is_printed(context):
    stream = io.StringIO()
    with pytest.raises(InternalError):
        PassPipeline.parse("any(cse,example-break)").run(
            ir.Module.parse(REDUNDANT), instruments=[IRPrinter(stream, only_on_failure=True)]
        )
    assert banners(stream.getvalue()) == ["After example-break Failed"]


def test_times_are_nested_as_the_pipeline_is():
    timer = Timer([Entry((), "a", 1.0), Entry(("f",), "b", 2.0), Entry(("f",), "a", 4.0)])
    names = re.findall(r"%\)  (.*)", timer.report())
    assert names == ["a", "'f' Pipeline", "  b", "  a", "Rest", "Total"]
    rows = re.findall(r"([\d.]+) \([^)]*\)  (\S+)", timer.report(as_list=True))
    assert rows[:2] == [("5.0000", "a"), ("2.0000", "b")]


def test_times_of_passes_inside_of_passes():
    repeated = Entry((), "a", 10.0, (Entry((), "b", 1.0, (Entry((), "c", 0.5),)), Entry((), "b", 2.0)))
    rows = re.findall(r"([\d.]+) \([^)]*\)  (.*)", Timer([repeated]).report())
    assert rows[:3] == [("10.0000", "a"), ("3.0000", "  b"), ("0.5000", "    c")]
    rows = re.findall(r"([\d.]+) \([^)]*\)  (.*)", Timer([repeated]).report(as_list=True))
    assert rows[:3] == [("7.0000", "a"), ("2.5000", "b"), ("0.5000", "c")]


def test_passes_that_a_pass_runs_are_seen(context):
    timer = Timer()
    PassPipeline.parse("any(soac-simplify)").run(ir.Module.parse(UNUSED), instruments=[timer])
    assert [(entry.name, [inner.name for inner in entry.inner]) for entry in timer.entries] == [
        ("soac-simplify", ["canonicalize", "cse"])
    ]
    stream = io.StringIO()
    printer = IRPrinter(stream, after_passes=EVERYTHING, only_on_change=True)
    PassPipeline.parse("any(example-repeat)").run(ir.Module.parse(REDUNDANT), instruments=[printer])
    tagged = "After example-tag: 'func.func' operation: @f"
    assert banners(stream.getvalue()) == ["After cse", tagged, "After example-repeat"]


def test_a_fault_inside_of_a_pass_is_that_of_the_pass(context, tmp_path):
    crash = CrashReproducer(tmp_path / "crash.mlir", Reproducer("any(cse,example-repeat{crashes})"), local=True)
    module = ir.Module.parse(REDUNDANT)
    with pytest.raises(InternalError, match="internal error in pass 'example-repeat'"):
        PassPipeline.parse(crash.reproducer.pipeline).run(module, instruments=[crash])
    assert read_reproducer(crash.path.read_text()) == Reproducer("builtin.module(example-repeat{crashes=true})")
    assert "in pass 'example-repeat'" in crash.note().message


def test_timer_measures_every_pass(context):
    timer = Timer()
    PassPipeline.parse("any(cse,func.func(example-tag))").run(ir.Module.parse(REDUNDANT), instruments=[timer])
    assert [(entry.anchors, entry.name) for entry in timer.entries] == [((), "cse"), (("func.func",), "example-tag")]
    assert all(entry.seconds > 0 for entry in timer.entries)


@pytest.mark.parametrize("pipeline", ["builtin.module(cse)", 'any(example-tag{label="a \\\' b"})'])
def test_reproducer_reads_back(context, pipeline):
    written = Reproducer(pipeline, verify_each=False)
    text = reproducer_text(ir.Module.parse(REDUNDANT), written)
    assert read_reproducer(text) == written
    assert str(ir.Module.parse(text)) == str(ir.Module.parse(REDUNDANT))


def test_reproducer_of_mlir_opt_with_escapes_and_other_resources():
    entries = 'pipeline: "any(a{x=\\22b c\\22})", disable_threading: true, verify_each: false'
    text = f"module {{}}\n{{-# external_resources: {{ mlir_reproducer: {{ {entries} }}, other: {{ k: true }} }} #-}}"
    assert read_reproducer(text) == Reproducer('any(a{x="b c"})', verify_each=False)


def test_reproducer_of_a_fault_after_the_passes(context):
    written = Reproducer("builtin.module(cse)", generate_code=True)
    assert read_reproducer(reproducer_text(ir.Module.parse(REDUNDANT), written)) == written


def test_text_without_reproducer():
    assert read_reproducer(REDUNDANT) is None
    assert read_reproducer("{-# external_resources: { other: { pipeline: 3 } } #-}") is None


@pytest.mark.parametrize(
    ("local", "pipeline"),
    [(False, "any(cse,func.func(example-break))"), (True, "builtin.module(func.func(example-break))")],
)
def test_crash_reproducer_holds_what_failed(context, tmp_path, local, pipeline):
    crash = CrashReproducer(tmp_path / "crash.mlir", Reproducer("any(cse,func.func(example-break))"), local)
    module = ir.Module.parse(REDUNDANT)
    crash.start(module)
    with pytest.raises(InternalError):
        PassPipeline.parse(crash.reproducer.pipeline).run(module, instruments=[crash])
    text = crash.path.read_text()
    assert read_reproducer(text) == Reproducer(pipeline)
    assert text.count('"arith.addf"') == (1 if local else 2)
    assert "in pass 'example-break' on 'func.func'; reproducer generated at" in crash.note().message
