"""The command `tapeless cache`: lists and removes compiled kernels in the cache."""

from __future__ import annotations

import re
import time

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tapeless.cli.printable import printable

SIZE_UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}


class ByteSize(click.ParamType):
    """A number of bytes, with K, M or G for multiples of 1024."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+)([KMG]?)", str(value).upper())
        if match is None:
            self.fail(f"{value!r} is no size; write a number of bytes such as 4096, 200K, 64M or 1G", param, ctx)
        return int(match[1]) * SIZE_UNITS[match[2]]


@click.group()
def cache() -> None:
    """List or remove compiled kernels.

    \b
      tapeless cache list
      tapeless cache prune --keep 100M
    """


@cache.command("list")
def list_kernels() -> None:
    """Show every cached kernel, the one used last first.

    \b
      tapeless cache list
    """
    from tapeless.backend.cache import list_entries

    entries = list_entries()
    table = Table("kernel", "KiB", "last used")
    for entry in entries:
        used = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.last_used))
        described = ", ".join(f"{name} {value}" for name, value in entry.description.items())
        table.add_row(Text(printable(described or entry.path.stem)), f"{entry.size / 1024:.1f}", used)
    console = Console()
    if entries:
        console.print(table)
    _say(console, f"{len(entries)} kernels in {{}}")


@cache.command("prune")
@click.option("--keep", type=ByteSize(), default=0, help="Keep the newest kernels up to this size, such as 64M.")
def prune_kernels(keep: int) -> None:
    """Remove the kernels used longest ago; all of them unless --keep says otherwise.

    \b
      tapeless cache prune
      tapeless cache prune --keep 1G
    """
    from tapeless.backend.cache import prune

    _say(Console(), f"{prune(keep)} kernels removed from {{}}")


def _say(console: Console, text: str) -> None:
    """A sentence about the folder, or why there is none."""
    from tapeless.backend.cache_folder import OWN_FOLDER, NoFolder, folder

    try:
        sentence = text.format(folder())
    except NoFolder as error:
        sentence = f"no kernels are kept: {error}; {OWN_FOLDER}"
    console.print(Text(printable(sentence)), soft_wrap=True)
