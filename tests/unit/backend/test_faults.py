"""A fault of the compiler becomes `tl.InternalError`: what failed, the user's line, a file that reproduces it."""

# The annotations are types of the language.
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless._mlir import ir
from tapeless.backend.codegen import native
from tapeless.backend.faults import reproducers
from tapeless.cli.opt import main
from tapeless.passes import PASSES
from tapeless.passes.driver.base import OpRefused

PASS = "soac-fuse"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path / "kernels"))
    monkeypatch.setattr("tapeless.api.program._in_use", {})
    return tmp_path / "kernels" / reproducers.FOLDER


@pytest.fixture
def program() -> tl.TapelessFunction:
    @tl.function
    def square(x: tl.f64[:]) -> tl.f64[:]:
        return x * tl.exp(x)

    return square


def fail_with(monkeypatch: pytest.MonkeyPatch, error: type[BaseException] | BaseException) -> None:
    def run(self: Any, module: ir.Module) -> None:
        op = next(op for op in module.body.operations[0].entry_block.operations if op.operation.name == "soac.map")
        raise OpRefused(op, "is not welcome") if error is OpRefused else error

    monkeypatch.setattr(PASSES[PASS], "run", run)


def opt(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return int(stopped.value.code or 0)


BUGS = [KeyError("k"), AssertionError(), RecursionError("deep"), RuntimeError("r"), ValueError("v"), StopIteration()]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: type(bug).__name__)
def test_bugs_of_a_pass(
    program: tl.TapelessFunction,
    own_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    bug: Exception,
) -> None:
    fail_with(monkeypatch, bug)
    with pytest.raises(tl.InternalError) as caught:
        program(np.ones(3))
    error = caught.value
    first, source, *_ = str(error).split("\n")
    line = program.source.line + 1
    assert first.startswith(f"{__file__}:{line}:") and f"internal error in pass '{PASS}': {type(bug).__name__}" in first
    assert source.strip() == "return x * tl.exp(x)"
    assert error.stage == f"pass '{PASS}'"
    assert type(error.__cause__) is type(bug) and error.__cause__.__traceback__ is not None
    assert error.reproducer is not None and error.reproducer.parent == own_folder
    assert str(error.reproducer) in str(error)
    assert opt("--run-reproducer", str(error.reproducer)) == 1
    assert f"internal error in pass '{PASS}': {type(bug).__name__}" in capfd.readouterr().err
    monkeypatch.undo()
    assert opt("--run-reproducer", str(error.reproducer), "-o", "/dev/null") == 0


PASSED_ON = {
    KeyboardInterrupt: KeyboardInterrupt,
    SystemExit: SystemExit,
    MemoryError: MemoryError,
    tl.NoRuleError: tl.NoRuleError,
    tl.ShapeMismatch: tl.ShapeMismatch,
    tl.ArgumentError: tl.ArgumentError,
    OpRefused: tl.FrontendError,
}


@pytest.mark.parametrize("error", PASSED_ON, ids=lambda error: error.__name__)
def test_what_is_no_fault_goes_through(
    program: tl.TapelessFunction, own_folder: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    fail_with(monkeypatch, error)
    with pytest.raises(PASSED_ON[error]) as caught:
        program(np.ones(3))
    assert not isinstance(caught.value, tl.InternalError)
    assert not own_folder.exists()


def test_the_pass_that_broke_the_ir_is_named(program: tl.TapelessFunction, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler verifies nothing between passes, so the damage shows in a later one."""

    def break_ir(self: Any, module: ir.Module) -> None:
        with ir.InsertionPoint.at_block_begin(module.body.operations[0].entry_block):
            ir.Operation.create("soac.yield")

    def stumble(self: Any, module: ir.Module) -> None:
        raise KeyError("soac.yield")

    monkeypatch.setattr(PASSES[PASS], "run", break_ir)
    monkeypatch.setattr(PASSES["soac-factor"], "run", stumble)
    with pytest.raises(tl.InternalError, match=f"pass '{PASS}', which left IR that does not verify") as caught:
        program(np.ones(3))
    assert isinstance(caught.value.__cause__, ir.MLIRError)


WORK = {
    "call": lambda f: f(np.ones(3)),
    "compile": lambda f: tl.compile(f),
    "gradient": lambda f: tl.jacrev(f)(np.ones(3)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("work", WORK)
def test_faults_of_the_code_generator(
    program: tl.TapelessFunction, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], work: str
) -> None:
    def link(object_code: bytes) -> None:
        raise KeyError("section")

    monkeypatch.setattr(native, "link", link)
    with pytest.raises(tl.InternalError, match="internal error in the code generator: KeyError") as caught:
        WORK[work](program)
    error = caught.value
    assert f"{__file__}:{program.source.line}" in str(error) or f"{__file__}:{program.source.line + 1}" in str(error)
    assert isinstance(error.__cause__, KeyError)
    assert opt("--run-reproducer", str(error.reproducer)) == 1
    assert "internal error in the code generator: KeyError" in capfd.readouterr().err
    monkeypatch.undo()
    assert opt("--run-reproducer", str(error.reproducer), "-o", "/dev/null") == 0


def test_other_ways_into_the_compiler(program: tl.TapelessFunction, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = tl.compile(program)
    fail_with(monkeypatch, KeyError("k"))
    for work in (kernel.asm, kernel.timing, lambda: kernel.ir("llvm")):
        with pytest.raises(tl.InternalError, match=f"pass '{PASS}': KeyError"):
            work()


def test_faults_of_the_frontend_show_the_node(program: tl.TapelessFunction, monkeypatch: pytest.MonkeyPatch) -> None:
    from tapeless.frontend.elementwise import application

    def lose(*_: Any, **__: Any) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(application, "force", lose)
    monkeypatch.setattr("tapeless.frontend.translator.force", lose)
    with pytest.raises(tl.InternalError, match="internal error in the frontend: KeyError: 'lost'") as caught:
        program(np.ones(3))
    assert f"{__file__}:{program.source.line + 1}:" in str(caught.value)
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.reproducer is None


def test_faults_of_the_frontend_show_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(*_: Any, **__: Any) -> None:
        raise KeyError("lost")

    def square(x: tl.f64[:]) -> tl.f64[:]:
        return x * x

    made = tl.function(square)
    with monkeypatch.context() as patched:
        patched.setattr("tapeless.frontend.syntax.fingerprint.of", lose)
        with pytest.raises(
            tl.InternalError, match=f"{__file__}:{made.source.line}:.*in the frontend: KeyError: 'lost'"
        ):
            made(np.ones(3))
    monkeypatch.setattr("tapeless.frontend.syntax.refusals.check", lose)
    with pytest.raises(tl.InternalError, match=f"{__file__}:{made.source.line}:.*in the frontend: KeyError: 'lost'"):
        tl.function(square)


def test_a_fault_that_comes_again_leaves_one_file_and_many_leave_a_few(own_folder: Path) -> None:
    paths = {reproducers.keep_reproducer("the same") for _ in range(3)}
    assert len(paths) == 1
    for number in range(reproducers.MOST_FILES + 5):
        last = reproducers.keep_reproducer(f"module {number}")
    assert last is not None and last.read_text() == f"module {reproducers.MOST_FILES + 4}"
    assert len(list(own_folder.iterdir())) == reproducers.MOST_FILES
    assert {path.stat().st_mode & 0o777 for path in own_folder.iterdir()} == {0o600}
    assert own_folder.stat().st_mode & 0o777 == 0o700


def test_without_a_folder_for_it_the_error_goes_without_reproducer(
    program: tl.TapelessFunction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(reproducers, "CANDIDATES", [lambda: tmp_path / "file"])
    fail_with(monkeypatch, KeyError("k"))
    with pytest.raises(tl.InternalError, match=f"pass '{PASS}': KeyError") as caught:
        program(np.ones(3))
    assert caught.value.reproducer is None
    assert "--run-reproducer" not in str(caught.value)


def test_a_fault_that_cannot_be_explained_is_still_one(
    program: tl.TapelessFunction, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: Any) -> None:
        raise ValueError("damaged")

    monkeypatch.setattr("tapeless.backend.faults.explanation.find_culprit", stumble)
    fail_with(monkeypatch, KeyError("k"))
    with pytest.raises(tl.InternalError, match=f"pass '{PASS}': KeyError: 'k'") as caught:
        program(np.ones(3))
    assert isinstance(caught.value.__cause__, KeyError)
    monkeypatch.undo()
    monkeypatch.setattr("tapeless.backend.faults.explanation.find_culprit", stumble)
    monkeypatch.setattr(native, "link", stumble)
    with pytest.raises(tl.InternalError, match="internal error: ValueError: damaged") as caught:
        tl.compile(program, threads=2)
    assert isinstance(caught.value.__cause__, ValueError)


def test_the_command_line_says_the_same(
    tmp_path: Path, own_folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "m.mlir"
    source.write_text(
        "func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {\n"
        "  %y = math.exp %x : tensor<2xf64>\n  return %y : tensor<2xf64>\n}\n",
    )

    def run(self: Any, module: ir.Module) -> None:
        op = module.body.operations[0].entry_block.operations[0]
        {}[op.operation.name]

    monkeypatch.setattr(PASSES[PASS], "run", run)
    assert opt(str(source), "--canonicalize", f"--{PASS}", "--cse") == 1
    shown = capfd.readouterr().err
    (file,) = own_folder.iterdir()
    assert f"{source}:2:8: error: internal error in pass '{PASS}': KeyError: 'math.exp'" in shown
    assert f"tapeless-opt --run-reproducer {file}" in shown
    assert opt(str(file), "--run-reproducer") == 1
    assert len(list(own_folder.iterdir())) == 1
