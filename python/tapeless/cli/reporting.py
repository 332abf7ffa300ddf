"""Errors of commands as one message for people, and exit code 1."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from tapeless.cli.printable import LAYOUT, printable
from tapeless.errors import TapelessError


@contextmanager
def reported() -> Iterator[None]:
    """Inside, errors with a remedy, and those of files, end the command with their message."""
    try:
        yield
    except (TapelessError, MemoryError) as error:
        raise click.ClickException(printable(f"{type(error).__name__}: {error}", LAYOUT)) from error
    except OSError as error:
        raise click.ClickException(printable(f"{error.filename or 'a file'}: {error.strerror or error}")) from error
    except click.ClickException as error:
        text = printable(error.message, LAYOUT)
        if text == error.message:
            raise
        raise click.ClickException(text) from error
