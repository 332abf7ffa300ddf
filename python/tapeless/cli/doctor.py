"""The command `tapeless doctor`: checks this installation and its machine."""

from __future__ import annotations

import contextlib
import importlib.metadata
import platform
import sys
from collections.abc import Callable

import click
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from tapeless.cli.printable import LAYOUT, printable
from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True)
class Finding:
    """The outcome of one check: the finding, or why it failed."""

    title: str
    text: str
    healthy: bool


def package_version() -> str:
    """The version; both distributions have the same files, so that one overwrites the other."""
    version = importlib.metadata.version("tapeless")
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        other = importlib.metadata.version("tapeless-runtime")
        raise RuntimeError(
            f"tapeless {version} and tapeless-runtime {other} are both installed; remove both and install one again"
        )
    return version


def python_version() -> str:
    return f"{platform.python_version()} on {platform.system()} {platform.machine()}"


def mlir_provider() -> str:
    from tapeless._mlir import PROVIDER

    distribution = importlib.metadata.packages_distributions()[PROVIDER][0]
    return f"{distribution} {importlib.metadata.version(distribution)}"


def code_generator() -> str:
    import llvmlite
    from llvmlite import binding

    llvm = ".".join(map(str, binding.llvm_version_info))
    return f"llvmlite {llvmlite.__version__}, LLVM {llvm}, CPU {binding.get_host_cpu_name()}"


def numpy_version() -> str:
    return importlib.metadata.version("numpy")


def runtime_library() -> str:
    from tapeless.runtime.library import library_path, load_library

    library = load_library()
    return f"{library_path()}, {library.tl_default_threads()} threads, {library.tl_memory_limit() >> 20} MiB of memory"


def kernel_cache() -> str:
    """Where kernels are kept; a machine without a place for them compiles in every process."""
    from tapeless.backend.cache import list_entries
    from tapeless.backend.cache_folder import OWN_FOLDER, folder, obstacle

    if reason := obstacle():
        return f"none, every process compiles anew: {reason}; {OWN_FOLDER}"
    return f"{folder()}, {len(list_entries())} kernels"


def gpu() -> str:
    """The GPU that kernels for `target="cuda"` would run on; most machines have none."""
    from tapeless.errors import TargetError
    from tapeless.runtime.cuda.driver import driver

    try:
        found = driver()
    except TargetError as error:
        return f"none: {error}"
    return f"sm_{found.capability[0]}{found.capability[1]}, {found.memory_bytes >> 20} MiB of memory"


def compile_and_run() -> str:
    from tapeless.cli.self_check import self_check

    return self_check()


CHECKS: dict[str, Callable[[], str]] = {
    "Tapeless": package_version,
    "Python": python_version,
    "MLIR": mlir_provider,
    "code generator": code_generator,
    "numpy": numpy_version,
    "C runtime": runtime_library,
    "kernel cache": kernel_cache,
    "NVIDIA GPU": gpu,
    "self check": compile_and_run,
}


def examine() -> list[Finding]:
    """Every check of `CHECKS`; one that fails does not keep the others from running."""
    return [_examine_one(title, check) for title, check in CHECKS.items()]


def _examine_one(title: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(title, check(), healthy=True)
    except Exception as error:
        return Finding(title, f"{type(error).__name__}: {error}", healthy=False)


@click.command()
def doctor() -> None:
    """Check this installation; the exit code is 1 when something is wrong.

    \b
      tapeless doctor
    """
    findings = examine()
    table = Table("part", "", Column("found", overflow="fold"))
    for finding in findings:
        table.add_row(
            finding.title, "[green]ok" if finding.healthy else "[red]failed", Text(printable(finding.text, LAYOUT))
        )
    Console().print(table)
    sys.exit(not all(finding.healthy for finding in findings))
