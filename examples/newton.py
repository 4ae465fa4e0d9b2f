"""Newton's method on real polynomials, coefficients from the highest power down as in ``np.polyval``."""
from __future__ import annotations

import numpy as np

WILKINSON = np.poly(np.arange(1.0, 8.0))  # roots 1 to 7
CHEBYSHEV = np.array([16.0, 0.0, -20.0, 0.0, 5.0, 0.0])  # T5: five roots between -1 and 1
GOLDEN = np.array([1.0, -1.0, -1.0])


def horner(coefficients, x):
    """The polynomial and its derivative at ``x``."""
    value, slope = 0.0, 0.0
    for coefficient in coefficients:
        slope = slope * x + value
        value = value * x + coefficient
    return value, slope


def newton(coefficients, x, tolerance=1e-12, limit=50):
    """A root near ``x``, and the number of steps; the number is -1 when it does not converge."""
    for step in range(limit):
        value, slope = horner(coefficients, x)
        if abs(value) < tolerance:
            return x, step
        if slope == 0:
            x = x + 0.5  # a flat place: start again beside it
            continue
        x = x - value / slope
    return x, -1


def all_roots(coefficients, x):
    """Every root of a polynomial with real roots only, the largest first: find one, divide it out."""
    coefficients = coefficients.copy()
    degree = len(coefficients) - 1
    roots = np.zeros(degree)
    for k in range(degree):
        root, _ = newton(coefficients[: degree - k + 1], x)
        roots[k] = root
        carried = 0.0
        for i in range(degree - k + 1):
            carried = carried * root + coefficients[i]
            coefficients[i] = carried
    return roots


def examples():
    """Functions of this module with arguments."""
    return [
        (horner, (WILKINSON, 2.5)),
        (newton, (GOLDEN, 2.0)),
        (newton, (CHEBYSHEV, 1.0)),
        (all_roots, (WILKINSON, 10.0)),
    ]
