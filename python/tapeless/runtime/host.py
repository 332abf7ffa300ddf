"""The C runtime's view of Python: how to run signal handlers during a call, and their exceptions."""

from __future__ import annotations

import ctypes
import threading

ADDRESS = ctypes.c_void_p


class Host(ctypes.Structure):
    """`tl_host` of runtime/tapeless_runtime.h."""

    _fields_ = (
        ("main_thread", ctypes.c_uint64),
        ("enter", ADDRESS),
        ("run_handlers", ADDRESS),
        ("take_exception", ADDRESS),
        ("leave", ADDRESS),
    )

    @staticmethod
    def of_this_process() -> Host:
        """Python runs signal handlers on its main thread; other threads are never interrupted."""
        names = ("PyGILState_Ensure", "PyErr_CheckSignals", "PyErr_Fetch", "PyGILState_Release")
        functions = (ctypes.cast(getattr(ctypes.pythonapi, name), ADDRESS) for name in names)
        return Host(threading.main_thread().ident or 0, *functions)


# Takes over the references and raises; with a prototype of its own, because `ctypes.pythonapi` is shared by all.
_restore = ctypes.PYFUNCTYPE(None, ADDRESS, ADDRESS, ADDRESS)(("PyErr_Restore", ctypes.pythonapi))


def raised_by_handler(library: ctypes.CDLL) -> BaseException:
    """The exception of the signal handler that ended the last call."""
    three = (ADDRESS * 3)()
    library.tl_take_raised(ctypes.addressof(three))
    if three[0] is None:
        return KeyboardInterrupt()
    try:
        _restore(*three)
    except BaseException as raised:
        return raised
    raise AssertionError("an exception was restored, but not raised")
