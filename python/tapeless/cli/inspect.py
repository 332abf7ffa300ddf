"""The commands `tapeless inspect` and `tapeless extract`: the contents of a saved kernel, and its parts as files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from tapeless.cli.printable import LAYOUT, printable
from tapeless.cli.reporting import reported
from tapeless.runtime.bundle.choose import first_that_runs, obstacle, read_bundle
from tapeless.runtime.bundle.contents import VERSION, Bundle, SavedTarget
from tapeless.runtime.bundle.cpu import HEADER, OBJECT
from tapeless.runtime.load import read_file

PLAN, PTX = "plan.json", "kernels.ptx"
SHOWN_LETTERS = 16


@click.command("inspect")
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option("--target", metavar="NAME", help="Show this target or kind of target alone.")
@click.option("--header", "part", flag_value=HEADER, help="Print the C header.")
@click.option("--plan", "part", flag_value=PLAN, help="Print the launch plan of a GPU kernel.")
@click.option("--ptx", "part", flag_value=PTX, help="Print the PTX of a GPU kernel.")
def inspect_bundle(bundle: Path, target: str | None, part: str | None) -> None:
    """Show the contents of BUNDLE: its signature, its targets with their parts, and whether they run here.

    \b
      tapeless inspect gradient.tlk
      tapeless inspect gradient.tlk --header > gradient.h

    Nothing of it is loaded or run.
    """
    with reported():
        contents = read_bundle(read_file(str(bundle)), str(bundle))
        targets = _chosen(contents, bundle, target)
        if part is None:
            click.echo(
                "\n".join(printable(line) for line in described(contents, bundle, bundle.stat().st_size, targets))
            )
        else:
            click.echo(printable(_text_of(part, targets, bundle), LAYOUT), nl=False)


def _chosen(contents: Bundle, path: Path, wanted: str | None) -> list[SavedTarget]:
    targets = [target for target in contents.targets if wanted in (None, target.name, target.kind)]
    if not targets:
        held = ", ".join(target.name for target in contents.targets)
        raise click.ClickException(f"{path} has no target '{wanted}'; it has {held or 'none'}")
    return targets


def _text_of(part: str, targets: list[SavedTarget], path: Path) -> str:
    for target in targets:
        if part in target.parts:
            return _readable(part, target.parts[part].decode(errors="replace"))
    held = sorted({name for target in targets for name in target.parts})
    raise click.ClickException(f"{path} has no {part}; its parts are {', '.join(held)}")


def _readable(part: str, text: str) -> str:
    try:
        return f"{json.dumps(json.loads(text), indent=2)}\n" if part == PLAN else text
    except (ValueError, RecursionError):
        return text


def described(contents: Bundle, path: Path, size: int, targets: list[SavedTarget]) -> Iterator[str]:
    interface = contents.interface
    yield f"{path}: bundle version {VERSION}, saved by Tapeless {contents.made_by}, {size} bytes"
    yield f"  {contents.signature}"
    yield f"  from {interface.file}:{interface.line}; threads {interface.threads}, checks {interface.checks}"
    if interface.doc and (lines := interface.doc.strip().splitlines()):
        yield f"  {lines[0]}"
    for target in targets:
        reason = obstacle(target)
        yield f"{target.name} ({target.kind}): {'runs here' if reason is None else f'does not run here: {reason}'}"
        if target.details.get("symbol"):
            yield f"  in C: {target.details['symbol']}"
        for (part, data), digest in zip(target.parts.items(), target.digests(), strict=True):
            yield f"  {part:20} {len(data):>9} bytes  sha256 {digest[:SHOWN_LETTERS]}"


@click.command("extract")
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option("--target", metavar="NAME", help="The target or kind of target; by default the first that runs here.")
@click.option("-o", "folder", type=click.Path(path_type=Path), default=Path("."), help="The folder to write to.")
def extract_parts(bundle: Path, target: str | None, folder: Path) -> None:
    """Write the parts of BUNDLE as files: object, shared library and header for C, or PTX and plan.

    \b
      tapeless extract gradient.tlk -o parts
      tapeless extract gradient.tlk --target cuda -o parts

    Code for this machine comes with the C runtime that it calls.
    """
    from tapeless.runtime.bundle.extract import extract
    from tapeless.runtime.library import library_path

    with reported():
        contents = read_bundle(read_file(str(bundle)), str(bundle))
        named = [each for each in contents.targets if each.name == target]
        chosen = named[0] if named else first_that_runs(contents, str(bundle), target)
        files = extract(chosen, folder)
        if OBJECT in chosen.parts and obstacle(chosen) is None:
            files.append(Path(shutil.copy(library_path(), folder)))
    click.echo("\n".join(printable(str(file)) for file in files))
