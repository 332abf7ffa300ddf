"""Command-line options of `tapeless-opt` as settings of the optimizer."""

from __future__ import annotations

from typing import Any

import click

from tapeless.cli.opt_options import BUNDLE
from tapeless.optimizer.emission import Emission, TargetMachine
from tapeless.optimizer.settings import Printing, Settings
from tapeless.passes.driver.assembly import AssemblyStyle
from tapeless.passes.driver.ir_printer import Selection
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.text.resolve import checked_names, no_settings

Given = dict[str, Any]
ONE_FILE = {"obj": "object file", BUNDLE: "bundle"}


def _pipeline(given: Given) -> PassPipeline:
    text, elements = given["pass_pipeline"], given["elements"]
    settings = _target(given).settings if given["emit"] or given["target"] else no_settings
    if text is None:
        return PassPipeline.of_elements(elements, settings)
    if elements:
        raise click.UsageError("'--pass-pipeline' cannot be used with flags of passes; put them into the pipeline")
    return PassPipeline.parse(text, settings)


def _target(given: Given) -> TargetMachine:
    return TargetMachine(given["target"])


def _emission(given: Given) -> Emission | None:
    kind = given["emit"]
    if kind is None:
        return None
    if given["emit_bytecode"]:
        raise click.UsageError("'--emit' writes code and '--emit-bytecode' IR; leave out one of them")
    if kind in ONE_FILE and given["split_input_file"]:
        raise click.UsageError(f"'--emit={kind}' writes one {ONE_FILE[kind]}; leave out '--split-input-file'")
    return Emission(kind, _target(given))


def settings_from(given: Given) -> Settings:
    """The settings of a run; raises UsageError for options that exclude each other."""
    if given["run_reproducer"] and (given["pass_pipeline"] or given["elements"]):
        raise click.UsageError("'--run-reproducer' takes the pipeline from the file; leave out the passes")
    return Settings(
        pipeline=_pipeline(given),
        run_reproducer=given["run_reproducer"],
        split_marker=given["split_input_file"],
        verify_each=given["verify_each"],
        verify_diagnostics=given["verify_diagnostics"] is not None,
        only_expected=given["verify_diagnostics"] == "only-expected",
        verify_roundtrip=given["verify_roundtrip"],
        implicit_module=not given["no_implicit_module"],
        allow_unregistered=given["allow_unregistered_dialect"],
        emit_bytecode=given["emit_bytecode"],
        emission=_emission(given),
        style=_style(given),
        printing=_printing(given),
        timing=given["mlir_timing"],
        timing_as_list=given["mlir_timing_display"] == "list",
        reproducer=given["mlir_pass_pipeline_crash_reproducer"],
        local_reproducer=given["mlir_pass_pipeline_local_reproducer"],
        debug=given["debug"],
    )


def _printing(given: Given) -> Printing:
    def selection(when: str, implied: bool = False) -> Selection:
        names = checked_names([n for text in given[f"mlir_print_ir_{when}"] for n in text.split(",")])
        return Selection(names, given[f"mlir_print_ir_{when}_all"] or (implied and not names))

    changed, tree = given["mlir_print_ir_after_change"], given["mlir_print_ir_tree_dir"]
    before = selection("before")
    return Printing(
        before=before,
        after=selection("after", implied=changed or (tree is not None and not before)),
        only_on_change=changed,
        only_on_failure=given["mlir_print_ir_after_failure"],
        module_scope=given["mlir_print_ir_module_scope"],
        tree=tree,
    )


def _style(given: Given) -> AssemblyStyle:
    return AssemblyStyle(
        debug_info=given["mlir_print_debuginfo"],
        pretty_debug_info=given["mlir_pretty_debuginfo"],
        generic=given["mlir_print_op_generic"],
        local_scope=given["mlir_print_local_scope"],
        elide_above=given["mlir_elide_elementsattrs_if_larger"],
    )
