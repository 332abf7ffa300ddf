"""Which pages the site has, and in which order."""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).parent.parent
ROOT = DOCS.parent
# Pages that are made from the tables of the package.
GENERATED = ("language", "api", "errors")
# The chapters of the manual; all other pages of `docs/` follow under the last title.
CHAPTERS = {
    "Start here": ("tutorial", "coming_from", "snippets"),
    "Reference": (
        "language",
        "api",
        "errors",
        "transformations",
        "names",
        "numbers",
        "calling",
        "structures",
        "sparse",
        "seeing",
        "type_checkers",
    ),
    "Methods of differentiation": (
        "which-method",
        "method_redundant",
        "method_reversible",
        "method_coarsened",
        "papers",
    ),
    "Elsewhere": (
        "gradients_for_your_mlir",
        "inside_jax_and_pytorch",
        "saved_kernels",
        "c_and_fortran",
        "command_line",
        "mlir_to_kernels",
        "stablehlo",
        "gpu",
        "gpu_runtime",
        "gpu_results",
        "gradbench",
        "tapeless-opt",
        "results",
        "slower",
    ),
}
REST = "How it works inside"


def written_pages() -> list[str]:
    """The pages that lie in `docs/`."""
    return sorted(page.stem for page in DOCS.glob("*.md"))


def chapters() -> dict[str, list[str]]:
    """All pages of the site by chapter."""
    known = {*written_pages(), *GENERATED}
    placed = {page for pages in CHAPTERS.values() for page in pages}
    if missing := placed - known:
        raise LookupError(f"docs/site/contents.py names pages that do not exist: {', '.join(sorted(missing))}")
    return {**{title: list(pages) for title, pages in CHAPTERS.items()}, REST: sorted(known - placed)}
