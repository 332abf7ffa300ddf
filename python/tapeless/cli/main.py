"""`tapeless`: compiles functions, runs saved kernels, and looks after an installation."""

from __future__ import annotations

import click

from tapeless.cli.cache import cache
from tapeless.cli.compile import compile_function
from tapeless.cli.doctor import doctor
from tapeless.cli.inspect import extract_parts, inspect_bundle
from tapeless.cli.run import run_bundle


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tapeless")
def main() -> None:
    """Compile and differentiate numerical programs without a tape."""


main.add_command(cache)
main.add_command(compile_function, "compile")
main.add_command(doctor)
main.add_command(extract_parts)
main.add_command(inspect_bundle)
main.add_command(run_bundle)
