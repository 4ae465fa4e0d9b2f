"""Power iteration: the strongest principal component of the iris measurements that scikit-learn ships."""
from __future__ import annotations

import numpy as np
from sklearn.datasets import load_iris


def strongest(matrix, start, tolerance, limit):
    """The largest eigenvalue of a symmetric matrix, its vector, and the number of rounds."""
    vector = start / np.sqrt(start @ start)
    value = 0.0
    for rounds in range(limit):  # noqa: B007 - returned after the loop
        image = matrix @ vector
        before, value = value, vector @ image
        vector = image / np.sqrt(image @ image)
        if abs(value - before) <= tolerance * abs(value):
            break
    else:
        print("no convergence after", limit, "rounds")
    return value, vector, rounds


def escape_time(real, imaginary, limit):
    """After how many rounds a point leaves the Mandelbrot set; ``limit`` when it stays."""
    z = complex(0.0, 0.0)
    c = complex(real, imaginary)
    for rounds in range(limit):
        if z.real * z.real + z.imag * z.imag > 4.0:
            return rounds
        z = z * z + c
    return limit


def examples():
    """Functions of this module with arguments."""
    measurements, _ = load_iris(return_X_y=True)
    covariance = np.cov(measurements.T)
    return [
        (strongest, (covariance, np.ones(4), 1e-12, 100)),
        (strongest, (covariance, np.ones(4), 0.0, 2)),
        (escape_time, (-0.7435, 0.1314, 400)),
    ]
