"""k-means on the 1,797 handwritten digits that scikit-learn ships: 8 x 8 pixels each."""
from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits


def kmeans(points, centres, limit):
    """Lloyd's algorithm, moving ``centres`` in place; the label of each point and the number of rounds."""
    labels = np.zeros(len(points), dtype=np.int64)
    rounds = 0
    while rounds < limit:
        rounds += 1
        distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        nearest = np.argmin(distances, axis=1)
        if (nearest == labels).all():
            break
        labels = nearest
        for k in range(len(centres)):
            members = points[labels == k]
            if len(members) > 0:
                centres[k] = members.mean(axis=0)
    return labels, rounds


def inertia(points, centres, labels):
    """The sum of the squared distances from each point to the centre that it belongs to."""
    total = 0.0
    for i, label in enumerate(labels):
        offset = points[i] - centres[label]
        total += offset @ offset
    return total


def examples():
    """Functions of this module with arguments."""
    digits, _ = load_digits(return_X_y=True)
    centres = digits[::180][:10].copy()
    distances = ((digits[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    return [
        (kmeans, (digits, centres, 30)),
        (inertia, (digits, centres, np.argmin(distances, axis=1))),
    ]
