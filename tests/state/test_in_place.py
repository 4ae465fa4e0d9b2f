"""In-place array code: every way to write, through every kind of view, seen by every alias."""
from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.testing import check


def vector(dtype=float):
    return np.arange(6).astype(dtype)


def matrix(dtype=float):
    return np.arange(12).astype(dtype).reshape(3, 4)


# Ways to write, each a function of an array and a number


def item(a, x):
    a[0] = x


def negative_item(a, x):
    a[-1] = x


def a_slice(a, x):
    a[1:3] = x


def a_strided_slice(a, x):
    a[::2] = x


def a_mask(a, x):
    a[a > 2] = x


def fancy(a, x):
    a[np.array([0, 2, 2])] = x


def a_list_index(a, x):
    a[[1, 0]] = x


def ellipsis(a, x):
    a[...] = x


def new_axis(a, x):
    a[np.newaxis, 0] = x


def augmented(a, x):
    a += x
    a *= 2
    a -= 1


def augmented_item(a, x):
    a[1] += x
    a[0] *= x


def augmented_slice(a, x):
    a[1:] -= x


def augmented_mask(a, x):
    a[a > 1] += x


def power_and_floor(a, x):
    a **= 2
    a //= 3
    a %= 5


def divide(a, x):
    a /= 2


def bitwise(a, x):
    a |= 1
    a &= 6
    a ^= 2
    a <<= 1
    a >>= 1


def out_argument(a, x):
    np.add(a, x, out=a)
    np.multiply(a, 2, a)


def out_of_a_reduction(a, x):
    np.cumsum(a, axis=0, out=a)


def where_argument(a, x):
    np.add(a, x, out=a, where=a > 1)


def copyto(a, x):
    np.copyto(a, x)


def copyto_where(a, x):
    np.copyto(a, x, where=a < 2)


def put(a, x):
    np.put(a, [0, 1], x)


def place(a, x):
    np.place(a, a > 1, [x])


def putmask(a, x):
    np.putmask(a, a > 1, x)


def add_at(a, x):
    np.add.at(a, [0, 0, 1], x)


def fill(a, x):
    a.fill(x)


def sort(a, x):
    a[0] = x
    a.sort()


def partition(a, x):
    a[0] = x
    a.partition(1)


def put_method(a, x):
    a.put([0], x)


def itemset_of_flat(a, x):
    a.flat[1] = x


def flat_slice(a, x):
    a.flat[1:3] = x


def setting_flat(a, x):
    a.flat = x


def fill_diagonal(a, x):
    np.fill_diagonal(a.reshape(2, -1), x)


def overlapping(a, x):
    a[1:] = a[:-1]


def overlapping_backwards(a, x):
    a[:-1] = a[1:]


def overlapping_augmented(a, x):
    a[1:] += a[:-1]


def reversal(a, x):
    a[:] = a[::-1]


def swap(a, x):
    a[0], a[1] = a[1].copy(), a[0].copy()


def a_loop(a, x):
    for i in range(len(a)):
        a[i] += x * i


def a_loop_over_rows(a, x):
    for row in a.reshape(2, -1):
        row += x
        row[0] = -1


def an_arm(a, x):
    if a[0].sum() < 100:
        a[0] = x
    else:
        a[-1] = x


VECTOR_WRITES = [
    item, negative_item, a_slice, a_strided_slice, a_mask, fancy, a_list_index, ellipsis, new_axis, augmented,
    augmented_item, augmented_slice, augmented_mask, power_and_floor, divide, bitwise, out_argument,
    out_of_a_reduction, where_argument, copyto, copyto_where, put, place, putmask, add_at, fill, sort,
    partition, put_method, itemset_of_flat, flat_slice, setting_flat, overlapping, overlapping_backwards,
    overlapping_augmented, reversal, swap, a_loop, a_loop_over_rows, an_arm,
]  # fmt: skip

# Ways to look at the memory of an array, each a function of the array

VIEWS = {
    "the array": lambda a: a,
    "a slice": lambda a: a[1:5],
    "reversed": lambda a: a[::-1],
    "reshaped": lambda a: a.reshape(2, 3)[1],
    "ravelled": lambda a: a.ravel(),
    "a view of a view": lambda a: a[1:][1:].view(),
    "transposed": lambda a: a.reshape(3, 2).T[1],
    "asarray": lambda a: np.asarray(a),
    "squeezed": lambda a: a[None].squeeze(0),
    "swapped axes": lambda a: np.swapaxes(a.reshape(2, 3), 0, 1)[:, 0],
    "a row": lambda a: list(a.reshape(2, 3))[1],
    "split": lambda a: np.split(a, 2)[0],
    "atleast_1d": lambda a: np.atleast_1d(a),
    "expanded": lambda a: np.expand_dims(a, 0)[0],
}


@pytest.mark.parametrize("dtype", [float, int])
@pytest.mark.parametrize("write", VECTOR_WRITES, ids=lambda write: write.__name__)
def test_a_write_is_the_plain_one(write, dtype) -> None:
    """Result, argument, alias and exception (``/=`` on integers, a float into integers)."""

    def f(a, x):
        before = a.sum()
        write(a, x)
        return before, a.sum(), a

    for x in (2, 2.5):
        check(f, vector(dtype), x, orders=1)


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_write_goes_through_every_view(view) -> None:
    """And what is read from the base, or from another view, sees it."""
    look = VIEWS[view]

    def f(a, x):
        part, other = look(a), a[2:]
        first = a.sum()
        part[0] = x
        second = other.sum()
        part += 1
        other *= 2
        a[-1] = 0
        return first, second, part, other, part.sum()

    check(f, vector(), 50.0, orders=2)


def real_and_imag(z, x):
    z.real += x
    z.imag[1:] = x
    re = z.real
    z *= 2
    return re, z.imag


def diagonal(m, x):
    d = m.diagonal()
    d2 = np.diag(m)
    m[0, 0] = x
    return d, d2


def write_to_a_diagonal(m, x):
    d = m.diagonal()
    d[0] = x
    return d


def einsum_view(m, x):
    d = np.einsum("ii->i", m)
    d += x
    return m


def transposed_add(m, x):
    m += m.T
    m[0] = m[:, 0]
    return m


def columns(m, x):
    m[:, 1] = x
    m[1:, ::2] += m[:2, ::2]
    m[:, -1] *= m[:, 0]
    return m


def mixed_indices(m, x):
    m[1, [0, 2]] = x
    m[[0, 1], 1:] += 1
    m[..., None][0] = 7
    m[np.ix_([0, 2], [1, 2])] = -1
    return m


def boolean_rows(m, x):
    m[np.array([True, False, True])] = x
    m[m[:, 0] > 1, 0] = 0
    return m


def rows_by_iteration(m, x):
    for k, row in enumerate(m):
        row[k] = x
        row[1:] += k
    return m


def rows_that_are_kept(m, x):
    rows = [row for row in m]
    rows[0][:] = x
    m[1] = 5
    return rows


def two_views(m, x):
    top, left = m[0], m[:, 0]
    top[0] = x
    left += 1
    return top, left, m[0, 0]


def copies_are_apart(m, x):
    a, b, c = m.copy(), m[[0, 1]], m.flatten()
    m[0, 0] = x
    a += 1
    b += 1
    c += 1
    return a, b, c


def broadcast_is_read_only(m, x):
    wide = np.broadcast_to(m[0], (2, m.shape[1]))
    m[0, 0] = x
    wide[0, 0] = 1
    return wide


@pytest.mark.parametrize(
    ("f", "a"),
    [
        (real_and_imag, np.arange(3) * (1 + 2j)),
        *[
            (f, np.arange(9.0).reshape(3, 3))
            for f in (diagonal, write_to_a_diagonal, einsum_view, transposed_add)
        ],
        *[
            (f, matrix())
            for f in (
                columns, mixed_indices, boolean_rows, rows_by_iteration, rows_that_are_kept, two_views,
                copies_are_apart, broadcast_is_read_only,
            )
        ],
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_views_of_two_dimensions(f, a) -> None:
    """Diagonals, columns, rows, real and imaginary parts, mixed indices."""
    check(f, a, 3.0, orders=2)


def test_aliases_among_the_arguments() -> None:
    """One array twice, overlapping views, a view of another argument."""

    def f(a, b):
        a[0] = 5
        b += 1
        a[1:] = b[:-1]
        return a, b

    x = vector()
    check(f, x, x)
    check(f, x[:-1], x[1:])
    check(f, x, x[::-1])
    check(f, x, vector())


@pytest.mark.parametrize(
    "write", [item, augmented, out_argument, fill, sort, copyto, put, add_at, setting_flat, an_arm]
)
def test_a_read_only_array_refuses(write) -> None:
    """With NumPy's own error, after the effects before it."""

    def f(a, x):
        print("before")
        write(a, x)
        print("after")
        return a

    a = vector()
    a.flags.writeable = False
    check(f, a, 2.0, orders=1)


@pytest.mark.parametrize("call", [lambda a: a.resize(3), lambda a: a.resize((3, 1))])
def test_what_changes_the_array_itself_is_refused_or_done(call) -> None:
    """Never silently something else."""

    def f(a):
        call(a)
        return a

    try:
        check(f, vector(), orders=1)
    except ag.StagingError as error:
        assert "resize" in str(error)


def test_a_million_writes_copy_nothing() -> None:
    """Peak memory within 1.2 of the array itself."""

    @ag.function
    def f(a, n):
        for i in range(n):
            a[i] = i * 0.5
        return a

    def peak(run) -> int:
        array = np.zeros(1_000_000)
        tracemalloc.start()
        run(array, 1_000_000)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    f(np.zeros(10), 10)
    f(np.zeros(1_000_000), 0)
    assert peak(f) < 0.2 * 8_000_000
