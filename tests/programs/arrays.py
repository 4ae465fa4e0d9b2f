"""Arrays: kinds of results, writing in place, views and aliases, iteration."""
from __future__ import annotations

import numpy as np


def kinds(x, n):
    return x, x[0], x.sum(), float(x[0]), n, n / 2, x > 0, len(x), x.shape, x[:1]


def double_in_place(x):
    for i in range(x.size):
        x[i] = 2 * x[i]


def clip_items(x, low, high):
    for i, value in enumerate(x):
        if value < low:
            x[i] = low
        elif value > high:
            x[i] = high
    return x


def write_through_views(x):
    head = x[:2]
    back = x[::-1]
    head[0] = 10.0
    back[0] += 1.0
    return head.sum(), x


def augment_is_in_place(x):
    y = x
    y += 1
    return y is x, y


def rebind_is_not(x):
    y = x
    y = y + 1
    return y is x, y


def conditional_view(x, n):
    if n > 0:
        part = x[1:]
    else:
        part = x
    part[0] = -1.0
    return part


def fibonacci(n):
    numbers = np.zeros(n, dtype=np.int64)
    a, b = 0, 1
    for i in range(n):
        numbers[i] = a
        a, b = b, a + b
    return numbers


def matrix_power(m, n):
    result = np.eye(len(m))
    while n > 0:
        if n % 2 == 1:
            result = result @ m
        m = m @ m
        n //= 2
    return result


def rows_and_columns(m):
    total = 0.0
    for row in m:
        for value in row:
            total += value
    for column in m.T:
        total *= 1 + column.mean()
    return total


def pairs(x, y):
    out = np.zeros(3)
    for i, (a, b) in enumerate(zip(x, y)):
        out[i] = a * b if a < b else a - b
    return out


def growing_shape(x, n):
    while n > 0:
        x = np.concatenate([x, x[:1]])
        n -= 1
    return x


def int_becomes_float_maybe(x, n):
    total = 0
    for i in range(n):
        if i > 2:
            total += x
    return total


def swap_rows(m, i, j):
    m[[i, j]] = m[[j, i]]
    m[:, 0] *= 2
    return m


def sort_in_place(x):
    for i in range(1, len(x)):
        j = i
        while j > 0 and x[j - 1] > x[j]:
            x[j - 1], x[j] = x[j], x[j - 1]
            j -= 1
    return x


def masked(x, limit):
    x[x > limit] = 0.0
    return np.where(x == 0, 1.0, x), np.count_nonzero(x)


def dtypes(x):
    return x + 1, x * 2.0, x / 2, x.astype(np.float32) + 1, np.float32(2) * x[0]


CASES = [
    (kinds, np.array([1.5, -2.0]), 3),
    (kinds, np.array([1, 2, 3]), 2.5),
    (double_in_place, np.arange(4)),
    (clip_items, np.array([-3.0, 0.5, 7.0]), 0.0, 1.0),
    (write_through_views, np.arange(4.0)),
    (augment_is_in_place, np.arange(3)),
    (rebind_is_not, np.arange(3)),
    (conditional_view, np.arange(3.0), 1),
    (conditional_view, np.arange(3.0), 0),
    (fibonacci, 20),
    (matrix_power, np.array([[1.0, 1.0], [1.0, 0.0]]), 10),
    (rows_and_columns, np.arange(6.0).reshape(2, 3)),
    (pairs, np.array([1.0, 5.0, 2.0]), np.array([3.0, 4.0, 2.0])),
    (growing_shape, np.array([1.0, 2.0]), 3),
    (growing_shape, np.array([1.0, 2.0]), 0),
    (int_becomes_float_maybe, 0.5, 2),
    (int_becomes_float_maybe, 0.5, 5),
    (swap_rows, np.arange(6.0).reshape(3, 2), 0, 2),
    (sort_in_place, np.array([3, 1, 2, 0])),
    (masked, np.array([1.0, 5.0, 2.0]), 1.5),
    (dtypes, np.array([1, 2], dtype=np.int8)),
    (dtypes, np.array([1, 2], dtype=np.uint64)),
]
