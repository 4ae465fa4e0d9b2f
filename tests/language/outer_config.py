"""A module of the user's whose attributes other modules read and write."""

import numpy as np

RATE = 0.5
TABLE = np.arange(4.0)
NAMES = ["a"]


def scale(x):
    return x * RATE


class Kind:
    LIMIT = 3
