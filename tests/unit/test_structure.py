"""Imports go one way through the package, and never in a circle."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import pytest

import structure

# What the modules of a part may import besides their own part; a part is a folder, or what stands at the top.
ALLOWED = {
    "top": set(),
    "dialects": {"top"},
    "passes.diagnostics": {"top"},
    "passes.marks": set(),
    "passes.driver": {"top", "dialects", "passes.diagnostics", "passes.tables"},
    "passes.rules": {"top", "dialects"},
    "passes.ir": {"top", "dialects", "passes.marks", "passes.driver"},
    "passes.soac": {"top", "dialects", "passes.marks", "passes.driver", "passes.ir"},
    "passes.rev": {"top", "dialects", "passes.marks", "passes.driver", "passes.ir", "passes.ad"},
    "passes.phi": {"top", "dialects", "passes.driver", "passes.rules", "passes.ir"},
    "passes.ad": {
        "top",
        "dialects",
        "passes.marks",
        "passes.diagnostics",
        "passes.driver",
        "passes.rules",
        "passes.ir",
        "passes.soac",
        "passes.phi",
    },
    "passes.lower": {
        "top",
        "dialects",
        "passes.marks",
        "passes.diagnostics",
        "passes.driver",
        "passes.ir",
        "passes.soac",
    },
    # Recipes stand above all that they are beside; nothing but the tables of passes knows them.
    "passes.recipes": {"top", "dialects", "passes.marks", "passes.driver", "passes.ir", "passes.soac", "passes.lower"},
    "passes.imports": {"top", "dialects", "passes.driver", "passes.ir"},
    "passes.gpu_passes": {"passes.driver", "passes.soac", "passes.lower", "passes.recipes"},
    "passes.tables": {
        "top",
        "passes.driver",
        "passes.rev",
        "passes.soac",
        "passes.ad",
        "passes.lower",
        "passes.recipes",
        "passes.phi",
        "passes.imports",
        "passes.gpu_passes",
    },
    "passes": {"passes.tables"},
    "frontend": {"top", "dialects"},
    "runtime": {"top"},
    "backend": {"top", "dialects", "passes", "runtime"},
    "api": {"top", "frontend", "backend", "runtime"},
    "optimizer": {"top", "dialects", "passes", "backend"},
    "cli": {"top", "dialects", "passes", "runtime", "backend", "optimizer", "tapeless"},
    "gradbench": {"top", "tapeless"},
    "__main__": {"cli"},
    "tapeless": {"top", "api", "runtime"},
}

# The rooms of the frontend, and the files that stand between them: each uses only what comes before it.
FRONTEND = (
    "syntax",
    "values",
    "elementwise",
    "handlers",
    "session",
    "translator",
    "structures",
    "arrays",
    "indexing",
    "control",
    "operators",
    "expressions",
    "library",
    "composed",
    "calls",
    "statements",
    "transforms",
    "reversible",
    "language",
)
for position, room in enumerate(FRONTEND):
    ALLOWED[f"frontend.{room}"] = {"top", "dialects", *(f"frontend.{each}" for each in FRONTEND[:position])}

# The folders of the lowering: each uses only those before it, and those beside it.
LOWERING = (
    ("math",),
    ("llvm",),
    ("vectorise",),
    ("arithmetic",),
    ("cells",),
    ("peel", "repeat", "parts", "hoist"),
    ("launches",),
    # Core IR to loops: where arrays live, in which form operators run, and the emission of these forms.
    ("storage",),
    ("schedule",),
    ("loops",),
    ("blocks",),
    ("scans",),
    ("grid",),
    ("emission",),
    ("sections", "records", "in_block", "tiles", "nvvm"),
)
for position, rooms in enumerate(LOWERING):
    before = {f"passes.lower.{each}" for level in LOWERING[: position + 1] for each in level}
    for room in rooms:
        ALLOWED[f"passes.lower.{room}"] = (ALLOWED["passes.lower"] | before) - {"passes.lower"}


def part(module: str) -> str:
    """The longest entry of the table that a module belongs to."""
    name = module.removeprefix("tapeless").removeprefix(".")
    parts = [each for each in ALLOWED if name == each or name.startswith(f"{each}.")]
    return max(parts, key=len) if parts else "top" if name else "tapeless"


@pytest.mark.parametrize("name", ALLOWED)
def test_imports_go_one_way(name):
    allowed = {name, *ALLOWED[name]}
    found = {(module, each) for module, used in structure.imports().items() if part(module) == name for each in used}
    wrong = [(module, each) for module, each in found if not any(is_within(part(each), one) for one in allowed)]
    assert wrong == []


def is_within(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(f"{outer}.")


def test_every_folder_of_the_lowering_has_its_place():
    named = {module.split(".")[3] for module in structure.files() if module.startswith("tapeless.passes.lower.")}
    assert named == {room for rooms in LOWERING for room in rooms}


def test_no_module_imports_itself_in_a_circle():
    try:
        TopologicalSorter(structure.imports()).prepare()
    except CycleError as error:
        pytest.fail(f"imports go in a circle: {' -> '.join(error.args[1])}")
