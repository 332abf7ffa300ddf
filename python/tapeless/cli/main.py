"""`tapeless`: looks after an installation and its compiled kernels."""

from __future__ import annotations

import click

from tapeless.cli.cache import cache
from tapeless.cli.doctor import doctor


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tapeless")
def main() -> None:
    """Compile and differentiate numerical programs without a tape."""


main.add_command(cache)
main.add_command(doctor)
