"""`python -m tapeless.gradbench`: answers the messages on standard input until it ends."""

from __future__ import annotations

import os
import sys
from typing import TextIO

import click

from tapeless.gradbench.protocol import Tool
from tapeless.gradbench.settings import TARGETS, Settings, available_threads
from tapeless.methods import DEFAULT, IMPLEMENTED


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--multithreaded", is_flag=True, help="Use all processors; without it, one thread.")
@click.option(
    "--method", type=click.Choice(list(IMPLEMENTED)), default=DEFAULT, show_default=True, help="Of reverse mode."
)
@click.option("--target", type=click.Choice(list(TARGETS)), default="cpu", show_default=True, help="What runs it.")
def main(multithreaded: bool, method: str, target: str) -> None:
    """Run the problems of GradBench: one line of JSON for each line of JSON on standard input."""
    answers = exclusive_output()
    threads = available_threads() if multithreaded else 1
    for line in Tool(Settings(method, target, threads)).answers(sys.stdin):
        answers.write(line + "\n")
        answers.flush()


def exclusive_output() -> TextIO:
    """Standard output for answers alone: other output, also of compiled code, goes to standard error."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


if __name__ == "__main__":
    main()
