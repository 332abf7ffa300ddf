"""What a reversible procedure means: its syntax tree is walked on cells of numpy, in both directions.

Every statement has its inverse beside it, so running backwards is walking the statements in reverse order. Cells with
tiny imaginary parts carry derivatives (complex steps), conditions see real parts. Nothing here is shared with the
compiler.
"""

from reversible.interpreter.errors import CheckFailed, Unclear
from reversible.interpreter.run import PLAIN, Mode, Procedures

__all__ = ["PLAIN", "CheckFailed", "Mode", "Procedures", "Unclear"]
