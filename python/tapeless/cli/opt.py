"""`tapeless-opt`: runs passes on IR, with the flags of mlir-opt."""

from __future__ import annotations

import re
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any

import click

from tapeless.cli.opt_arguments import MlirStyleCommand
from tapeless.cli.opt_options import OPTIONS
from tapeless.errors import TapelessError

PLACED = re.compile(r".*:\d+:\d+: error: ")
Given = dict[str, Any]
HELP = """Runs passes of Tapeless and of MLIR on a module and prints the result.

Every pass and named pipeline is a flag, run in the order given: --soac-fuse --canonicalize=max-iterations=3;
--list-passes shows them, and --help after such a flag explains it. Flags may have one dash or two.

\b
  tapeless-opt f.mlir --core --mlir-print-ir-after-all
  tapeless-opt f.mlir --ad-wrap="infn=f outfn=df mode=vjp wrt=0,2 method=coarsened" --cpu --emit=asm
  tapeless-opt f.mlir --stablehlo-to-core --ad-wrap="infn=main mode=grad" --cuda-nvvm --emit=ptx --target=cuda:sm_90"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the program and exits: 0 if all went well, else 1."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = _warn
            status = COMMAND.main(arguments, prog_name="tapeless-opt", standalone_mode=False)
    except click.ClickException as error:
        status = _fail(error.format_message(), arguments)
    except click.Abort:
        status = _fail("interrupted", arguments)
    except TapelessError as error:
        status = _fail(str(error), arguments)
    except BrokenPipeError:
        sys.stdout = None
        status = 1
    except OSError as error:
        status = _fail(f"cannot write '{error.filename}': {error.strerror}", arguments)
    except Exception as error:
        message = f"internal error: {type(error).__name__}: {error}; run again with --debug for the traceback"
        status = _fail(message, arguments)
    sys.exit(status)


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: object = None,
) -> None:
    click.echo(f"tapeless-opt: warning: {message}", err=True)


def _fail(message: str, arguments: Sequence[str]) -> int:
    click.echo(message if PLACED.match(message) else f"tapeless-opt: error: {message}", err=True)
    if {"--debug", "-debug"} & set(arguments):
        traceback.print_exc()
    return 1


def _run(**given: Any) -> int:
    """Answers a question about the program, or optimizes."""
    from tapeless.cli.opt_listing import LISTINGS
    from tapeless.optimizer.output import write_output

    if given["show_dialects"] is not None:
        from tapeless.dialects.describe import describe

        write_output(given["output"], describe(given["show_dialects"] or _named_source(given)).encode())
        return 0
    for name, listing in LISTINGS.items():
        if given[name]:
            write_output(given["output"], listing().encode())
            return 0
    return _optimize(given)


def _named_source(given: Given) -> str:
    """The argument after `--show-dialects`; there is no file to read."""
    return "" if given["source"] == "-" else str(given["source"])


def _optimize(given: Given) -> int:
    from tapeless.cli.opt_settings import settings_from
    from tapeless.optimizer.driver import optimize
    from tapeless.optimizer.output import STDOUT, write_output
    from tapeless.optimizer.source import Source

    settings = settings_from(given)
    if given["dump_pass_pipeline"]:
        click.echo(f"Pass Manager with {len(settings.pipeline.elements)} passes:\n{settings.pipeline}", err=True)
    outcome = optimize(Source.read(given["source"]), settings, sys.stderr)
    if outcome.succeeded or given["output"] == STDOUT:
        write_output(given["output"], outcome.output)
    return 0 if outcome.succeeded else 1


COMMAND = MlirStyleCommand(
    "tapeless-opt",
    params=OPTIONS,
    callback=_run,
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
