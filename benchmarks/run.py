"""All benchmarks, or those named: ``python benchmarks/run.py loops call_cost``.

Times are medians of one run each, with the least and the most in parentheses.
"""
from __future__ import annotations

import importlib
import sys

MODULES = ("import_time", "conversion", "tracing", "loops", "call_cost")


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(MODULES)}", file=sys.stderr)
        return 2
    for name in names or MODULES:
        module = importlib.import_module(name)
        print(module.TITLE)
        for row in module.rows():
            print(row, flush=True)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
