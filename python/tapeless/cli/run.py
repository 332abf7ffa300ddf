"""`tapeless run`: calls a saved kernel with arrays from a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from tapeless.cli.printable import LAYOUT, printable
from tapeless.cli.reporting import reported
from tapeless.signature import REQUIRED
from tapeless.spelling import nearest_or_all

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

    Results are called result, or result0, result1, result1_0 where the function returns tuples. Without --out they are
    printed.
    """
    import numpy as np

    import tapeless as tl

    with reported():
        kernel = tl.load(bundle, target)
        values = _arguments(arguments, kernel.interface.parameters) if arguments else {}
        if missing := [each.name for each in kernel.interface.parameters if _is_missing(each, values)]:
            raise click.ClickException(f"{_where(arguments)} for {', '.join(missing)}; {HOW}")
        results = dict(named_results(kernel(**values)))
        if out:
            with open(out, "wb") as file:
                np.savez(file, **results)
    for name, value in results.items():
        shape = f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else type(value).__name__
        click.echo(printable(f"{name}: {shape}" if out else f"{name} = {value}", LAYOUT))


def _is_missing(parameter: Any, values: Mapping[str, Any]) -> bool:
    return parameter.name not in values and parameter.default is REQUIRED


def _where(arguments: Path | None) -> str:
    return f"{arguments} has nothing" if arguments else "there are no values"


def _arguments(path: Path, parameters: Sequence[Any]) -> dict[str, Any]:
    """Values by the names of parameters."""
    names = [parameter.name for parameter in parameters]
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


def named_results(value: Any, name: str = "result") -> Iterator[tuple[str, Any]]:
    """Results by name, as the C function of a kernel names them."""
    if not isinstance(value, tuple):
        yield name, value
        return
    for position, part in enumerate(value):
        yield from named_results(part, f"{name}{position}" if name == "result" else f"{name}_{position}")
