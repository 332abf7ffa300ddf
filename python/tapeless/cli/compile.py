"""`tapeless compile`: a function of a Python file or of a module of MLIR, or its derivative, saved or as code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tapeless.cli.printable import printable
from tapeless.cli.reporting import reported
from tapeless.cli.source import float_parameters, function_named, is_mlir, signature
from tapeless.methods import IMPLEMENTED
from tapeless.targets import GENERATIONS

TRANSFORMS = {
    "grad": "Compile the gradient of the function.",
    "value_and_grad": "Compile its value together with the gradient.",
    "jacfwd": "Compile its Jacobian, by forward mode.",
    "jacrev": "Compile its Jacobian, by reverse mode.",
    "hessian": "Compile its second derivative.",
}
HELP = """Compile FUNCTION of a Python file or of a module of MLIR, and save it as a bundle.

\b
  tapeless compile model.py:loss --grad -o gradient.tlk
  tapeless compile model.py:loss --value-and-grad --argnums w,b --target x86_64-avx2 --target aarch64
  tapeless compile model.py:norm --signature "f64[:], i64" --checks off
  tapeless compile model.mlir:main --grad --target cuda:sm_90
  tapeless compile model.mlir:main --grad --target cuda:sm_90 --emit ptx -o gradient.ptx

A Python file is run as an import would run it; parameters without annotations need --signature. Functions of modules
are differentiated by every float argument unless --argnums says otherwise; a module alone stands for its main.

With --emit, code is written in place of a bundle, to the standard output where it is text: LLVM IR, assembly and object
files of processors have the C function called --symbol, GPUs have LLVM IR, PTX and a plan of launches."""
BUNDLE = "bundle"
# Kinds of code, with the ends of the files that hold those which are no text.
EMITTED = {BUNDLE: ".tlk", "llvm-ir": None, "asm": None, "obj": ".o", "ptx": None, "plan": None}


def _transform_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, text in reversed(TRANSFORMS.items()):
        option = click.option(f"--{name.replace('_', '-')}", "transforms", flag_value=name, multiple=True, help=text)
        command = option(command)
    return command


@click.command(help=HELP)
@click.argument("function", metavar="FILE:FUNCTION")
@_transform_options
@click.option(
    "--argnums", metavar="NAMES", help="What to differentiate by: names or numbers of parameters, as w,b or 0."
)
@click.option("--loss", metavar="NAME", help="The parameter of a reversible procedure that holds the loss.")
@click.option("--method", type=click.Choice(tuple(IMPLEMENTED)), help="How derivatives are made.")
@click.option("--signature", "types", metavar="TYPES", help='Types of the parameters: "f64[:], f64[:, 3], i64".')
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="What to compile for; several are allowed: native (the default), x86_64-avx512, x86_64-avx2, x86_64, aarch64, "
    f"or a GPU: {', '.join(f'cuda:{each}' for each in GENERATIONS)}.",
)
@click.option("--threads", type=click.IntRange(1), help="How many threads one call may use.")
@click.option("--checks", type=click.Choice(["on", "off"]), help="Checks of indices and the like; on by default.")
@click.option("--fastmath", is_flag=True, help="Let float operations be reordered and approximated.")
@click.option("--denormals", type=click.Choice(["keep", "flush"]), help="Denormal numbers as they are, or as zeros.")
@click.option("--recipes", type=click.Choice(["on", "off"]), help="Passes for one kind of program each; on by default.")
@click.option("--symbol", metavar="NAME", help="The name of the function in C.")
@click.option("--emit", "kind", type=click.Choice(tuple(EMITTED)), default=BUNDLE, help="What to write.")
@click.option("-o", "output", type=click.Path(path_type=Path), help="The file to write; FUNCTION.tlk by default.")
def compile_function(
    function: str,
    transforms: tuple[str, ...],
    argnums: str | None,
    loss: str | None,
    method: str | None,
    types: str | None,
    targets: tuple[str, ...],
    symbol: str | None,
    kind: str,
    output: Path | None,
    **options: Any,
) -> None:
    import tapeless as tl

    if len(transforms) > 1:
        raise click.UsageError(f"give one of {', '.join(f'--{name}'.replace('_', '-') for name in transforms)}")
    if not transforms and (argnums or loss):
        raise click.UsageError(f"{'--argnums' if argnums else '--loss'} needs a derivative; give --grad or another")
    if kind != BUNDLE and len(targets) > 1:
        raise click.UsageError(f"--emit {kind} writes code for one target; give one, or save a bundle with all of them")
    chosen = {name: value for name, value in (*options.items(), ("method", method)) if value}
    with reported():
        wanted = function_named(function)
        if transforms:
            by = _parameters(argnums) if argnums else _all_floats(wanted) if is_mlir(function) else None
            wanted = getattr(tl, transforms[0])(wanted, **_differentiation(by, loss, method))
        kernel = tl.compile(wanted, None if types is None else signature(types), **chosen)
        if kind == BUNDLE:
            made = kernel.to_bytes(targets or None, symbol)
        else:
            made = kernel.emit(kind, targets[0] if targets else None, symbol)
        path = _output(output, kind, kernel.__name__)
        if path is None:
            click.echo(made, nl=False)
            return
        path.write_bytes(made)
    shown = repr(kernel).removeprefix("<kernel ").rpartition(" for ")[0]
    click.echo(printable(f"{path}: {len(made)} bytes, {shown} for {', '.join(targets) or 'this machine'}"))


def _output(given: Path | None, kind: str, name: str) -> Path | None:
    """The file to write; None for standard output, where texts go that nobody names a file for."""
    suffix = EMITTED[kind]
    return given or (Path(f"{name}{suffix}") if suffix else None)


def _differentiation(by: Any, loss: str | None, method: str | None) -> dict[str, Any]:
    given = {"argnums": by, "loss": loss and _parameter(loss), "method": method}
    return {name: value for name, value in given.items() if value is not None}


def _all_floats(function: Any) -> Any:
    """All arguments of a function of a module that have derivatives, as `argnums` takes them."""
    found = float_parameters(function)
    return found[0] if len(found) == 1 else found or None


def _parameters(text: str) -> Any:
    """A name or number stands for one parameter, a list of them for a tuple."""
    names = tuple(_parameter(each.strip()) for each in text.split(","))
    return names if "," in text else names[0]


def _parameter(text: str) -> str | int:
    return int(text) if text.lstrip("-").isdecimal() else text
