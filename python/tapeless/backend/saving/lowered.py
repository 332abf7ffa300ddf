"""Bundles of modules that went through all passes: what callers have to know, the passes have left on the function."""

from __future__ import annotations

from dataclasses import replace

from tapeless._mlir import ir
from tapeless.abi import ATTRIBUTE, INTERFACE_ATTRIBUTE, SITES_ATTRIBUTE, sites_from_json, sites_to_json
from tapeless.backend.codegen.emission import check_translated, emitted_as
from tapeless.backend.codegen.llvm import Machine
from tapeless.backend.compile import contract_of, generate
from tapeless.backend.saving import cpu, cuda
from tapeless.backend.saving.c_names import symbol_of
from tapeless.backend.targets import TARGETS
from tapeless.passes.diagnostics import place_of
from tapeless.passes.driver.base import OpRefused
from tapeless.runtime.bundle.contents import SavedTarget
from tapeless.runtime.bundle.cpu import NATIVE
from tapeless.runtime.bundle.cuda import saved_target
from tapeless.runtime.bundle.made import bundle_of
from tapeless.runtime.interface import Interface
from tapeless.runtime.structures import Structure
from tapeless.signature import REQUIRED, Parameter

BUFFER = "-"
"""What MLIR calls a text that came from no file."""


def bundle(module: ir.Module, machine: Machine, target: str | None, file: str) -> bytes:
    """The bundle of the only kernel of a module that was read from a file; `target` is the name of the machine."""
    emitted = emitted_as(module)
    kernel = _only_kernel(module, emitted.pipeline)
    check_translated(module, emitted)
    _name_file(module, file)
    abi = contract_of(module).abi
    structure: Structure = tuple(range(len(abi.results))) if len(abi.results) != 1 else 0
    interface = _interface(kernel, emitted.target, file, module)
    return bundle_of(interface, abi, structure, (_saved(module, machine, target, interface, structure),))


def _only_kernel(module: ir.Module, pipeline: str) -> ir.Operation:
    kernels = [op.operation for op in module.body if ATTRIBUTE in op.operation.attributes]
    if not kernels:
        raise OpRefused(module.operation, f"has no function to call; run {pipeline} before a bundle is made")
    if len(kernels) > 1:
        names = ", ".join(f"@{ir.StringAttr(each.attributes['sym_name']).value}" for each in kernels)
        raise OpRefused(
            module.operation,
            f"has the functions {names}, and a bundle has one; make the others private before {pipeline}",
        )
    if INTERFACE_ATTRIBUTE not in kernels[0].attributes:
        raise OpRefused(kernels[0], f"has no {INTERFACE_ATTRIBUTE}; run {pipeline}, which leaves it there")
    return kernels[0]


def _interface(kernel: ir.Operation, target: str, file: str, module: ir.Module) -> Interface:
    known, place = ir.DictAttr(kernel.attributes[INTERFACE_ATTRIBUTE]), place_of(kernel.location)
    sites = contract_of(module).sites
    return Interface(
        name=ir.StringAttr(kernel.attributes["sym_name"]).value,
        doc=None,
        file=file if place is None or place.file == BUFFER else place.file,
        line=place.line if place else 1,
        parameters=tuple(Parameter(ir.StringAttr(each).value, None, REQUIRED) for each in known["names"]),
        target=target,
        threads=ir.IntegerAttr(known["threads"]).value or 1,
        checks="off" if not sites else "on" if any(site.ends for site in sites) else "status",
    )


def _name_file(module: ir.Module, file: str) -> None:
    """Gives places where a call can fail the name of the file."""
    attributes = module.operation.attributes
    if SITES_ATTRIBUTE in attributes:
        sites = sites_from_json(ir.StringAttr(attributes[SITES_ATTRIBUTE]).value)
        named = [replace(site, file=file) if site.file == BUFFER else site for site in sites]
        attributes[SITES_ATTRIBUTE] = ir.StringAttr.get(sites_to_json(named), module.context)


def _saved(
    module: ir.Module, machine: Machine, target: str | None, interface: Interface, structure: Structure
) -> SavedTarget:
    if interface.target == "cpu":
        return cpu.generated(target or NATIVE, module, structure, interface, symbol_of(interface.name))
    code = generate(module, machine, TARGETS[interface.target])
    return saved_target(target or cuda.name_of(machine), replace(code, structure=structure))
