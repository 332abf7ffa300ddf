"""Arguments in mlir-opt's style: one or two dashes, one flag per pass, switches that may carry a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

SHORT = ("o", "h", "p")
HELP_OPTIONS = {"-h", "--help"}
PASS_OPTION = "--pass="
PLUGIN_OPTION = "load-pass-plugin"


class MlirStyleCommand(click.Command):
    """A click command that also takes passes as flags, in order, as values of its hidden option `--pass`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Rewrites the arguments into the form that click understands, then parses them."""
        options = {name.lstrip("-"): param for param in self.get_params(ctx) for name in param.opts}
        load_plugins(args)
        arguments = list(normalise(args, options))
        passes = [argument.removeprefix(PASS_OPTION) for argument in arguments if argument.startswith(PASS_OPTION)]
        if passes and HELP_OPTIONS & set(arguments):
            _explain(passes)
            ctx.exit(0)
        return super().parse_args(ctx, arguments)


def load_plugins(arguments: Sequence[str]) -> None:
    """Adds the passes of the plugins that are named, before flags are taken for passes."""
    for position, argument in enumerate(arguments):
        name, equals, value = argument.lstrip("-").partition("=")
        if argument == "--":
            return
        if argument.startswith("-") and name == PLUGIN_OPTION:
            from tapeless.passes.driver.plugins import load_plugin

            path = value if equals else next(iter(arguments[position + 1 :]), "")
            load_plugin(Path(path))


def normalise(arguments: Sequence[str], options: Mapping[str, click.Parameter]) -> Iterator[str]:
    """Arguments as click expects them; raises UsageError for a flag that is neither an option nor a pass."""
    for position, argument in enumerate(arguments):
        if argument == "--":
            yield from arguments[position:]
            return
        if argument == "-" or not argument.startswith("-"):
            yield argument
        else:
            yield from _flag(argument, options)


def _flag(argument: str, options: Mapping[str, click.Parameter]) -> Iterator[str]:
    name, equals, value = argument.lstrip("-").partition("=")
    if name in SHORT:
        yield f"-{name}"
        if equals:
            yield value
    elif f"--{name}" in HELP_OPTIONS:
        yield f"--{name}"
    elif name in options:
        yield f"--{name}{equals}{value}" if equals else f"--{name}{_implied_value(options[name])}"
    else:
        yield f"{PASS_OPTION}{_element(argument, name, value, options)}"


def _implied_value(option: click.Parameter) -> str:
    """The implied value of a switch without one; nothing for options that take the next argument."""
    implied = option.flag_value if isinstance(option, click.Option) and not option.is_flag else None
    return f"={implied}" if isinstance(implied, str) else ""


def _element(argument: str, name: str, value: str, options: Mapping[str, click.Parameter]) -> str:
    """The pipeline element that a flag stands for: `--cse`, `--canonicalize={max-iterations=3}`."""
    from tapeless.passes.driver.text.resolve import is_known, known_names, missing_pipeline
    from tapeless.spelling import nearest

    if not is_known(name):
        if (missing := missing_pipeline(name)) is not None:
            raise click.UsageError(missing)
        match = nearest(name, [*options, *known_names()])
        hint = f"; did you mean '--{match}'?" if match else "; see --help and --list-passes"
        raise click.UsageError(f"unknown command line argument '{argument}'{hint}")
    if not value or value.startswith("{"):
        return name + value
    return f"{name}{{{value}}}"


def _explain(elements: Sequence[str]) -> None:
    from tapeless.passes.driver.catalogue import explanation

    for element in elements:
        click.echo(explanation(element.partition("{")[0]))
