"""Texts, formats and NumPy's index helpers with values of the graph in them, which stay values of the graph."""  # noqa: E501

from __future__ import annotations

import contextlib
import copy
import io

import numpy as np
from equivalence import check, parametrize

import autograph as ag

A = np.array([3.0, -1.0, 2.5, 0.0])


def ogrid(n):
    return np.ogrid[0:n], np.ogrid[0 : 1 : n * 1j], np.ogrid[0:n, 0:2]


def ogrid_of_complex(n):
    return np.ogrid[0 : 1 : complex(n)], np.ogrid[0:n:2]


def mgrid(n):
    return np.mgrid[0:n, 0:2], np.mgrid[0 : 1 : n * 1j]


def mgrid_unpacked(n):
    y, x = np.mgrid[:n, :n]
    return y * 10 + x


def ogrid_unpacked(n):
    y, x = np.ogrid[:n, :n]
    return y * 10 + x


def rows(n, a):
    return np.r_[0:n], np.r_[a, n, 0], np.r_[0 : 1 : n * 1j], np.r_[n, 1], np.r_["0,2", a, a]


def columns(n, a):
    return np.c_[a, a], np.c_[0:n, 0:n], np.c_[a, a * n]


def index_expressions(n, a):
    return np.s_[0:n], a[np.s_[1:n]], np.s_[n, 1], np.index_exp[n]


def open_mesh(n, a):
    m = np.arange(12).reshape(3, 4)
    return m[np.ix_([0, n], [1, n])], np.ix_(np.arange(n), [n])


def slices_of_texts(x):
    return "abcdef"[x:], "abc"[x - 1], "abcdef"[:x], "abcdef"[::x], "abcdef"[-x:-1], "abcdef"[x - 3 : x + 1]


def slices_of_bytes(x):
    return b"abcdef"[x:], b"abc"[x], b"abc" * x, bytes([x, 1]), bytes(x), bytearray(x)


def text_index_out_of_range(x):
    return "abc"[x]


def methods_with_counts(x):
    return (
        "a".ljust(x),
        "a".center(x, "*"),
        "a".zfill(x),
        "a,b,c,d".split(",", x - 2),
        "aXbXcX".replace("X", "-", x - 2),
        "abcabc".find("b", x - 2),
        "abc".rjust(x),
        "a\tb".expandtabs(x),
        b"a".ljust(x),
        "abab".count("a", x - 3),
    )


def methods_of_made_texts(x):
    return (
        str(x).zfill(3),
        f"{x}".join(["a", "b"]),
        "-".join([str(x), "q"]),
        str(x) + "a",
        "a" * x,
        x * "a",
        str(x)[0],
        str(x).isdigit(),
        "4" in str(x),
        str(x) in "1234",
        (str(x) * 2).index("4", 1),
    )


def percent(n, x):
    f = "%d %s %.3f"
    return f % (n, x, x), "%s" % n, "%(a)s" % {"a": n}, "%*d" % (n, n), "%%" % ()  # noqa: UP031


def format_method(n, x):
    f = "{} {:.2f} {a}"
    return (
        f.format(n, x, a=n),
        "{:>{w}}".format(n, w=n),
        "{0[0]}".format([n]),  # noqa: UP030, UP032
        "{0.real}".format(x),  # noqa: UP030, UP032
        "{!r}".format(x),  # noqa: UP032
        f.upper(),
    )


def format_fields(n, x):
    f = "{} {:.2f} {a}"
    return (
        f.format(n, x, a=n),
        "{:>{w}}".format(n, w=n),
        "{0[0]}".format([n]),  # noqa: UP030, UP032
        "{0.real}".format(x),  # noqa: UP030, UP032
        "{!r}".format(x),  # noqa: UP032
        "{a}{b}".format_map({"a": n, "b": x}),
    )


def nested_specs(w, p, x):
    return (
        f"{x:{w}.{p}}",
        f"{x:{w}.{p}f}|",
        f"{x!r:>{w}}",
        f"{x=}",
        f"{x = :.{p}f}",
        f"{'ab':{w}}|",
        f"{x:{'>'}{w}}",
    )


def format_builtin(w, p, x):
    return format(x, f".{p}f"), format(w, "x"), format(x), "{:{}.{}f}".format(x, w, p)


def chosen_formats(n, x):
    spec = ".3f" if n > 2 else ".1f"
    tmpl = "%.1f" if n > 2 else "%d"
    t2 = "{:d}!" if n > 2 else "{}?"
    return f"{x:{spec}}", format(x, spec), tmpl % x, t2.format(n)


def formats_in_loops(n, x):
    out = ""
    for i in range(n):
        out += "%d:%.1f;" % (i, x * i)  # noqa: UP031
        out = out + "{}|".format(i) + f"{i:>{n}}"  # noqa: UP032
    return out, len(out)


def formats_that_grow(n, x):
    tmpl = "%d and %s"
    a = tmpl % (n, x)
    tmpl += "!"
    b = tmpl % (n, x)
    return a, b


def percent_of_argument(f, n):
    return f % (n, n), f.replace("d", "s") % (n, 1.0)


def format_of_argument(f, n):
    return f.format(n, n), f.format(*[n, 2]), f.format(*(n, 2))


def formats_of_arrays(n, a):
    return (
        "%s" % a,  # noqa: UP031
        f"{a}",
        f"{a[0]:.2f}",
        "%s" % (a,),  # noqa: UP031
        "%.2f" % a[0],  # noqa: UP031
        str(a),
        repr(a),
        f"{a!r}",
        "{}".format(a),  # noqa: UP032
        "%r" % [n],
        "%s" % ((n, 1),),  # noqa: UP031
        f"{[n, 1]}",
        f"{(n,)}",
        f"{ {'a': n} }",
        f"{ {n} }",
    )


def too_few_for_percent(n):
    return "%d %d" % n  # noqa: UP031


def too_few_for_format(n):
    f = "%d %d"
    return f % n


def too_few_for_fields(n):
    return "{} {}".format(n)  # noqa: F524


def unknown_spec(n):
    return f"{n:zz}"


def too_many_for_percent(n):
    f = "%d"
    return f % (n, n)


def conversions(n):
    return (
        chr(n),
        ord(chr(n)),
        hex(n),
        bin(n),
        oct(n),
        int("12", n - 55),
        int(str(n)),
        float(str(n)),
        complex(n),
        complex(n, 1),
        bool(n),
        n.to_bytes(2, "big"),
        int.from_bytes(b"ab", "big"),
        str(n).encode(),
        n.bit_length(),
        n.real,
        n.imag,
        n.numerator,
    )


def methods_of_floats(x):
    return (
        x.is_integer(),
        x.as_integer_ratio(),
        x.hex(),
        float.fromhex("0x1p3") * x,
        x.__floor__(),
        x.conjugate(),
        int(x),
        round(x),
        round(x, 1),
        divmod(x, 2),
        x // 1,
        x % 1,
        -x,
        abs(-x),
        +x,
        x**2,
        x.real,
    )


def tuples_and_lists_by_place(i):
    t = (1, "a", 2.5)
    items = [1, "a", [2]]
    return t[i], items[i], t[:i], items[i:], t[-i], "abc"[i], range(10)[i], range(10)[i:], (1, 2, 3)[::i]


def slice_objects(n):
    return (
        slice(n),
        slice(0, n, 2).indices(5),
        [1, 2, 3, 4][slice(1, n)],
        "abcd"[slice(n)],
        A[slice(0, n)],
        slice(n).stop,
    )


def loops_over_texts(n):
    s = ""
    for c in "abcdef"[:n]:
        s = c + s
    for i, c in enumerate("xyz"[n - 2 :]):
        s += c * i
    for c in str(n * 37):
        s += c
    return s


def loops_over_bytes(n):
    t = 0
    for b in b"abcdef"[:n]:
        t += b
    return t


def text_argument(s, n):
    return (
        s[n:],
        s[n],
        s.split(),
        s.upper()[:n],
        s[::-1],
        len(s),
        s.find("o", n),
        n * s[0],
        s.partition(" "),
        [c for c in s][n],  # noqa: C416
        s < "i",
        s + str(n),
        s.startswith("he", n - 3),
        {c: i for i, c in enumerate(s)}["w"],
    )


def joined(n):
    return (
        ", ".join(str(i) for i in range(n)),
        "".join([chr(97 + i) for i in range(n)]),
        "-".join(map(str, range(n))),
        "|".join("abc"[:n]),
    )


def compared_texts(n):
    s = str(n)
    return (
        s == "3",
        s < "4",
        s in ("3", "4"),
        s + "a" == "3a",
        "a" < s,  # noqa: SIM300
        s != "b",
        s == n,
        max(s, "2"),
        sorted([s, "1"]),
        min("b", s),
    )


def printed(n):
    for i in range(n):
        print("*" * i + "." * (n - i), i, sep="|")
    print(f"{n:>5}|{n:<5}|{n:^5}|{n:05d}|{n:+d}|{n:,}|{n:x}|{n:e}")


def translated(n):
    return (
        "abc".translate({97: n + 95}),
        str.maketrans("a", "b"),
        "abc".encode("utf8")[n - 1],  # noqa: UP012
        "é".encode()[0] + n,
    )


CASES = [
    (ogrid, 3),
    (ogrid_of_complex, 3),
    (mgrid, 3),
    (mgrid_unpacked, 3),
    (ogrid_unpacked, 3),
    (rows, 3, A),
    (columns, 3, A),
    (index_expressions, 3, A),
    (open_mesh, 2, A),
    (slices_of_texts, 3),
    (slices_of_bytes, 2),
    (text_index_out_of_range, 5),
    (methods_with_counts, 4),
    (methods_of_made_texts, 4),
    (percent, 3, 2.5),
    (format_method, 3, 2.5),
    (format_fields, 3, 2.5),
    (nested_specs, 8, 3, 2.5),
    (format_builtin, 8, 3, 2.5),
    (chosen_formats, 3, 2.5),
    (formats_in_loops, 3, 2.5),
    (formats_that_grow, 3, 2.5),
    (percent_of_argument, "%d-%s", 3),
    (format_of_argument, "{}-{}", 3),
    (formats_of_arrays, 3, A),
    (too_few_for_percent, 3),
    (too_few_for_format, 3),
    (too_few_for_fields, 3),
    (unknown_spec, 3),
    (too_many_for_percent, 3),
    (conversions, 65),
    (methods_of_floats, 2.5),
    (tuples_and_lists_by_place, 2),
    (slice_objects, 3),
    (loops_over_texts, 3),
    (loops_over_bytes, 3),
    (text_argument, "hello world", 3),
    (joined, 3),
    (compared_texts, 3),
    (printed, 3),
    (translated, 3),
]


@parametrize(CASES)
def test_texts(f, args):
    """Each program gives in every mode what plain Python gives, and raises where it raises."""
    check(f, *args)


@parametrize([case for case in CASES if not case[0].__name__.startswith("too_")])
def test_numbers_stay_symbols(f, args):
    """No argument becomes static: another number needs no trace of its own."""
    staged = ag.function(f)
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        staged(*copy.deepcopy(args))
    assert "static" not in staged.explain()
