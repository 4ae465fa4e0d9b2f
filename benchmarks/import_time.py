"""What ``import autograph`` adds to ``import numpy``."""
from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from timing import Row, Times

TITLE = "import autograph, after import numpy"
SCRIPT = "import numpy, time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def rows() -> Iterator[Row]:
    yield Row("autograph", _imported("autograph"), goal=0.1)
    yield Row("  and the first ag.function", _imported("autograph; autograph.function"))


def _imported(module: str, repeats: int = 9) -> Times:
    command = [sys.executable, "-c", SCRIPT.format(module)]
    return Times(tuple(float(subprocess.check_output(command)) for _ in range(repeats)))
