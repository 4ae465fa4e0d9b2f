"""What goes wrong, one class a mistake.  The docstring of a class is its page in the documentation.

Every message says what, where (the user's line with a caret), why, and what to do; ``id`` never changes.
"""

from __future__ import annotations


class StagingError(Exception):
    """Something in a function cannot be staged.

    Raised at the user's line before anything has run.  The subclasses say what it was; this class is what to
    catch when the kind does not matter.
    """

    id = "AG001"

    def __init__(
        self,
        what: str,
        *,
        why: str = "",
        fix: str = "",
        filename: str | None = None,
        lineno: int | None = None,
        line: str | None = None,
        col_offset: int | None = None,
        end_col_offset: int | None = None,
    ) -> None:
        self.what, self.why, self.fix = what, why, fix
        self.filename, self.lineno, self.line = filename, lineno, line
        self.col_offset, self.end_col_offset = col_offset, end_col_offset
        super().__init__(self.text())

    def text(self) -> str:
        """The whole message.

        >>> print(StagingError("no luck", why="rain", fix="wait", filename="a.py", lineno=3, line="x = 1"))
        [AG001] no luck
          a.py:3
            x = 1
          why: rain
          fix: wait
        """
        lines = [f"[{self.id}] {self.what}"]
        if self.filename is not None:
            lines.append(
                f"  {self.filename}:{self.lineno}" if self.lineno is not None else f"  {self.filename}"
            )
        if self.line is not None and self.line.strip():
            shown = self.line.strip()
            lines.append(f"    {shown}")
            if self.col_offset is not None:
                indent = len(self.line) - len(self.line.lstrip())
                start = max(self.col_offset - indent, 0)
                end = self.end_col_offset - indent if self.end_col_offset is not None else start + 1
                lines.append("    " + " " * start + "^" * max(min(end, len(shown)) - start, 1))
        if self.why:
            lines.append(f"  why: {self.why}")
        if self.fix:
            lines.append(f"  fix: {self.fix}")
        return "\n".join(lines)


class ConversionError(StagingError):
    """A function cannot be converted at all.

    The base of the errors that come from reading and rewriting source, before any tracing.
    """

    id = "AG100"


class SourceError(ConversionError):
    """The source text of a function cannot be found, or no longer matches the running code.

    Cause: the function was typed at a prompt, piped into Python, made by ``exec`` without a text, loaded from
    compiled files only, or its file was edited after the import::

        exec("def f(x):\\n    return x + 1")
        ag.convert(f)

    Fix: put the function in a file; or, for generated code, put its text into ``linecache.cache`` under the
    file name given to ``compile``, or as a string into the global name ``__graph_source__``.
    """

    id = "AG101"


class UnsupportedSyntaxError(ConversionError):
    """A construct that cannot be staged.

    Cause: the function uses a part of the language that has no meaning in a graph, or whose meaning
    conversion
    would change (``locals()``, ``await``)::

        async def f(x):
            return await x

    Fix: the message names the construct and a way to write it; or keep the code plain with
    ``@do_not_convert``.
    """

    id = "AG102"


class ValueNeededError(StagingError):
    """Python needs the value of a symbol while tracing.

    Cause: code that is not converted (the body of a class, an extension module, a class of another library)
    asks a value that exists only when the graph runs for its truth, its length, its hash or its text::

        @ag.function
        def f(x):
            class Limits:
                if x > 2:
                    upper = 10
            return Limits.upper

    Fix: take that code out of the function, or keep it plain with ``@do_not_convert``.
    """

    id = "AG201"


class LeakedValueError(StagingError):
    """A symbol is used where it does not exist.

    Cause: a value of one trace, or of a staged part that has ended, was kept in a place that outlives it::

        kept = []

        @ag.do_not_convert
        def keep(x):
            kept.append(x)

    Fix: return the value, or hand it out of the part through a name.
    """

    id = "AG202"


class CapturedSymbolError(StagingError):
    """A function that runs when the graph runs captures what it cannot be given.

    A nested function or lambda that is kept in a list, returned, or given to code that is not traced looks
    its variables up when it is called, as in Python: conversion keeps those that change in cells.

    Cause: the variable belongs to a scope that has no cells, or a class that is made while tracing (that of
    an exception) keeps the function::

        @ag.function
        def f(x):
            class Failed(Exception):
                handlers = [lambda: x]
            return Failed.handlers[0]()

    Fix: give the function what it uses as arguments, or make it outside the class.
    """

    id = "AG203"


class UnsettledTraceError(StagingError):
    """A trace does not come to an end.

    Cause: recursion without a known depth, a loop over an endless iterator, or a program whose assumptions
    keep changing.

    Fix: loop over a range or an array.
    """

    id = "AG205"


class SignatureError(StagingError):
    """The inputs of a concrete function do not fit its signature.

    Cause: a ``ConcreteFunction`` is called with other types, shapes or names than it was traced for.

    Fix: call the ``Function``, which traces again, or give what the message lists.
    """

    id = "AG206"


class UnsupportedArgumentError(StagingError):
    """An argument that cannot be an input of a graph.

    Cause: a generator, or an object that cannot be told from another one.

    Fix: give a list or an array.
    """

    id = "AG207"


class VariableCreationError(StagingError):
    """A Variable is made by a call that is not the first one.

    Cause: a staged function makes a ``Variable`` each time it is called::

        @ag.function
        def f(x):
            v = ag.Variable(1.0)
            return v.assign_add(x)

    The first call is the first that comes to its end.  Where data decides whether one is made, every call may
    make one.

    Fix: make it outside the function, or only at the first call: ``if self.v is None: self.v =
    ag.Variable(1.0)``.
    """

    id = "AG209"


class InternalError(StagingError):
    """A fault of ours.  Please report it, with the function and its arguments."""

    id = "AG999"
