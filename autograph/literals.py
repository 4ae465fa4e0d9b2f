"""Literals as text: numbers to the last bit, strings as ``repr`` writes them, docstrings in triple quotes."""
from __future__ import annotations

import math

QUOTES = ("'", '"', "'''", '"""')
_LARGEST_DECIMAL = 14_000  # in bits: Python refuses to print or parse longer decimal integers


class Unquotable(Exception):
    """No quotes are left that the string may use inside of the f-strings around it."""


def number_literal(value: int | float | complex) -> str:
    """The number as an expression that gives it back exactly, with sign.

    >>> number_literal(float("inf")), number_literal(-0.0), number_literal(complex(1, -2)), number_literal(2j)
    ('1e309', '-0.0', '(1.0-2.0j)', '2j')
    """
    if isinstance(value, complex):
        return _complex_literal(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "(1e309 - 1e309)"
        return repr(value).replace("inf", "1e309")
    return hex(value) if value.bit_length() > _LARGEST_DECIMAL else repr(value)


def _complex_literal(value: complex) -> str:
    real, imag = value.real, value.imag
    real_is_zero = real == 0 and math.copysign(1, real) > 0
    if real_is_zero and math.copysign(1, imag) > 0 and not math.isnan(imag):
        return repr(complex(0, imag)).replace("inf", "1e309")
    if math.isfinite(real) and math.isfinite(imag) and imag and (real or real_is_zero):
        return f"({real!r}{imag:+}j)"
    return f"complex({number_literal(real)}, {number_literal(imag)})"


def string_literal(value: str | bytes, outer: tuple[str, ...] = ()) -> str:
    """The string in quotes.  ``outer`` are the quotes of the f-strings around it, before Python 3.12.

    >>> string_literal("it's"), string_literal("a", outer=("'",))
    ('"it\\'s"', '"a"')
    """
    if not outer:
        return repr(value)
    prefix, text = ("b", value.decode("latin-1")) if isinstance(value, bytes) else ("", value)
    for quote in QUOTES:
        literal = prefix + quote + escape(text, quote, raw_whitespace=True) + quote
        if fits_inside(literal, outer) and (not prefix or literal.isascii()):
            return literal
    raise Unquotable


def fits_inside(text: str, outer: tuple[str, ...]) -> bool:
    """Whether an expression may stand in f-strings with the quotes ``outer``, by the rules of Python 3.11."""
    if not outer:
        return True
    one_line = any(len(quote) == 1 for quote in outer)
    return not ("\\" in text or any(quote in text for quote in outer) or (one_line and "\n" in text))


def escape(text: str, quote: str, raw_whitespace: bool = False) -> str:
    """The inside of a string literal that is written between ``quote``s."""
    raw_whitespace = raw_whitespace and len(quote) == 3
    out = []
    for at, char in enumerate(text):
        if char in "\n\t" and raw_whitespace:
            out.append(char)
        elif char == "\\" or not char.isprintable():
            out.append(char.encode("unicode_escape").decode("ascii"))
        elif char == quote[0] and (len(quote) == 1 or at + 1 == len(text) or text.startswith(quote, at)):
            out.append("\\" + char)
        else:
            out.append(char)
    return "".join(out)


def docstring_literal(text: str) -> str:
    r'''A docstring between triple double quotes, its lines as they are.

    >>> print(docstring_literal('Say "hi".\n    Then go "home"'))
    """Say "hi".
        Then go "home\""""
    '''
    return '"""' + escape(text, '"""', raw_whitespace=True) + '"""'
