"""The options of `tapeless-opt`, spelt as mlir-opt spells them."""

from __future__ import annotations

from pathlib import Path

import click

ON = "true"
BUNDLE = "bundle"
# What code is written as, beside IR: spelt out here, because the code generators take a while to import.
EMITTED = ("llvm-ir", "asm", "obj", "ptx", "plan", BUNDLE)


def _switch(name: str, text: str, default: bool = False) -> click.Option:
    """An option that can stand alone or be given a value: `--mlir-timing`, `--verify-each=false`."""
    return click.Option([f"--{name}"], type=bool, default=default, is_flag=False, flag_value=ON, metavar="", help=text)


def _names(name: str, text: str) -> click.Option:
    return click.Option([f"--{name}"], multiple=True, metavar="PASS,...", help=text)


def _path(name: str, text: str) -> click.Option:
    return click.Option([f"--{name}"], type=click.Path(path_type=Path), metavar="PATH", help=text)


OPTIONS: list[click.Parameter] = [
    click.Argument(["source"], default="-", metavar="[FILE]"),
    click.Option(["-o", "output"], default="-", metavar="FILE", help="Write the result there; '-' is standard output."),
    click.Option(["--pass-pipeline", "-p"], metavar="TEXT", help="Run builtin.module(a{x=1},func.func(b),c)."),
    click.Option(["--pass", "elements"], multiple=True, hidden=True),
    click.Option(
        ["--split-input-file"],
        is_flag=False,
        flag_value="// -----",
        metavar="[=MARKER]",
        help="Treat what stands between '// -----' lines as separate modules.",
    ),
    click.Option(
        ["--verify-diagnostics"],
        is_flag=False,
        flag_value="all",
        type=click.Choice(["all", "only-expected"]),
        metavar="[=all|only-expected]",
        help="Compare diagnostics with 'expected-error {{...}}' comments.",
    ),
    click.Option(
        ["--load-pass-plugin"],
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="FILE.py",
        help="Add the passes of a Python file with PASSES = [...].",
    ),
    _switch("verify-each", "Verify after every pass (on unless =false).", default=True),
    _switch("verify-roundtrip", "Print what was parsed as text and as bytecode, and compare what these parse to."),
    _switch("no-implicit-module", "Put no module around a source that has none."),
    _switch("allow-unregistered-dialect", "Accept operations of unknown dialects."),
    _names("mlir-print-ir-before", "Print IR before these passes."),
    _names("mlir-print-ir-after", "Print IR after these passes."),
    _switch("mlir-print-ir-before-all", "Print IR before every pass."),
    _switch("mlir-print-ir-after-all", "Print IR after every pass."),
    _switch("mlir-print-ir-after-change", "Print IR after a pass only if the pass changed it."),
    _switch("mlir-print-ir-after-failure", "Print IR only after a pass that failed."),
    _switch("mlir-print-ir-module-scope", "Print the whole module, not only what the pass ran on."),
    _path("mlir-print-ir-tree-dir", "Print IR into a tree of files under this folder."),
    _switch("mlir-print-debuginfo", "Print locations."),
    _switch("mlir-pretty-debuginfo", "Print locations in a short form that does not parse."),
    _switch("mlir-print-op-generic", "Print the generic form."),
    _switch("mlir-print-local-scope", "Print without aliases."),
    click.Option(
        ["--mlir-elide-elementsattrs-if-larger"],
        type=click.IntRange(min=0),
        metavar="N",
        help="Print '...' for constants with more elements.",
    ),
    _switch("mlir-timing", "Print how long each pass takes."),
    click.Option(
        ["--mlir-timing-display"],
        type=click.Choice(["list", "tree"]),
        default="tree",
        help="Times sorted and summed by name, or nested as the pipeline is.",
    ),
    _path("mlir-pass-pipeline-crash-reproducer", "Leave a file that reproduces a failure."),
    _switch("mlir-pass-pipeline-local-reproducer", "Reduce the reproducer to the pass that failed."),
    _switch("run-reproducer", "Run the pipeline stored in a reproducer."),
    _switch("emit-bytecode", "Write bytecode."),
    click.Option(
        ["--emit"],
        type=click.Choice(EMITTED),
        help="Write code of what the passes leave: the llvm dialect (--cpu) as LLVM IR, assembly or an object file, "
        "kernels (--cuda-nvvm) as LLVM IR or PTX, or their plan of launches.",
    ),
    click.Option(
        ["--target"],
        metavar="NAME",
        help="The machine that named pipelines and --emit make code for: native, x86_64-avx2, aarch64, cuda:sm_90, ...",
    ),
    _switch("dump-pass-pipeline", "Print the pipeline on standard error."),
    _switch("list-passes", "List passes and pipelines."),
    click.Option(
        ["--show-dialects"],
        is_flag=False,
        flag_value="",
        metavar="[NAME]",
        help="Describe the dialects of Tapeless, or one dialect or operation.",
    ),
    _switch("emit-irdl", "Write the dialects of Tapeless as IRDL, for mlir-opt --irdl-file."),
    _switch("mlir-disable-threading", "Accepted as by mlir-opt: passes run on one thread in any case."),
    _switch("version", "Print the version."),
    _switch("debug", "Show Python tracebacks."),
]
