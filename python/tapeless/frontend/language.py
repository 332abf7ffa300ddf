"""The language: which function translates each statement, each expression, each operator and each kind of call."""

from __future__ import annotations

import ast

from tapeless.frontend import reversible
from tapeless.frontend.arrays import axes, casts, creation, reshaping
from tapeless.frontend.calls import checkpoints, closures, decorated, imported_calls, opaque_calls, operator_calls
from tapeless.frontend.composed import searching, statistics
from tapeless.frontend.composed.table import COMPOSED
from tapeless.frontend.composed.terms import composed
from tapeless.frontend.control import branches, choices, loops, while_loops
from tapeless.frontend.elementwise import functions, powers
from tapeless.frontend.expressions import atoms, attributes, call_expressions, comprehensions, operator_expressions
from tapeless.frontend.handlers import Handlers
from tapeless.frontend.indexing import subscripts
from tapeless.frontend.operators import (
    joining,
    kept_axes,
    linear_algebra,
    normalisation,
    reductions,
    second_order,
    sorting,
)
from tapeless.frontend.operators.kept_axes import keeping
from tapeless.frontend.statements import assignments, checks, plain_statements
from tapeless.frontend.structures import attributes as parts
from tapeless.frontend.structures import entries
from tapeless.frontend.syntax.comprehensions import Comprehension
from tapeless.frontend.syntax.imported import Imported
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.transforms import calling, losses, making, stop_gradient
from tapeless.frontend.values.value import (
    Checkpointed,
    Closure,
    Component,
    Decorated,
    Opaque,
    Pullback,
    Record,
    Transform,
)
from tapeless.lang import Operator

STATEMENTS = {
    ast.Assign: assignments.assign,
    ast.AnnAssign: assignments.annotated,
    ast.AugAssign: assignments.update,
    ast.For: loops.execute,
    ast.While: while_loops.execute,
    ast.If: branches.execute,
    ast.FunctionDef: plain_statements.nested,
    ast.Return: plain_statements.returned,
    ast.Expr: plain_statements.expression,
    ast.Pass: plain_statements.nothing,
    ast.Assert: checks.asserted,
    ast.Raise: checks.raised,
}

EXPRESSIONS = {
    ast.Constant: atoms.constant,
    ast.Name: atoms.name,
    ast.Tuple: atoms.tuple_,
    ast.List: atoms.tuple_,
    ast.Dict: entries.dict_,
    ast.BinOp: operator_expressions.binary,
    ast.UnaryOp: operator_expressions.unary,
    ast.Compare: operator_expressions.comparison,
    ast.BoolOp: choices.boolean,
    ast.IfExp: choices.conditional,
    ast.Lambda: closures.closure,
    Comprehension: comprehensions.comprehension,
    ast.Attribute: attributes.attribute,
    ast.Subscript: subscripts.read,
    ast.Call: call_expressions.call,
}

OPERATORS = {
    **{name: functions.elementwise(function) for name, function in functions.FUNCTIONS.items()},
    "pow": powers.pow_,
    "minimum": reductions.minimum,  # the scalar functions of these names know nothing of affine integers
    "maximum": reductions.maximum,
    "int": casts.int_,
    "float": casts.float_,
    "bool": casts.bool_,
    "astype": casts.astype,
    "len": attributes.length,
    "zeros": creation.zeros,
    "ones": creation.ones,
    "full": creation.full,
    "zeros_like": creation.zeros_like,
    "ones_like": creation.ones_like,
    "full_like": creation.full_like,
    "iota": creation.iota,
    "linspace": creation.linspace,
    "copy": creation.copy,
    "reshape": reshaping.reshape,
    "transpose": axes.transpose,
    "reverse": axes.reverse,
    "concat": joining.concat,
    "stack": joining.stack,
    "sum": keeping(reductions.total),
    "prod": keeping(reductions.prod),
    "mean": keeping(reductions.mean),
    "min": keeping(reductions.min_),
    "max": keeping(reductions.max_),
    "any": keeping(reductions.any_),
    "all": keeping(reductions.all_),
    "cumsum": kept_axes.or_flat(reductions.cumsum),
    "cumprod": kept_axes.or_flat(reductions.cumprod),
    "np.min": keeping(reductions.least),
    "np.max": keeping(reductions.largest),
    "np.cumsum": kept_axes.or_flat(reductions.cumsum),
    "np.cumprod": kept_axes.or_flat(reductions.cumprod),
    "argmin": keeping(sorting.argmin, takes_several=False),
    "argmax": keeping(sorting.argmax, takes_several=False),
    "argsort": kept_axes.or_flat(sorting.argsort),
    "sort": kept_axes.or_flat(sorting.sort),
    "logsumexp": keeping(normalisation.logsumexp),
    "softmax": normalisation.softmax,
    "norm": keeping(normalisation.norm),
    "dot": linear_algebra.dot,
    "matmul": linear_algebra.matmul,
    "outer": linear_algebra.outer,
    "map": second_order.map_,
    "reduce": second_order.reduce,
    "scan": second_order.scan,
    "hist": second_order.hist,
    "scatter": second_order.scatter,
    "grad": making.gradient("grad"),
    "value_and_grad": making.gradient("value_and_grad"),
    "jacfwd": making.jacobian("jacfwd"),
    "jacrev": making.jacobian("jacrev"),
    "hessian": making.jacobian("hessian"),
    "vmap": making.vmap,
    "jvp": making.jvp,
    "vjp": making.vjp,
    "hvp": making.hvp,
    "jit": making.jit,
    "stop_gradient": stop_gradient.stop_gradient,
    "checkpoint": checkpoints.checkpoint,
    **COMPOSED,
    "builtins.sum": composed(statistics.python_sum),
    "np.where": composed(searching.where),
}

CALLERS = {
    Operator: operator_calls.call,
    Closure: closures.call,
    Decorated: decorated.call,
    Imported: imported_calls.call,
    Checkpointed: checkpoints.call,
    Transform: calling.call_transform,
    Pullback: calling.call_pullback,
    Procedure: reversible.call,
    Component: losses.call,
    Record: parts.call,
    Opaque: opaque_calls.call_opaque,
}

LANGUAGE = Handlers(STATEMENTS, EXPRESSIONS, OPERATORS, CALLERS)
