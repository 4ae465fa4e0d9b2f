"""The rows of what touches the world: output, clocks, files, the interpreter's own state.

Region ``output`` is standard output alone; ``outside`` is everything, and is ordered with everything.
"""

from __future__ import annotations

import sys
from typing import Any

from ..types import FLOAT, INT, NONE, STR, Type
from . import table
from .rules import always, unknown
from .ufuncs import foreign

# ------------------------------------------------------------------------------------------ output

PRINT = table.define(table.call(print, "print", infer=always(NONE), region="output"))
"""``print``; to another file it may do anything."""

table.variants(PRINT, lambda args, kwargs: foreign(PRINT) if kwargs.get("file") is not None else None)

# ------------------------------------------------------------------------------------- the builtins

table.call(input, "input", infer=always(STR), region="outside")
table.call(open, "open", infer=unknown, region="outside", result="alias")
for _function in (exec, eval, __import__, breakpoint, setattr, delattr, getattr, vars, dir):
    table.call(
        _function,
        _function.__name__,
        infer=unknown,
        region="outside",
        writes=("*",),
        stores=True,
        result="alias",
    )

# ------------------------------------------------------------------------------ the standard library

_LOGGING = ("debug", "info", "warning", "error", "exception", "critical", "log")
_CLOCKS: dict[str, dict[str, Type | None]] = {
    "time": {
        **dict.fromkeys(("time", "monotonic", "perf_counter", "process_time", "thread_time"), FLOAT),
        **dict.fromkeys(
            ("time_ns", "monotonic_ns", "perf_counter_ns", "process_time_ns", "thread_time_ns"), INT
        ),
        **dict.fromkeys(("sleep", "tzset"), NONE),
        **dict.fromkeys(("ctime", "asctime", "strftime"), STR),
        **dict.fromkeys(("localtime", "gmtime", "clock_gettime", "clock_gettime_ns", "mktime"), None),
    },
    "os": dict.fromkeys(
        (
            "getpid",
            "getcwd",
            "listdir",
            "remove",
            "rename",
            "mkdir",
            "makedirs",
            "stat",
            "urandom",
            "getenv",
            "system",
            "replace",
            "rmdir",
            "unlink",
            "chdir",
            "putenv",
            "times",
            "cpu_count",
        ),
        None,
    ),
    "sys": dict.fromkeys(
        (
            "exit",
            "getrefcount",
            "getrecursionlimit",
            "setrecursionlimit",
            "exc_info",
            "settrace",
            "setprofile",
        ),
        None,
    ),
    "warnings": dict.fromkeys(
        ("warn", "warn_explicit", "simplefilter", "filterwarnings", "resetwarnings"), NONE
    ),
    "logging": dict.fromkeys((*_LOGGING, "basicConfig", "getLogger", "disable"), None),
    "gc": dict.fromkeys(("collect", "disable", "enable", "get_objects", "get_count"), None),
    "uuid": dict.fromkeys(("uuid1", "uuid4"), None),
    "secrets": dict.fromkeys(
        ("choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe"), None
    ),
    "locale": dict.fromkeys(("setlocale", "getlocale"), None),
    "shutil": dict.fromkeys(("copy", "copyfile", "move", "rmtree"), None),
    "subprocess": dict.fromkeys(("run", "call", "check_call", "check_output"), None),
    "pprint": dict.fromkeys(("pprint", "pp"), None),
    "traceback": dict.fromkeys(("print_exc", "format_exc", "print_stack"), None),
}


def _rows_of(module: str) -> Any:
    def build() -> None:
        for name, kind in _CLOCKS[module].items():
            function = getattr(sys.modules[module], name, None)
            if function is not None and table.find_call(function) is None:
                table.call(
                    function,
                    f"{module}.{name}",
                    infer=unknown if kind is None else always(kind),
                    region="outside",
                    result="alias" if kind is None else "fresh",
                )

    return build


def _logging_methods() -> None:
    _rows_of("logging")()
    logger = sys.modules["logging"].Logger
    for name in (*_LOGGING, "setLevel", "addHandler", "removeHandler"):
        table.method_of(logger, name, infer=always(NONE), region="outside", writes=(0,), stores=True)
    for name in ("isEnabledFor", "getEffectiveLevel", "hasHandlers", "getChild"):
        table.method_of(logger, name, infer=unknown, region="outside", result="alias")


def _datetime() -> None:
    module = sys.modules["datetime"]
    for cls, names in ((module.datetime, ("now", "today", "utcnow")), (module.date, ("today",))):
        for name in names:
            table.call(getattr(cls, name), f"datetime.{cls.__name__}.{name}", infer=unknown, region="outside")


for _module in _CLOCKS:
    table.later(_module, _logging_methods if _module == "logging" else _rows_of(_module))
table.later("datetime", _datetime)
