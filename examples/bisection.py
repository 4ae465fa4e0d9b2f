"""Bisection, with an early return for each way it may end."""
from __future__ import annotations

import numpy as np


def decay(t):
    """How far a cooling body is above the temperature it should have: zero at the moment sought."""
    return 80.0 * np.exp(-0.3 * t) - 12.5


def bisect(low, high, tolerance):
    """The moment between ``low`` and ``high`` at which ``decay`` is zero.

    Raises:
        ValueError: it has the same sign at both ends.
    """
    at_low, at_high = decay(low), decay(high)
    if at_low == 0:
        return low
    if at_high == 0:
        return high
    if (at_low > 0) == (at_high > 0):
        raise ValueError(f"no change of sign between {low} and {high}")
    while True:
        middle = (low + high) / 2
        value = decay(middle)
        if value == 0 or high - low < tolerance:
            return middle
        if (value > 0) == (at_low > 0):
            low = middle
        else:
            high = middle


def first_above(values, limit):
    """The place of the first of the sorted ``values`` above ``limit``; None when there is none."""
    left, right = 0, len(values)
    while left < right:
        middle = (left + right) // 2
        if values[middle] > limit:
            right = middle
        else:
            left = middle + 1
    if left == len(values):
        return None
    return left


def examples():
    """Functions of this module with arguments."""
    values = np.sqrt(np.arange(10_000.0))
    return [
        (bisect, (0.0, 20.0, 1e-12)),
        (bisect, (10.0, 20.0, 1e-12)),
        (first_above, (values, 31.4)),
        (first_above, (values, 1000.0)),
    ]
