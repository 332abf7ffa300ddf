"""`tapeless run`: calls a saved kernel with arrays from a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from tapeless.cli.printable import LAYOUT, printable
from tapeless.cli.reporting import reported
from tapeless.cli.source import MLIR
from tapeless.runtime.calling.structured import leaves_like
from tapeless.runtime.interface import Interface
from tapeless.runtime.structures import Structure, word_of
from tapeless.signature import REQUIRED, Parameter
from tapeless.spelling import nearest_or_all
from tapeless.trees import filled, made, named_leaves

HOW = "give them with --args FILE.npz, a file of numpy.savez, by name or in order"
BY_POSITION = re.compile(r"arr_(\d+)")


@click.command("run")
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option(
    "--args",
    "arguments",
    type=click.Path(path_type=Path),
    metavar="FILE.npz",
    help="The arguments: arrays by the names of parameters, or in order as numpy.savez(file, x, y) names them.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE.npz", help="Write results there.")
@click.option("--target", metavar="NAME", help="Take this target or kind of target of the bundle.")
def run_bundle(bundle: Path, arguments: Path | None, out: Path | None, target: str | None) -> None:
    """Call the kernel saved in BUNDLE.

    \b
      python -c "import numpy as np; np.savez('in.npz', x=np.ones(3))"
      tapeless run gradient.tlk --args in.npz
      tapeless run gradient.tlk --args in.npz --out results.npz

    Results are called result, or result0, result1, result1_0 where the function returns tuples. Parts of structures are
    called by their paths, params_w and result_w. Without --out results are printed.
    """
    import numpy as np

    import tapeless as tl

    with reported():
        _check_saved(bundle)
        kernel = tl.load(bundle, target)
        values = _arguments(arguments, _names(kernel.interface)) if arguments else {}
        if missing := list(_missing(kernel.interface, values)):
            raise click.ClickException(f"{_where(arguments)} for {', '.join(missing)}; {HOW}")
        results = _results(kernel.structure, kernel(**_structured(kernel.interface, values)))
        if out:
            with open(out, "wb") as file:
                np.savez(file, **results)
    for name, value in results.items():
        shape = f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else type(value).__name__
        click.echo(printable(f"{name}: {shape}" if out else f"{name} = {value}", LAYOUT))


def _check_saved(bundle: Path) -> None:
    """Functions in source files are saved before they run."""
    file, colon, function = str(bundle).rpartition(":")
    sources = (".py", *MLIR)
    if (file.endswith(sources) or bundle.suffix in sources) and not (colon and bundle.exists()):
        named = f"{file}:{function}" if colon else f"{bundle}:FUNCTION"
        raise click.ClickException(
            f"{bundle} is a source file, and no saved kernel; first write 'tapeless compile {named} -o f.tlk', "
            "then 'tapeless run f.tlk'"
        )


def _parts(interface: Interface) -> Iterator[tuple[Parameter, Any, list[str]]]:
    """The parameters with the structures they take, and the names of their parts in files."""
    takes = interface.takes or tuple(range(len(interface.parameters)))
    for parameter, tree in zip(interface.parameters, takes, strict=True):
        paths = [path for path, _ in named_leaves(tree, parameter.name)]
        yield parameter, tree, [path if path == parameter.name else word_of(path) for path in paths]


def _names(interface: Interface) -> list[str]:
    return [name for _, _, names in _parts(interface) for name in names]


def _missing(interface: Interface, values: Mapping[str, Any]) -> Iterator[str]:
    """The names without values; a parameter with a default may do without all of its own."""
    for parameter, _, names in _parts(interface):
        if parameter.default is REQUIRED or any(name in values for name in names):
            yield from (name for name in names if name not in values)


def _structured(interface: Interface, values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the call, put together from their parts."""
    return {
        parameter.name: made(filled(tree, iter([values[name] for name in names])))
        for parameter, tree, names in _parts(interface)
        if all(name in values for name in names) and (names or parameter.default is REQUIRED)
    }


def _results(structure: Structure, value: Any) -> dict[str, Any]:
    """Results by name, as the C function of a kernel names them."""
    names = [word_of(path) for path, _ in named_leaves(structure, "result")]
    return dict(zip(names, leaves_like(structure, value), strict=True))


def _where(arguments: Path | None) -> str:
    return f"{arguments} has nothing" if arguments else "there are no values"


def _arguments(path: Path, names: Sequence[str]) -> dict[str, Any]:
    """Values by the names of parameters, or of their parts."""
    values: dict[str, Any] = {}
    for key, value in _arrays(path).items():
        name = _parameter_of(key, names, path)
        if name in values:
            raise click.ClickException(f"{path} has '{name}' by its name and by position; keep one of them")
        values[name] = value if value.ndim else value[()]
    return values


def _arrays(path: Path) -> Mapping[str, Any]:
    import numpy as np

    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            return dict(archive)
    except (ValueError, EOFError, TypeError, AttributeError) as error:
        raise click.ClickException(f"{path} is not a file of numpy.savez: {error}") from error
    except Exception as error:  # what the archive raises is no one class
        if isinstance(error, OSError):
            raise
        raise click.ClickException(f"{path} is damaged: {error}") from error


def _parameter_of(key: str, names: Sequence[str], path: Path) -> str:
    if key in names:
        return key
    position = BY_POSITION.fullmatch(key)
    if position is None:
        raise click.ClickException(f"{path} has '{key}', which is no parameter{nearest_or_all(key, names)}")
    if int(position[1]) >= len(names):
        raise click.ClickException(f"{path} has more arrays than the {len(names)} parameters {', '.join(names)}")
    return names[int(position[1])]
