"""Output and the outside: print, texts of symbols, logging, warnings, clocks, files, input, unknown calls."""
from __future__ import annotations

import builtins
import datetime
import io
import logging
import math
import os
import pathlib
import sys
import tempfile
import time
import traceback
import warnings

import numpy as np

import autograph as ag


def print_with_every_option(stage, call):
    @stage
    def f(x, y):
        print(x, y, sep="|", end="!\n")
        print()
        print("a", x, [x, y], (x,), {"k": y}, flush=True)
        print(*[x, y], sep="")
        print(f"{x}", end="")
        print(None, True, "text")

    call(f, 1, 2.5)
    call(f, np.arange(3), np.float32(0.1))
    call(f, True, 1j)


def print_to_another_file(stage, call):
    file = io.StringIO()

    @stage
    def f(x):
        print("to the file", x, file=file)
        print("to stdout", x)
        print("err", x, file=sys.stdout)
        if x > 1:
            print("again", file=file, end="")

    call(f, 1)
    call(f, 2)
    return file.getvalue()


def f_strings(stage, call):
    @stage
    def f(x, width):
        return f"{x} {x!r} {x!s:>8} {x:{width}.2f} {x=} {x + 1:>{width}} {{}}"

    call(f, 1.5, 8)
    call(f, 3, 10)
    call(f, np.float32(0.1), 6)


def percent_formatting(stage, call):
    @stage
    def f(x, y):
        named = "%(a)s %(b)05.1f" % {"a": x, "b": y}
        return "%d and %.2f and %s and %r" % (x, y, x, y), "%s" % x, "%5d%%" % y, named

    call(f, 1, 2.5)
    call(f, 7, 1)
    call(f, np.int64(3), np.float64(0.5))
    call(f, "text", 1)


def percent_formatting_of_the_wrong_kind(stage, call):
    @stage
    def f(x):
        print("before")
        return "%d" % x

    call(f, 1)
    call(f, np.arange(2))
    call(f, 1j)


def str_format(stage, call):
    @stage
    def f(x, y):
        return "{} {:>6}".format(x, y) if x > 5 else "{0} {1:>6.2f} {0!r} {k}".format(x, y, k=x + y)

    call(f, 1, 2.5)
    call(f, 9, 1)


def format_map_and_template_methods(stage, call):
    @stage
    def f(x):
        mapped = "{a}-{b}".format_map({"a": x, "b": x * 2})
        return mapped, "x".join([str(x), repr(x)]), str(x).zfill(5), str(x) + "!"

    call(f, 1)
    call(f, -2.5)


def texts_of_arrays(stage, call):
    @stage
    def f(x):
        return str(x), repr(x), f"{x}", "%s" % (x,), np.array2string(x, precision=2), format(x[0], ".3f")

    call(f, np.arange(3) / 7)
    call(f, np.arange(30.0))


def print_options_are_obeyed(stage, call):
    @stage
    def f(x):
        print(x)
        return str(x)

    call(f, np.arange(3) / 7)
    with np.printoptions(precision=2):
        call(f, np.arange(3) / 7)
    call(f, np.arange(3) / 7)


def print_in_a_condition_and_a_loop(stage, call):
    @stage
    def f(n):
        for i in range(n):
            if i % 2 == 0:
                print("even", i)
            else:
                print("odd", i, end=";")
        while n > 0:
            print("down", n)
            n -= 3
        return n

    for n in (0, 3, 12):
        call(f, n)


def print_before_an_error(stage, call):
    @stage
    def f(x, i):
        print("first")
        y = x[i]
        print("second", y)
        return 1 / y

    call(f, np.array([1, 0]), 0)
    call(f, np.array([1, 0]), 1)
    call(f, np.array([1, 0]), 2)


def print_is_replaced(stage, call):
    lines = []

    @stage
    def f(x):
        print("value", x)

    call(f, 1)
    plain = builtins.print
    builtins.print = lambda *args: lines.append(args)
    try:
        call(f, 2)
    finally:
        builtins.print = plain
    call(f, 3)
    return lines


def pprint_and_write(stage, call):
    @stage
    def f(x):
        sys.stdout.write(f"written {x}\n")
        print(x, file=sys.stdout)
        sys.stdout.flush()

    call(f, 1)
    call(f, 2.5)


def logging_calls(stage, call):
    records = []

    class Keep(logging.Handler):
        def emit(self, record):
            records.append((record.levelname, record.getMessage(), record.args))

    logger = logging.getLogger("autograph.tests.state")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    handler = Keep()
    logger.addHandler(handler)

    @stage
    def f(x):
        logger.info("value %s", x)
        logger.debug("hidden %s", x)
        if x > 1:
            logger.warning("large: %d", x)
        logging.getLogger("autograph.tests.state").error("done")
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug("debugging")

    try:
        call(f, 1)
        call(f, 2)
        logger.setLevel(logging.DEBUG)
        call(f, 2)
    finally:
        logger.removeHandler(handler)
    return records


def warnings_in_order(stage, call):
    seen = []

    @stage
    def f(x):
        print("before")
        if x > 0:
            warnings.warn(f"positive {x}", UserWarning, stacklevel=2)
        print("after")
        return x

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(f, 1)
        call(f, -1)
        call(f, 2)
        seen = [(str(each.message), each.category) for each in caught]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call(f, 3)
    return seen


def numpy_warnings_and_errstate(stage, call):
    @stage
    def f(x):
        return 1 / np.log(x)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(f, np.array([0.0, 1.0]))
        count = len(caught)
    with np.errstate(all="raise"):
        call(f, np.array([0.0, 1.0]))
    with np.errstate(all="ignore"):
        call(f, np.array([0.0, 1.0]))
    return count


def clocks_are_read_at_each_call(stage, call):
    ticks = iter(range(100))
    plain = time.time

    @stage
    def f(x):
        start = time.time()
        if x > 0:
            return time.time() - start
        return time.time() - start + 0.5

    time.time = lambda: float(next(ticks))
    try:
        call(f, 1)
        call(f, 0)
        call(f, 1)
    finally:
        time.time = plain
    return next(ticks)


def a_real_clock_moves_on(stage, call):
    @stage
    def f(x):
        first = time.perf_counter()
        second = time.perf_counter()
        return second >= first

    before = []

    @stage
    def now():
        return time.perf_counter_ns()

    for _ in range(3):
        call(f, 1)
        before.append(now())
    return before == sorted(before) and len(set(before)) == 3


def datetime_now(stage, call):
    @stage
    def f(days):
        now = datetime.datetime.now()
        then = now + datetime.timedelta(days=days)
        return (then - now).days, now.year >= 2000, datetime.date.today() <= then.date()

    call(f, 3)
    call(f, 5)


def input_is_asked_each_time(stage, call):
    answers = iter(["3", "4", "5", "x"])
    plain = builtins.input
    builtins.input = lambda prompt="": next(answers)

    @stage
    def f(n):
        total = 0
        for _ in range(n):
            total += int(input("number? "))
        return total

    try:
        call(f, 2)
        call(f, 1)
        call(f, 1)
    finally:
        builtins.input = plain


def files_are_written_and_read(stage, call):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.txt")

        @stage
        def f(x):
            with open(path, "a") as file:
                file.write(f"{x}\n")
                if x > 1:
                    file.write("large\n")
            with open(path) as file:
                return file.read()

        call(f, 1)
        call(f, 2)
        pathlib.Path(path).write_text("new\n")
        call(f, 3)
        return pathlib.Path(path).read_text()


def arrays_are_saved_and_loaded(stage, call):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.npy")

        @stage
        def f(x):
            np.save(path, x * 2)
            return np.load(path) + 1

        call(f, np.arange(3))
        call(f, np.ones((2, 2)))


def the_environment_is_read_and_changed(stage, call):
    @stage
    def f(x):
        before = os.environ.get("AUTOGRAPH_STATE_TEST", "none")
        os.environ["AUTOGRAPH_STATE_TEST"] = f"{x}"
        return before

    call(f, 1)
    call(f, 2)
    os.environ["AUTOGRAPH_STATE_TEST"] = "other"
    call(f, 3)
    return os.environ.pop("AUTOGRAPH_STATE_TEST")


def a_function_that_is_not_converted(stage, call):
    log = []

    @ag.do_not_convert
    def outside(x, y=0):
        log.append((type(x).__name__, y))
        print("outside", x)
        return x * 2 if y else None

    @stage
    def f(x):
        first = outside(x)
        if x > 1:
            return outside(x + 1, y=1)
        return first is None

    call(f, 1)
    call(f, 2.0)
    call(f, np.float32(3))
    return log


def a_function_that_is_not_converted_changes_an_array(stage, call):
    @ag.do_not_convert
    def double(x):
        x *= 2
        return x

    @stage
    def f(x):
        before = x.sum()
        y = double(x)
        y[0] = -1
        return before, x.sum()

    call(f, np.arange(3.0))
    call(f, np.arange(4.0))


def py_function_runs_in_its_place(stage, call):
    seen = []

    def note(x, y=1):
        seen.append(float(x) * y)
        return len(seen)

    @stage
    def f(x):
        count = ag.py_function(note, x, y=2)
        if x > 1:
            ag.py_function(note, -x)
        return count + x

    for x in (1.0, 2.0):
        call(f, x)
    return seen


def py_function_raises(stage, call):
    def check(x):
        if x < 0:
            raise ValueError("negative")
        return x

    @stage
    def f(x):
        print("before")
        y = ag.py_function(check, x)
        print("after")
        return y

    call(f, 1)
    call(f, -1)


def unknown_functions_of_c(stage, call):
    import itertools
    import operator
    import struct

    @stage
    def f(x):
        packed = struct.pack("d", x)
        (again,) = struct.unpack("d", packed)
        return again, operator.itemgetter(0)((x, 1)), list(itertools.accumulate([x, x])), math.fsum([x, 0.1])

    call(f, 1.5)
    call(f, -2.0)


def garbage_and_references(stage, call):
    @stage
    def f(x):
        return isinstance(id(x), int), sys.getsizeof(1) > 0, sys.version_info >= (3, 0)

    call(f, 1.5)


def sleep_is_ordered_with_output(stage, call):
    @stage
    def f(n):
        for i in range(n):
            print("step", i)
            time.sleep(0)
        return n

    call(f, 3)
    call(f, 10)


def an_object_is_printed(stage, call):
    class Box:
        def __init__(self):
            self.x = 1

        def __repr__(self):
            self.x += 1
            return f"Box({self.x})"

        def __format__(self, spec):
            return f"<{self.x}{spec}>"

    box = Box()

    @stage
    def f(n):
        print(box, n)
        print([box])
        return f"{box:a} {box!r} {n}", str(box)

    call(f, 1)
    box.x = 100
    call(f, 2)
    return box.x


def an_exception_that_python_knows_early_is_logged(stage, call):
    stream = io.StringIO()
    logger = logging.getLogger("state.programs.outside.early")
    logger.handlers[:] = [logging.StreamHandler(stream)]
    logger.propagate = False

    @stage
    def f(x):
        try:
            1 / 0
        except ZeroDivisionError:
            logger.exception("x is %s", x)
            return traceback.format_exc().splitlines()[-1]

    call(f, 1)
    call(f, 2.5)
    return [line for line in stream.getvalue().splitlines() if not line.startswith((" ", "Traceback"))]
