"""`tapeless compile`: a function of a Python file, or its derivative, as a saved kernel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tapeless.cli.printable import printable
from tapeless.cli.reporting import reported
from tapeless.cli.source import function_named, signature
from tapeless.methods import IMPLEMENTED
from tapeless.targets import GENERATIONS

TRANSFORMS = {
    "grad": "Compile the gradient of the function.",
    "value_and_grad": "Compile its value together with the gradient.",
    "jacfwd": "Compile its Jacobian, by forward mode.",
    "jacrev": "Compile its Jacobian, by reverse mode.",
    "hessian": "Compile its second derivative.",
}
HELP = """Compile FUNCTION of FILE.py and save it as a bundle.

\b
  tapeless compile model.py:loss --grad -o gradient.tlk
  tapeless compile model.py:loss --value-and-grad --argnums w,b --target x86_64-avx2 --target aarch64
  tapeless compile model.py:norm --signature "f64[:], i64" --checks off

The file is run as an import would run it. Parameters without annotations need --signature."""


def _transform_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, text in reversed(TRANSFORMS.items()):
        option = click.option(f"--{name.replace('_', '-')}", "transforms", flag_value=name, multiple=True, help=text)
        command = option(command)
    return command


@click.command(help=HELP)
@click.argument("function", metavar="FILE.py:FUNCTION")
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
@click.option("--symbol", metavar="NAME", help="The name of the function in C.")
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
    output: Path | None,
    **options: Any,
) -> None:
    import tapeless as tl

    if len(transforms) > 1:
        raise click.UsageError(f"give one of {', '.join(f'--{name}'.replace('_', '-') for name in transforms)}")
    if not transforms and (argnums or loss):
        raise click.UsageError(f"{'--argnums' if argnums else '--loss'} needs a derivative; give --grad or another")
    chosen = {name: value for name, value in (*options.items(), ("method", method)) if value}
    with reported():
        wanted = function_named(function)
        if transforms:
            wanted = getattr(tl, transforms[0])(wanted, **_differentiation(argnums, loss, method))
        kernel = tl.compile(wanted, None if types is None else signature(types), **chosen)
        path = output or Path(f"{kernel.__name__}.tlk")
        kernel.save(path, targets or None, symbol)
    click.echo(printable(f"{path}: {path.stat().st_size} bytes, {', '.join(targets) or 'native'}; {kernel!r}"))


def _differentiation(argnums: str | None, loss: str | None, method: str | None) -> dict[str, Any]:
    given = {"argnums": argnums and _parameters(argnums), "loss": loss and _parameter(loss), "method": method}
    return {name: value for name, value in given.items() if value is not None}


def _parameters(text: str) -> Any:
    """A name or number stands for one parameter, a list of them for a tuple."""
    names = tuple(_parameter(each.strip()) for each in text.split(","))
    return names if "," in text else names[0]


def _parameter(text: str) -> str | int:
    return int(text) if text.lstrip("-").isdecimal() else text
