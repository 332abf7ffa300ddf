"""Semantics of foreign operations in core IR: functions of values and plain numbers, one file per concept.

Arrays without axes are scalar SSA values everywhere. An array is an SSA tensor, or a `Lazy` one, which is read element
by element; every function builds at the current insertion point and location.
"""
