"""LLVM function attributes: what may be assumed of the runtime's functions, and how our own are compiled."""

from __future__ import annotations

from tapeless._mlir import func, ir

Facts = tuple[str | tuple[str, str], ...]

# LLVM's number for functions that change only memory of their own.
OWN_MEMORY = str(0b1100)

# What LLVM may assume of the runtime's functions: (function attributes, attributes of the result).
RUNTIME_FACTS: dict[str, tuple[Facts, str | None]] = {
    "tl_alloc": (
        ("nounwind", ("allockind", "9"), ("allocsize", "4294967295"), ("alloc-family", "tl_alloc")),
        "{llvm.noalias, llvm.nonnull, llvm.align = 64 : i64}",
    ),
    "tl_free": (("nounwind", "willreturn", ("allockind", "4"), ("alloc-family", "tl_alloc")), None),
    "tl_fail": (("nounwind", "noreturn", "cold"), None),
    "tl_report": (("nounwind", "willreturn", ("memory", OWN_MEMORY)), None),
    "tl_note": (("nounwind", "cold"), None),
    "tl_check_stack": (("nounwind",), None),
    "tl_watch_floats": (("nounwind", "willreturn"), None),
    "tl_saw_infinite": (("nounwind", "willreturn"), None),
    "tl_flush_denormals": (("nounwind", "willreturn"), None),
    "tl_parallel": (("nounwind",), None),
}


def annotate(function: ir.Operation, vector_bits: int) -> None:
    """Adds the attributes that fit a function of the llvm dialect."""
    name = ir.StringAttr(function.attributes["sym_name"]).value
    if name in RUNTIME_FACTS:
        annotate_declaration(function, *RUNTIME_FACTS[name])
    elif len(function.regions[0].blocks):
        annotate_definition(function, vector_bits)


def annotate_declaration(function: ir.Operation, facts: Facts, result_facts: str | None) -> None:
    """What the runtime promises."""
    add_facts(function, facts)
    if result_facts is not None:
        function.attributes["res_attrs"] = ir.ArrayAttr.get([ir.Attribute.parse(result_facts)])


def annotate_definition(function: ir.Operation, vector_bits: int) -> None:
    """Our functions never unwind; those whose arguments carry no-alias facts are not inlined, which would lose them."""
    facts: Facts = ("nounwind", ("prefer-vector-width", str(vector_bits)), ("no-trapping-math", "true"))
    knows_aliases = "arg_attrs" in function.attributes and "llvm.noalias" in str(function.attributes["arg_attrs"])
    add_facts(function, (*facts, "noinline") if knows_aliases else facts)


def add_facts(function: ir.Operation, facts: Facts) -> None:
    """Appends to the attributes that the translation to LLVM IR passes through."""
    present = ir.ArrayAttr(function.attributes["passthrough"]) if "passthrough" in function.attributes else ()
    function.attributes["passthrough"] = ir.ArrayAttr.get([*present, *map(attribute_of, facts)])


def attribute_of(fact: str | tuple[str, str]) -> ir.Attribute:
    """A flag, or a name with a value."""
    if isinstance(fact, str):
        return ir.StringAttr.get(fact)
    return ir.ArrayAttr.get([ir.StringAttr.get(part) for part in fact])


_OF_ARRAYS = "bcmp bcopy bzero memchr memcmp memcpy memmove memset strlen"
_OF_NUMBERS = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs fdim floor "
    "fma fmax fmaximum fmaximum_num fmin fminimum fminimum_num fmod frexp hypot ldexp lgamma llrint llround log log10 "
    "log1p log2 lrint lround modf nearbyint pow remainder rint round roundeven sin sincos sincospi sinh sqrt tan tanh "
    "tgamma trunc"
)
_OF_THE_SYSTEM = "abort calloc exit free malloc printf puts realloc"
LIBRARY = frozenset(
    {*_OF_ARRAYS.split(), *_OF_THE_SYSTEM.split()}
    | {name + kind for name in _OF_NUMBERS.split() for kind in ("", "f", "l")}
)
SUFFIX = "__own"


def keep_apart(module: ir.Module, functions: list[func.FuncOp]) -> None:
    """Renames those of these functions, and what refers to them, whose names are the library's."""
    for function in functions:
        name = ir.StringAttr(function.attributes["sym_name"]).value
        if name in LIBRARY:
            ir.SymbolTable.replace_all_symbol_uses(name, name + SUFFIX, module.operation)
            function.attributes["sym_name"] = ir.StringAttr.get(name + SUFFIX)
