"""Every pass in the tables follows the conventions, and every pipeline can be written and read back."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tapeless.passes
from tapeless.passes import PASSES, PIPELINES
from tapeless.passes.ad.forward import jvp as forward
from tapeless.passes.ad.redundant import method as redundant
from tapeless.passes.driver.base import Nested, Upstream
from tapeless.passes.driver.catalogue import catalogue, explanation
from tapeless.passes.driver.options import make_pass, pass_options
from tapeless.passes.driver.pass_table import ImportTable
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.upstream import is_registered, natural_anchor, parse_manager
from tapeless.passes.driver.upstream_table import CHOICES, LIST_OPTIONS, SUMMARIES
from tapeless.passes.lower.emission import forms, lower_loops
from tapeless.passes.lower.math import functions
from tapeless.passes.lower.math.libm import Guarded
from tapeless.passes.lower.storage.aliases import analysis
from waiting import HANG_SECONDS

# Passes whose folder keeps its own name: the file of the pass is called so.
STEMS = {
    "lower-stage-in-shared-memory": "records",
    "lower-speculate-guards": "repeat",
    "lower-scalar-replacement": "carried_cells",
    "lower-fuse-reductions": "carried_sums",
    "lower-nontemporal-stores": "streams",
    "lower-expand-vector-sqrt": "roots",
    "lower-merge-functions": "merge_parts",
    "lower-outline-sections": "sections",
    "lower-tile-contractions": "tiles",
    "lower-loops": "lower_loops",
}


@pytest.mark.parametrize("name", sorted(PASSES))
def test_pass_follows_the_conventions(name):
    pass_class = PASSES[name]
    family, _, stem = name.partition("-")
    assert pass_class.name == name
    homes = (f"tapeless.passes.{family}.", f"tapeless.passes.imports.{family}.")
    assert pass_class.__module__.startswith(homes)
    # `raise` is a word of Python, so its module is called `raise_`.
    assert pass_class.__module__.removesuffix("_").endswith(f".{STEMS.get(name, stem.replace('-', '_'))}")
    assert dataclasses.is_dataclass(pass_class)
    with pytest.raises(dataclasses.FrozenInstanceError):
        pass_class().name = ""
    assert pass_class.__doc__ and not pass_class.__doc__.startswith(pass_class.__name__ + "(")
    assert make_pass(pass_class, pass_options(pass_class()), "") == pass_class()
    assert pass_class.__doc__.split()[0] in explanation(name)


def test_every_pass_in_the_folders_is_in_the_table():
    declaration = re.compile(r'^    name(?:: ClassVar\[str\])? = "([a-z]+-[a-z-]+)"$', re.MULTILINE)
    sources = [path.read_text() for path in Path(tapeless.passes.__file__).parent.glob("*/**/*.py")]
    declared = {name for source in sources for name in declaration.findall(source)}
    assert declared == {name for name in PASSES if not name.startswith("example-")}


@pytest.mark.parametrize("name", sorted(PIPELINES))
def test_pipeline_is_made_of_known_passes(name):
    elements = PIPELINES[name]
    assert all(isinstance(e, Upstream | Nested) or PASSES[e.name] is type(e) for e in elements)
    pipeline = PassPipeline(elements)
    assert PassPipeline.parse(str(pipeline)) == pipeline == PassPipeline.named(name)


@pytest.mark.parametrize("name", sorted(PIPELINES))
def test_pipeline_keeps_the_order_that_passes_ask_for(name):
    """Whatever a pass must follow comes before it, at every place where it stands, if the pipeline has it at all."""
    order = [element.name for element in PIPELINES[name] if not isinstance(element, Nested)]
    wrong = [
        (each, before, why)
        for place, each in enumerate(order)
        if each in PASSES
        for before, why in getattr(PASSES[each], "after", {}).items()
        if before in order and before not in order[:place]
    ]
    assert wrong == []


@pytest.mark.parametrize("name", sorted(PASSES))
def test_order_is_about_other_passes_and_says_why(name):
    after = getattr(PASSES[name], "after", {})
    assert all(before in PASSES and before != name for before in after)
    assert all(len(why.split()) > 2 and not why.endswith(".") for why in after.values())


def test_passes_of_gpus_are_imported_for_gpus():
    program = """
import sys
from tapeless.passes import PIPELINES
def are_there(): return "tapeless.passes.lower.launches.launches" in sys.modules
PIPELINES["cpu"], PIPELINES["cpu-sequential"], sorted(PIPELINES)
assert not are_there()
PIPELINES["cuda"]
assert are_there()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_names_do_not_hide_upstream_passes():
    assert [name for name in (*PASSES, *PIPELINES) if is_registered(name)] == []


def test_mlir_has_every_upstream_pass_of_the_table():
    assert [name for name in SUMMARIES if not is_registered(name)] == []


def option_cases():
    for name, options in LIST_OPTIONS.items():
        yield from ((name, option, "func.func(cse)" if option == "op-pipelines" else "1") for option in options)
    for (name, option), choices in CHOICES.items():
        yield from ((name, option, choice) for choice in choices)


@pytest.mark.parametrize(("name", "option", "value"), list(option_cases()))
def test_mlir_accepts_every_option_of_the_table(name, option, value):
    parse_manager(f"{natural_anchor(name) or 'builtin.module'}({name}{{{option}={value}}})")


def test_catalogue_lists_everything_once():
    names = [entry.name for entry in catalogue()]
    assert sorted(names) == sorted([*PASSES, *PIPELINES, *SUMMARIES])


def test_importing_the_tables_loads_no_compiler():
    code = "import sys, tapeless.passes.tables; assert not {'llvmlite', 'click', 'rich'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=HANG_SECONDS)


def test_a_pass_is_imported_when_it_is_looked_up():
    code = """
import sys
from tapeless.passes import PASSES
assert "ad-lift" in PASSES and not {"tapeless.passes.ad.prepare.lift", "tapeless.passes.ad.requests"} & set(sys.modules)
assert PASSES["ad-lift"].name == "ad-lift" and "tapeless.passes.ad.prepare.lift" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=HANG_SECONDS)


TABLES = {
    "passes": PASSES,
    "forward": forward.RULES,
    "adjoints": redundant.BACK_RULES,
    "values before adjoints": redundant.FORWARD_RULES,
    "operators": forms.OPEN,
    "forms": forms.FORMS,
    "emission": lower_loops.RULES,
    "parts": lower_loops.PART_RULES,
    "aliases": analysis.RULES,
    "functions": functions.INLINED,
    "guarded functions": functions.GUARDED,
    "marked functions": functions.MARKED,
}


@pytest.mark.parametrize("name", TABLES)
def test_every_entry_of_a_table_is_where_the_table_says(name):
    assert isinstance(TABLES[name], ImportTable)
    assert all(callable(each) or isinstance(each, Guarded) for each in TABLES[name].values())


def test_an_entry_is_imported_when_it_is_looked_up():
    table = ImportTable("lower", {"there": "math.functions.INLINED", "not there": "math.nowhere.nothing"})
    assert list(table) == ["there", "not there"] and len(table) == 2
    assert table["there"] is functions.INLINED
    with pytest.raises(ModuleNotFoundError):
        table["not there"]
    with pytest.raises(KeyError):
        table["other"]
    table["other"] = functions.MARKED
    del table["not there"]
    assert list(table) == ["there", "other"] and "not there" not in table
