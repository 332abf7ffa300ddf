"""Loading dialects that are written in Python into MLIR contexts."""

from __future__ import annotations

from functools import cache
from io import BytesIO

from tapeless._mlir import ext, ir, irdl

Dialects = tuple[type[ext.Dialect], ...]

# What passes make operations of. Loading every upstream dialect takes four times as long; reading a text that uses
# others and running upstream passes loads these when they are met.
UPSTREAM = ("arith", "cf", "func", "irdl", "llvm", "math", "memref", "scf", "tensor", "vector")
# Without this the bindings look for the module of a dialect on disk each time they wrap one of its operations.
ext._cext.globals.append_dialect_search_prefix("tapeless.dialects")


def context_with(dialects: Dialects) -> ir.Context:
    """A fresh context with threads off and some dialects loaded.

    Threads stay off because verifiers and effects written in Python deadlock under MLIR's thread pool. Any number of
    contexts can be alive at once, and the operation classes work in all of them; types and attributes belong to one.
    """
    context = ir.Context(load_on_create_dialects=UPSTREAM)
    context.enable_multithreading(False)
    load(context, dialects)
    return context


def load(context: ir.Context, dialects: Dialects) -> None:
    """Adds dialects to a context that has none of them."""
    definitions = ir.Module.parse(_definitions(dialects), context)
    _register_classes(dialects)
    with context:
        irdl.load_dialects(definitions)
        for dialect in dialects:
            _attach(dialect)


@cache
def _definitions(dialects: Dialects) -> bytes:
    """The definitions of dialects as bytecode, because reading it is many times faster than making it."""
    with ir.Context(load_on_create_dialects=["irdl"]), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            for dialect in dialects:
                dialect._emit_dialect()
        bytecode = BytesIO()
        module.operation.write_bytecode(bytecode)
        return bytecode.getvalue()


@cache
def _register_classes(dialects: Dialects) -> None:
    """Tells the bindings, once per process, which Python class stands for which operation."""
    for dialect in dialects:
        ext._cext.globals._register_dialect_impl(dialect.DIALECT_NAMESPACE, dialect, replace=True)
        for operation in dialect.operations:
            ext._cext.register_operation(dialect, replace=True)(operation)
            ext._cext.register_op_adaptor(operation, replace=True)(operation.Adaptor)


def _attach(dialect: type[ext.Dialect]) -> None:
    """Attaches traits, verifiers and the classes of types to the current context."""
    for operation in dialect.operations:
        operation._attach_traits()
    for type_ in dialect.types:
        ext._cext.register_type_caster(ir.DynamicType.lookup_typeid(type_.type_name), replace=True)(type_)
    for attribute in dialect.attributes:
        ext._cext.register_type_caster(ir.DynamicAttr.lookup_typeid(attribute.attr_name), replace=True)(attribute)
