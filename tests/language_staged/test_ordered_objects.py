"""Objects of the user's in order: heaps, sorted lists, bisection, the least and the greatest."""

from __future__ import annotations

import bisect
import heapq
from dataclasses import dataclass

from equivalence import check, parametrize


@dataclass(order=True)
class Event:
    time: float


class Task:
    def __init__(self, rank):
        self.rank = rank

    def __lt__(self, other):
        return self.rank < other.rank


def simulates(x):
    queue = [Event(x), Event(x + 1)]
    heapq.heapify(queue)
    count = 0
    while queue:
        event = heapq.heappop(queue)
        count += 1
        if event.time < 3:
            heapq.heappush(queue, Event(event.time + 1))
    return event.time, count


def sorts(x):
    tasks = [Task(x), Task(x - 1), Task(3)]
    ordered = sorted(tasks)
    tasks.sort()
    place = bisect.bisect_left(tasks, Task(2))
    bisect.insort(tasks, Task(x + 1))
    return [t.rank for t in ordered], [t.rank for t in tasks], min(tasks).rank, max(tasks).rank, place


def takes_a_heap(tasks, x):
    heapq.heappush(tasks, Task(x))
    return heapq.heappop(tasks).rank, [t.rank for t in sorted(tasks)], min(tasks).rank


def pairs(x):
    queue = [(x, Event(x)), (x, Event(x + 1))]
    heapq.heapify(queue)
    return heapq.heappop(queue)[1].time, sorted(queue)[0][0], max(Event(x), Event(2.0)).time


@parametrize(
    [
        *((f, x) for f in (simulates, sorts, pairs) for x in (0.0, 1, 7)),
        *((takes_a_heap, [Task(1), Task(2)], x) for x in (0, 5)),
    ]
)
def test_objects_are_put_in_order(f, args):
    """Their ``__lt__`` decides, on fields that only the run knows."""
    check(f, *args)
