"""Replacements of methods and attributes that arrays of PyTorch and JAX have and those of numpy have not."""

from __future__ import annotations

# Expressions that mean the same, in terms of an array x and of the arguments.
EXPRESSIONS = {
    "add": "x + y",
    "block_until_ready": "x",
    "bmm": "x @ y",
    "bool": "x.astype(tl.bool_)",
    "chunk": "tl.array_split(x, n)",
    "clone": "x.copy()",
    "contiguous": "x",
    "cpu": "x",
    "detach": "tl.stop_gradient(x)",
    "dim": "x.ndim",
    "div": "x / y",
    "double": "x.astype(tl.f64)",
    "expand": "tl.broadcast_to(x, shape)",
    "float": "x.astype(tl.f32)",
    "index_select": "tl.take(x, indices, axis)",
    "int": "x.astype(tl.i32)",
    "long": "x.astype(tl.i64)",
    "masked_fill": "tl.where(mask, value, x)",
    "matmul": "x @ y",
    "mm": "x @ y",
    "mul": "x * y",
    "mv": "x @ y",
    "neg": "-x",
    "numel": "x.size",
    "numpy": "x",
    "permute": "x.transpose(axes)",
    "pow": "x ** y",
    "relu": "tl.relu(x)",
    "rsqrt": "1.0 / tl.sqrt(x)",
    "split": "tl.split(x, positions)",
    "sub": "x - y",
    "t": "x.T",
    "to": "x.astype(dtype)",
    "topk": "tl.flip(tl.sort(x))[:k]",
    "type": "x.astype(dtype)",
    "unbind": "x[0], x[1], ..., or for row in x:",
    "unsqueeze": "tl.expand_dims(x, axis)",
    "zero_": "x = tl.zeros_like(x)",
}
TENSORS = {
    **EXPRESSIONS,
    "at": "x[i] = v, x[i] += v or x[i] *= v as a statement: arrays are values, and the name x gets a new one",
    "backward": "tl.grad(f)(x), where f is the function that computes the loss",
    "cuda": "x: what runs on a GPU is said by tl.jit(f, target='cuda')",
    "device": "x: what runs on a GPU is said by tl.jit(f, target='cuda')",
    "gather": "tl.take_along_axis(x, indices, axis)",
    "grad": "tl.grad(f)(x), where f is the function that computes the loss",
    "is_cuda": "False: what runs on a GPU is said by tl.jit(f, target='cuda')",
    "requires_grad": "tl.grad(f, argnums=...), which says what derivatives are taken of",
    "requires_grad_": "tl.grad(f, argnums=...), which says what derivatives are taken of",
    "scatter": "np.put_along_axis(x, indices, values, axis) as a statement of its own",
    "scatter_add": "np.add.at(x, indices, values) as a statement of its own",
}
# Functions that are statements here, or that operators of the same name are not.
FUNCTIONS = {
    "associative_scan": "tl.scan(op, neutral, x)",
    "cond": "if condition: ... else: ..., or tl.where(condition, x, y)",
    "fori_loop": "for i in range(n):, and change what the loop carries",
    "manual_seed": "tl.random.key(seed), and pass the key to tl.random.normal: functions are pure",
    "no_grad": "tl.stop_gradient(x)",
    "reduce": "tl.reduce(op, neutral, x)",
    "scan": "for v in x:, and change what the loop carries; tl.scan(op, neutral, x) if the operator is associative",
    "switch": "if k == 0: ... elif k == 1: ...",
    "tensor": "np.array(items)",
    "while_loop": "while condition:, and change what the loop carries",
}
# Libraries whose functions are no operators; many have the names of operators.
LIBRARIES = ("jax", "torch", "cupy", "tensorflow", "autograd")
