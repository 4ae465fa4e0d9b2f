"""The command line: ``autograph show | graph | run | explain | convert``.

Only what a command needs is imported, when it needs it.  Errors are one line on standard error, with the
user's file and line; a traceback of ours is never shown.
"""
from __future__ import annotations

import argparse
import contextlib
import copy
import importlib
import io
import os
import statistics
import sys
import time
import tokenize
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from autograph.targets import (
    RAISED,
    USAGE,
    CommandError,
    Target,
    evaluated,
    one_line,
    only_target,
    shown_path,
    targets,
    user_line,
)

OK, NOT_STAGED, DIFFERENT, INTERNAL, INTERRUPTED = 0, 1, 3, 70, 130

_EPILOG = """\
TARGET is one of
  file.py                  every function of the file
  file.py:name             one function; methods and nested classes as Class.method
  package.module:name      the same in a module that can be imported

--args holds what stands between the parentheses of a call: --args "27", --args "x=np.ones(3), n=2".
It is evaluated with np (NumPy), ag (autograph) and the names of the target's module.

exit status:
  0   done; for run: the staged function did what the plain one does
  1   a function cannot be converted or staged
  2   wrong usage: no such file, module or function, a syntax error, arguments that do not fit
  3   run: the staged function does something else than the plain one
  4   the function itself raised an exception; for run: plain and staged alike
  70  a fault in autograph itself (AUTOGRAPH_TRACEBACK=1 shows where)
  130 interrupted
"""

_EXAMPLES = {
    "show": ("show examples/collatz.py", "show tank.py:Tank.drain", "show package.module:name -o shown.py"),
    "graph": ('graph examples/collatz.py:collatz --args "27"', 'graph f.py:f --args "np.ones((9, 2)), k=3"'),
    "run": ('run examples/collatz.py:collatz --args "27"', 'run f.py:f --args "1" --args "np.ones(3)"'),
    "explain": ('explain f.py:f --args "np.ones(3)" --args "np.ones(4)"',),
    "convert": ("convert model.py -o converted.py",),
}


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    try:
        options = _parser().parse_args(_joined(sys.argv[1:] if argv is None else argv))
    except SystemExit as exit_:  # from argparse, which has said why
        return exit_.code if isinstance(exit_.code, int) else USAGE
    if not hasattr(options, "command"):
        _parser().print_help()
        return USAGE
    try:
        status: int = options.command(options)
        sys.stdout.flush()
        return status
    except CommandError as error:
        return _complain(str(error), error.status)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:  # as in: autograph show file.py | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:
        if os.environ.get("AUTOGRAPH_TRACEBACK"):
            raise
        return _complain(f"internal error: {type(error).__name__}: {one_line(error)}", INTERNAL)


def _complain(message: str, status: int) -> int:
    print(f"autograph: {message}", file=sys.stderr)
    return status


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage above it."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"autograph: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    examples = "\n".join(f"  autograph {example}" for lines in _EXAMPLES.values() for example in lines[:1])
    parser = _Parser(
        prog="autograph",
        description="Plain Python on NumPy arrays becomes a graph: see it, run it, compare it.",
        epilog=f"examples:\n{examples}\n\n{_EPILOG}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=_Version("%(prog)s"))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], summary: str, many: bool = True) -> Any:
        lines = "\n".join(f"  autograph {example}" for example in _EXAMPLES[name])
        sub = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=f"examples:\n{lines}\n\n{_EPILOG}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(command=run)
        if many:
            sub.add_argument("targets", nargs="+", metavar="TARGET", help="file.py, file.py:name, ...")
        sub.add_argument("-o", dest="output", metavar="FILE", help="write there, not to the standard output")
        return sub

    def add_args(sub: argparse.ArgumentParser) -> None:
        what = "the arguments of a call; may be given several times"
        sub.add_argument("--args", action="append", metavar="ARGS", help=what)

    command("show", _show, "print the transpiled source of functions")
    graph = command("graph", _graph, "print the graph of functions for given arguments")
    add_args(graph)
    graph.add_argument("--program", action="store_true", help="print the NumPy program instead of the graph")
    run = command("run", _run, "run functions plain and staged, compare and time them")
    add_args(run)
    add_args(command("explain", _explain, "call staged functions and say why they were traced"))
    convert = command("convert", _convert, "write a module with every function transpiled", many=False)
    convert.add_argument("file", metavar="FILE.py", help="the module to convert; it is never written to")
    return parser


class _Version(str):
    """Looked up only when it is asked for."""

    def __mod__(self, _: Any) -> str:
        from importlib import metadata

        try:
            return f"autograph {metadata.version('numpy-autograph')}"
        except metadata.PackageNotFoundError:
            return "autograph (not installed)"


def _joined(argv: list[str]) -> list[str]:
    """Join ``--args`` to its value, which may start with a minus."""
    out: list[str] = []
    waiting = iter(argv)
    for word in waiting:
        value = next(waiting, None) if word == "--args" else None
        out.append(word if value is None else f"{word}={value}")
    return out


# Commands


def _show(options: argparse.Namespace) -> int:
    to_code = importlib.import_module("autograph").to_code
    found = [target for text in options.targets for target in targets(text)]
    parts, status = [], OK
    for target in found:
        _keep(getattr(target.module, "__file__", None), options.output)
        try:
            with _staging(target):
                text = to_code(target.plain).strip("\n")
        except CommandError as error:
            status = _complain(str(error), error.status)
            continue
        parts.append(f"# {target.place}  {target.name}\n{text}\n" if len(found) > 1 else f"{text}\n")
    if parts:
        _put("\n\n".join(parts), options.output)
    return status


def _graph(options: argparse.Namespace) -> int:
    parts = []
    for target in map(only_target, options.targets):
        staged = _staged(target)
        for args, kwargs in _calls(options, target):
            with _staging(target), contextlib.redirect_stdout(sys.stderr):
                concrete = staged.get_concrete_function(*args, **kwargs)
                parts.append(str(concrete.code if options.program else concrete.graph).strip("\n") + "\n")
    _put("\n".join(parts), options.output)
    return OK


def _explain(options: argparse.Namespace) -> int:
    parts = []
    for target in map(only_target, options.targets):
        staged = _staged(target)
        for args, kwargs in _calls(options, target):
            with _staging(target), contextlib.redirect_stdout(sys.stderr):
                staged(*args, **kwargs)
        parts.append(str(staged.explain()).strip("\n") + "\n")
    _put("\n".join(parts), options.output)
    return OK


def _convert(options: argparse.Namespace) -> int:
    source = options.file
    _keep(source, options.output)
    text, encoding = _read(source)
    convert_module = importlib.import_module("autograph.convert").convert_module
    with _staging(None, source):
        converted = convert_module(text, source)
    _put(converted, options.output, encoding)
    return OK


def _run(options: argparse.Namespace) -> int:
    parts, statuses = [], set()
    for target in map(only_target, options.targets):
        for text, (args, kwargs) in zip(_args_texts(options), _calls(options, target), strict=True):
            try:
                report, status = _run_once(target, text, args, kwargs)
                parts.append(report)
            except CommandError as error:
                status = _complain(str(error), error.status)
            statuses.add(status)
    _put("\n".join(parts), options.output)
    return next(status for status in (DIFFERENT, NOT_STAGED, USAGE, RAISED, OK) if status in statuses)


def _run_once(target: Target, text: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str, int]:
    """The report on one call, plain and staged, and the exit status."""
    testing = importlib.import_module("autograph").testing
    lines = [f"{target.name}({text})  # {target.place}"]
    plain_error, printed, result = _plain_outcome(target, args, kwargs)
    status = OK
    if plain_error is None:
        lines += _row("result", _shown(result))
    else:
        lines += _row("raised", f"{type(plain_error).__name__}: {plain_error}")
        lines += _row("", f"at {user_line(plain_error, target.module) or target.place}")
        status = RAISED
    if printed:
        lines += _row("printed", printed.rstrip("\n"))
    with _staging(target):
        try:
            testing.check(target.function, *args, modes=("staged",), **kwargs)
        except testing.Difference as difference:
            return "\n".join([*lines, *_row("DIFFERENT", str(difference))]) + "\n", DIFFERENT
    same = ["result" if plain_error is None else "exception", *(["output"] if printed else []), "arguments"]
    lines += _row("equal", f"the staged run leaves the same {', '.join(same[:-1])} and {same[-1]}")
    staged = _staged(target)
    with _staging(target):
        slow = _seconds(target.plain, args, kwargs)
        fast = _seconds(staged, args, kwargs)
    lines += _row("plain", _duration(slow))
    lines += _row("staged", f"{_duration(fast)}  ({_ratio(slow, fast)})")
    lines += _row("traces", str(staged.trace_count))
    return "\n".join(lines) + "\n", status


def _plain_outcome(
    target: Target, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Exception | None, str, Any]:
    output = io.StringIO()
    args, kwargs = _copied(args, kwargs)
    with contextlib.redirect_stdout(output):
        try:
            result = target.plain(*args, **kwargs)
        except Exception as error:
            return error, output.getvalue(), None
    return None, output.getvalue(), result


def _staged(target: Target) -> Any:
    """The target as a staged function: the user's own one, with its options, if it is one."""
    if hasattr(target.function, "get_concrete_function"):
        return target.function
    with _staging(target):
        return importlib.import_module("autograph").function(target.function)


def _args_texts(options: argparse.Namespace) -> list[str]:
    return options.args or [""]


def _calls(options: argparse.Namespace, target: Target) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    return [evaluated(text, target) for text in _args_texts(options)]


@contextlib.contextmanager
def _staging(target: Target | None, filename: str = "") -> Iterator[None]:
    """Say in one line what cannot be converted or staged, or what the user's own code raised meanwhile."""
    errors = importlib.import_module("autograph.errors")
    try:
        yield
    except errors.StagingError as error:
        where = target.place if target else filename
        if error.filename is not None:
            where = shown_path(error.filename) + (f":{error.lineno}" if error.lineno is not None else "")
        reasons = "; ".join(part for part in (error.what, error.why, error.fix) if part)
        raise CommandError(f"{where}: [{error.id}] {' '.join(reasons.split())}", NOT_STAGED) from None
    except SyntaxError as error:
        where = f"{shown_path(error.filename or filename)}:{error.lineno}"
        raise CommandError(f"{where}: {type(error).__name__}: {error.msg}") from None
    except CommandError:
        raise
    except Exception as error:
        where = user_line(error, target.module) if target else ""
        if not where:
            raise  # a fault of ours
        raise CommandError(f"{where}: {type(error).__name__}: {one_line(error)}", RAISED) from None


# Time


def _seconds(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    """The median time of a call, after one that may trace; each call gets its own copy of the arguments."""
    times: list[float] = []
    budget = time.perf_counter() + 0.3
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        while len(times) < 6 or (time.perf_counter() < budget and len(times) < 1000):
            given, named = _copied(args, kwargs)
            start = time.perf_counter()
            with contextlib.suppress(Exception):  # compared before
                function(*given, **named)
            times.append(time.perf_counter() - start)
            if times[-1] > 2 and len(times) > 1:
                break
    return statistics.median(times[1:])


def _copied(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    try:
        return copy.deepcopy((args, kwargs))
    except Exception:  # something that cannot be copied is passed as it is
        return args, kwargs


def _duration(seconds: float) -> str:
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def _ratio(slow: float, fast: float) -> str:
    if fast <= slow:
        return f"{slow / fast:.2f} times as fast"
    return f"{fast / slow:.2f} times as slow"


# Output


def _row(label: str, text: str) -> list[str]:
    first, *rest = text.splitlines() or [""]
    return [f"  {label:<10}{first}", *(f"  {'':<10}{line}" for line in rest)]


def _shown(value: object) -> str:
    numpy = importlib.import_module("numpy")
    with numpy.printoptions(threshold=20, edgeitems=3):
        text = repr(value)
    return text if len(text) <= 2000 else f"{text[:2000]} ..."


def _read(path: str) -> tuple[str, str]:
    """A module's text and its encoding."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return io.TextIOWrapper(io.BytesIO(data), encoding).read(), encoding
    except OSError as error:
        raise CommandError(f"{path}: {_reason(error)}") from None
    except SyntaxError as error:
        raise CommandError(f"{path}:1: SyntaxError: {error.msg}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CommandError(f"{path}:{line}: not in the encoding {error.encoding}: {error.reason}") from None


def _keep(source: str | None, output: str | None) -> None:
    """Refuse to write over the user's module."""
    if source is None or output is None:
        return
    with contextlib.suppress(OSError):  # one of them is not there
        if os.path.samefile(source, output):
            raise CommandError(f"{shown_path(source)}: -o would overwrite the user's own module")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _put(text: str, path: str | None, encoding: str = "utf-8") -> None:
    """Write to a file, whole or not at all, or to the standard output, in colour if that is a terminal."""
    if path is not None:
        _write(text, path, encoding)
    elif not _in_colour(text):
        sys.stdout.write(text)


def _write(text: str, path: str, encoding: str) -> None:
    place = os.path.realpath(path)
    try:
        data = text.encode(encoding)
        if os.path.exists(place) and not os.path.isfile(place):  # a pipe or a device is written into
            with open(place, "wb") as file:
                file.write(data)
        else:
            _replace(place, data)
    except OSError as error:
        raise CommandError(f"{path}: {_reason(error)}") from None
    except UnicodeEncodeError as error:
        raise CommandError(f"{path}: cannot be written in the encoding {encoding}: {error.reason}") from None


def _replace(path: str, data: bytes) -> None:
    """Write a regular file whole or not at all; it keeps its permissions."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        if os.path.exists(path):
            os.chmod(temporary, os.stat(path).st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _in_colour(text: str) -> bool:
    """Print highlighted Python if this is a terminal and rich is there."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return False
    try:
        console = importlib.import_module("rich.console").Console(file=sys.stdout)
        syntax = importlib.import_module("rich.syntax").Syntax("", "python", theme="ansi_dark")
    except ImportError:
        return False
    console.print(syntax.highlight(text), soft_wrap=True, end="")
    return True
