"""Functions run by Python, statement by statement, so that `print` and debuggers work: `tl.disable_jit`.

`rewriting` turns the body of a function into one that Python runs, with the same lines and names, whose operations
are calls of `meaning`; what numpy does not do as the language does is left to compiled code for the one operation.
"""
