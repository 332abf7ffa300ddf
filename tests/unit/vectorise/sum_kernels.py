"""Loops that sum over points into elements all points share, as text; x holds points as rows, y factors as rows.

Every kernel adds to the first result, which it clears before; the element type is f64.
"""

from __future__ import annotations

PRELUDE = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  %m = memref.dim %y, %c0 : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %d step %c1 {
      memref.store %zero, %out[%i, %j] : memref<?x?xf64>
    }
  }
"""
PROJECTION = """
      %w = scf.for %l = %c0 to %d step %c1 iter_args(%a = %zero) -> f64 {
        %xl = memref.load %x[%p, %l] : memref<?x?xf64>
        %yl = memref.load %y[%i, %l] : memref<?x?xf64>
        %xy = arith.mulf %xl, %yl : f64
        %next = arith.addf %a, %xy : f64
        scf.yield %next : f64
      }
"""


def kernel(body: str, buffers: str = "") -> str:
    return f"""
func.func @sums(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %out: memref<?x?xf64>) attributes {{tapeless.abi = ABI}} {{
{PRELUDE}{buffers}
  scf.for %p = %c0 to %n step %c1 {{
{body}
  }} {{tapeless.accumulating}}
  return
}}
"""


def add_to(place: str, value: str) -> str:
    name = value.strip("%")
    return f"""
        %old_{name} = memref.load {place} : memref<?x?xf64>
        %new_{name} = arith.addf %old_{name}, {value} {{tapeless.accumulate}} : f64
        memref.store %new_{name}, {place} : memref<?x?xf64>
"""


def over(variable: str, bound: str, body: str, mark: str = "accumulating") -> str:
    return f"scf.for {variable} = %c0 to {bound} step %c1 {{{body}}} {{tapeless.{mark}}}\n"


LOAD_X = "%xj = memref.load %x[%p, %j] : memref<?x?xf64>\n"
LOAD_Y = "%yj = memref.load %y[%i, %j] : memref<?x?xf64>\n"

# out[i, j] = sum over p of (x[p] . y[i]) x[p, j]
PRODUCTS = kernel(
    over(
        "%i",
        "%m",
        PROJECTION + over("%j", "%d", LOAD_X + "%v = arith.mulf %w, %xj : f64" + add_to("%out[%i, %j]", "%v")),
    )
)

# The same for a product that is also needed as it is: out[i, j] = sum of v + v * v with v = (x[p] . y[i]) x[p, j].
SHARED_PRODUCTS = kernel(
    over(
        "%i",
        "%m",
        PROJECTION
        + over(
            "%j",
            "%d",
            LOAD_X
            + "%v = arith.mulf %w, %xj : f64\n%q = arith.mulf %v, %v : f64\n"
            + add_to("%out[%i, %j]", "%v")
            + add_to("%out[%i, %j]", "%q"),
        ),
    )
)

# out[i, j] = sum over p of - (x[p] . y[i]) y[i, j], and of y[i, j], which the lanes share.
LINEAR = kernel(
    over(
        "%i",
        "%m",
        PROJECTION
        + over(
            "%j",
            "%d",
            LOAD_Y
            + "%v = arith.mulf %yj, %w : f64\n%minus = arith.negf %v : f64\n"
            + add_to("%out[%i, %j]", "%minus")
            + add_to("%out[%i, %j]", "%yj"),
        ),
    )
)

# out[i, j] = sum over p of w x[p, j] + w y[i, j] with w = x[p] . y[i]: one of two products has a shared factor.
TWO_PRODUCTS = kernel(
    over(
        "%i",
        "%m",
        PROJECTION
        + over(
            "%j",
            "%d",
            LOAD_X
            + LOAD_Y
            + "%v = arith.mulf %w, %xj : f64\n%u = arith.mulf %yj, %w : f64\n%t = arith.addf %v, %u : f64"
            + add_to("%out[%i, %j]", "%t"),
        ),
    )
)

# out[0, 0] = sum over p, i, j of (x[p] . y[i]) x[p, j]: every iteration of every loop adds to one element.
ONE_ELEMENT = kernel(
    over(
        "%i",
        "%m",
        PROJECTION
        + over("%j", "%d", LOAD_X + "%v = arith.mulf %w, %xj : f64" + add_to("%out[%c0, %c0]", "%v"))
        + over("%j", "%d", add_to("%out[%c0, %c0]", "%w")),
    )
)

# out[0] = sum over p of y^T y x[p], through a private row; the buffer held x[p] - 1 before.
PRIVATE_ROW = kernel(
    over(
        "%j",
        "%d",
        LOAD_X + "%less = arith.subf %xj, %one : f64\nmemref.store %less, %row[%j] : memref<?xf64>\n",
        "parallel",
    )
    + """
    %ones = scf.for %j = %c0 to %d step %c1 iter_args(%a = %zero) -> f64 {
      %v = memref.load %row[%j] : memref<?xf64>
      %next = arith.addf %a, %v : f64
      scf.yield %next : f64
    }
"""
    + over("%j", "%d", "memref.store %zero, %row[%j] : memref<?xf64>", "parallel")
    + over(
        "%i",
        "%m",
        PROJECTION
        + over(
            "%j",
            "%d",
            LOAD_Y
            + """
        %v = arith.mulf %w, %yj : f64
        %old = memref.load %row[%j] : memref<?xf64>
        %new = arith.addf %old, %v {tapeless.accumulate} : f64
        memref.store %new, %row[%j] : memref<?xf64>
""",
        ),
    )
    + over("%j", "%d", "%t = memref.load %row[%j] : memref<?xf64>" + add_to("%out[%c0, %j]", "%t"))
    + add_to("%out[%c0, %c0]", "%ones"),
    "%one = arith.constant 1.0 : f64\n%row = memref.alloc(%d) : memref<?xf64>\n",
)

# The same sums of y^T y x[p], with the private array of x[p] . y[i] read in an inner loop that carries its sum.
CARRIED = kernel(
    over("%i", "%m", PROJECTION + "memref.store %w, %all[%i] : memref<?xf64>\n", "parallel")
    + over(
        "%j",
        "%d",
        """
      %s = scf.for %i = %c0 to %m step %c1 iter_args(%a = %zero) -> f64 {
        %w = memref.load %all[%i] : memref<?xf64>
        %yj = memref.load %y[%i, %j] : memref<?x?xf64>
        %v = arith.mulf %w, %yj : f64
        %next = arith.addf %a, %v fastmath<reassoc> : f64
        scf.yield %next : f64
      }
"""
        + add_to("%out[%c0, %j]", "%s"),
    ),
    "%all = memref.alloc(%m) : memref<?xf64>\n",
)


def with_carried(count: int) -> str:
    """A loop whose deepest loop carries `count` sums, all of which are added to the first element."""
    names = [f"%r#{k}" for k in range(count)]
    arguments = ", ".join(f"%a{k} = %zero" for k in range(count))
    types = ", ".join(["f64"] * count)
    steps = "".join(f"%next{k} = arith.addf %a{k}, %xy : f64\n" for k in range(count))
    total = "".join(f"%t{k + 1} = arith.mulf %t{k}, {name} : f64\n" for k, name in enumerate(names))
    body = f"""
      %t0 = memref.load %y[%i, %c0] : memref<?x?xf64>
      %r:{count} = scf.for %l = %c0 to %d step %c1 iter_args({arguments}) -> ({types}) {{
        %xl = memref.load %x[%p, %l] : memref<?x?xf64>
        %yl = memref.load %y[%i, %l] : memref<?x?xf64>
        %xy = arith.mulf %xl, %yl : f64
{steps}
        scf.yield {", ".join(f"%next{k}" for k in range(count))} : {types}
      }}
{total}"""
    return kernel(over("%i", "%m", body + add_to("%out[%c0, %c0]", f"%t{count}")))
