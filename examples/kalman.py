"""A Kalman filter over a series: position and speed of something of which only noisy positions are seen.

The series is the progression of disease over the body-mass index of 442 patients, from the diabetes data that
scikit-learn ships: sorted by the index it is a noisy, slowly rising curve.
"""
from __future__ import annotations

import numpy as np
from sklearn.datasets import load_diabetes


def kalman(series, drift, noise):
    """The filtered positions; a missing observation (nan) is bridged by the prediction alone."""
    state = np.array([series[0], 0.0])
    spread = np.eye(2) * noise
    step = np.array([[1.0, 1.0], [0.0, 1.0]])
    seen = np.array([1.0, 0.0])
    positions = np.empty_like(series)
    for i, observed in enumerate(series):
        state = step @ state
        spread = step @ spread @ step.T + drift * np.eye(2)
        if not np.isnan(observed):
            surprise = observed - seen @ state
            gain = spread @ seen / (seen @ spread @ seen + noise)
            state = state + gain * surprise
            spread = spread - np.outer(gain, seen @ spread)
        positions[i] = state[0]
    return positions


def outliers(series, positions, limit):
    """Mark in place the observations that are far from the filtered series; how many there are."""
    found = 0
    for i in range(len(series)):
        if np.isnan(series[i]):
            continue
        if abs(series[i] - positions[i]) > limit:
            series[i] = np.nan
            found += 1
    return found


def examples():
    """Functions of this module with arguments."""
    data, progression = load_diabetes(return_X_y=True)
    series = progression[np.argsort(data[:, 2], kind="stable")].copy()
    series[100:110] = np.nan
    return [
        (kalman, (series, 0.001, 4000.0)),
        (outliers, (series, np.full_like(series, 150.0), 120.0)),
    ]
