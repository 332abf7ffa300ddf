"""Transformations inside functions: derivatives, Jacobians, batching, and rules of the user's own.

A transformed function is a value (`Transform`, `Pullback`) that is called like any other. To call it, the function
behind it becomes a private function of the module, which `ad.vjp` and `ad.jvp` name.
"""
