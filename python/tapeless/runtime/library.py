"""Finds and opens the C runtime, and tells the code generator where its functions are."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from tapeless.errors import TargetError
from tapeless.runtime.host import Host

ABI_VERSION: Final = 4
FILE_NAMES: Final = ("libtapeless_runtime.so", "libtapeless_runtime.dylib")
REINSTALL: Final = "run `make install` in a checkout, or `pip install --force-reinstall tapeless`"

I64 = ctypes.c_int64
ADDRESS = ctypes.c_void_p

# Name: (result, arguments), as runtime/tapeless_runtime.h declares them; all addresses are plain integers.
PROTOTYPES: Final = {
    "tl_abi_version": (ctypes.c_int32, ()),
    "tl_invoke": (ctypes.c_int32, (ADDRESS, ADDRESS, ADDRESS)),
    "tl_call": (ctypes.c_int32, (ADDRESS, ctypes.py_object, ctypes.c_char_p, ADDRESS)),
    "tl_call_from_python": (ADDRESS, (ADDRESS, ADDRESS, I64)),
    "tl_number_from_python": (ADDRESS, (ADDRESS, ADDRESS, I64)),
    "tl_set_python": (None, (ADDRESS,)),
    "tl_add_producer": (ctypes.c_int32, (ADDRESS,)),
    "tl_invoke_reporting": (ctypes.c_int32, (ADDRESS, ADDRESS, ADDRESS, ADDRESS)),
    "tl_invoke_owning": (ctypes.c_int32, (ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS)),
    "tl_set_objects": (None, (ADDRESS,)),
    "tl_own": (ADDRESS, (ADDRESS, I64, ADDRESS)),
    "tl_alloc_outside": (ADDRESS, (I64,)),
    "tl_new_results": (ADDRESS, (I64,)),
    "tl_free_results": (None, (ADDRESS,)),
    "tl_take_result": (ADDRESS, (I64,)),
    "tl_new_book": (ADDRESS, (I64,)),
    "tl_free_book": (None, (ADDRESS,)),
    "tl_read_book": (ADDRESS, (ADDRESS,)),
    "tl_last_error": (None, (ADDRESS,)),
    "tl_add_export": (ctypes.c_int32, (ADDRESS,)),
    "tl_xla_call": (ADDRESS, (ADDRESS,)),
    "tl_set_host": (None, (ADDRESS,)),
    "tl_take_raised": (None, (ADDRESS,)),
    "tl_fail": (None, (I64, I64, ADDRESS)),
    "tl_report": (None, (I64, I64, ctypes.c_double)),
    "tl_note": (None, (I64,) * 9),
    "tl_check_stack": (None, (I64,)),
    "tl_stack_left": (I64, ()),
    "tl_watch_floats": (None, ()),
    "tl_saw_infinite": (I64, ()),
    "tl_flush_denormals": (None, ()),
    "tl_alloc": (ADDRESS, (I64,)),
    "tl_free": (None, (ADDRESS,)),
    "tl_read_counters": (None, (ADDRESS,)),
    "tl_peak_bytes": (I64, ()),
    "tl_reset_peak": (None, ()),
    "tl_trim": (None, ()),
    "tl_memory_limit": (I64, ()),
    "tl_set_memory_limit": (None, (I64,)),
    "tl_parallel": (None, (ADDRESS, ADDRESS, I64, I64, I64)),
    "tl_default_threads": (I64, ()),
    "tl_set_default_threads": (None, (I64,)),
    "tl_pool_size": (I64, ()),
    "tl_argsort_f64": (None, (ADDRESS, I64, ADDRESS)),
    "tl_argsort_f32": (None, (ADDRESS, I64, ADDRESS)),
    "tl_argsort_i64": (None, (ADDRESS, I64, ADDRESS)),
    "tl_argsort_i32": (None, (ADDRESS, I64, ADDRESS)),
}


def _candidates() -> Iterator[Path]:
    """In every folder of the package: an editable install has one more, for built files."""
    package = find_spec("tapeless")
    folders = (package and package.submodule_search_locations) or ()
    yield from (Path(folder, "runtime", name) for folder in folders for name in FILE_NAMES)


@cache
def library_path() -> Path:
    """The file of the C runtime; a `TargetError` when this installation has none."""
    for path in _candidates():
        if path.is_file():
            return path
    raise TargetError(f"the C runtime ({FILE_NAMES[0]}) of this installation is missing; {REINSTALL}")


@cache
def load_library() -> ctypes.CDLL:
    """The C runtime with its prototypes set; opened globally, so that kernels in shared objects find it."""
    path = library_path()
    try:
        library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise TargetError(f"the C runtime {path} cannot be loaded ({error}); {REINSTALL}") from error
    _check_version(library, path)
    for name, (result, arguments) in PROTOTYPES.items():
        function = _function(library, name, path)
        function.restype = result
        function.argtypes = arguments
    host = Host.of_this_process()
    library.tl_set_host(ctypes.addressof(host))
    return library


def _check_version(library: ctypes.CDLL, path: Path) -> None:
    version = library.tl_abi_version() if hasattr(library, "tl_abi_version") else 0
    if version != ABI_VERSION:
        raise TargetError(f"the C runtime {path} has ABI version {version}, not {ABI_VERSION}; {REINSTALL}")


def _function(library: ctypes.CDLL, name: str, path: Path) -> Any:
    try:
        return getattr(library, name)
    except AttributeError:
        raise TargetError(f"the C runtime {path} is an older one without {name}; {REINSTALL}") from None


@cache
def symbol_addresses() -> dict[str, int]:
    """Where each runtime function is, for code that is linked in memory."""
    library = load_library()
    return {name: ctypes.cast(getattr(library, name), ADDRESS).value or 0 for name in PROTOTYPES}
