"""Objects with a will of their own: iterators, context managers, containers of the user's, linked objects."""
from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import enum
import functools
import itertools
import queue
import threading
from typing import NamedTuple

import numpy as np


def an_object_is_an_argument(stage, call):
    class Tank:
        def __init__(self, level):
            self.level = level

        def drain(self, by):
            self.level -= by

    @stage
    def f(tank, by):
        while tank.level > 0:
            tank.drain(by)
        return tank.level

    one, two = Tank(5.0), Tank(7)
    call(lambda: f(one, 2.0))
    call(lambda: f(two, 3))
    call(lambda: f(one, 2.0))
    one.level = 100
    call(lambda: f(one, 30))
    return one.level, two.level


def one_object_as_two_arguments(stage, call):
    class Box:
        def __init__(self, x):
            self.x = x

    @stage
    def move(a, b, n):
        a.x -= n
        b.x += n
        return a.x, b.x

    one, two = Box(10), Box(0)
    call(lambda: move(one, two, 3))
    call(lambda: move(one, one, 3))
    call(lambda: move(two, one, 1))
    return one.x, two.x


def an_object_argument_that_is_also_a_global(stage, call):
    class Box:
        def __init__(self, x):
            self.x = x

    mine = Box(1)

    @stage
    def f(box, n):
        box.x += n
        return mine.x

    other = Box(50)
    call(lambda: f(other, 1))
    call(lambda: f(mine, 1))
    call(lambda: f(other, 1))
    return mine.x, other.x


def a_linked_list_is_walked(stage, call):
    class Node:
        def __init__(self, value, next_=None):
            self.value, self.next = value, next_

    head = Node(1, Node(2, Node(3)))

    @stage
    def f(x):
        total, node = 0, head
        while node is not None:
            node.value += x
            total += node.value
            node = node.next
        return total

    call(f, 1)
    head.next.next.next = Node(10)
    call(f, 1)
    head.next = None
    call(f, 1)
    return head.value


def an_object_of_objects_is_swapped_in_a_loop(stage, call):
    class Buffers:
        def __init__(self):
            self.now, self.next = np.zeros(3), np.ones(3)

        def flip(self):
            self.now, self.next = self.next, self.now

    buffers = Buffers()

    @stage
    def f(n):
        for i in range(n):
            buffers.next[i % 3] += buffers.now.sum() + i
            buffers.flip()
        return buffers.now

    call(f, 2)
    call(f, 15)
    return vars(buffers)


def an_iterator_of_outside_is_used_up(stage, call):
    numbers = iter([1, 2, 3, 4, 5])

    @stage
    def f(x):
        return next(numbers) + x

    for _ in range(3):
        call(f, 10)
    return list(numbers)


def a_counter_of_itertools(stage, call):
    ids = itertools.count(5)

    @stage
    def f(x):
        first = next(ids)
        if x > 0:
            return next(ids), first
        return first, first

    for x in (1, 0, 1):
        call(f, x)
    return next(ids)


def a_generator_of_outside(stage, call):
    def numbers():
        for k in range(4):
            yield k * 1.5

    source = numbers()

    @stage
    def f(x):
        return next(source, -1.0) * x

    for _ in range(5):
        call(f, 2.0)


def an_iterator_class_of_the_users(stage, call):
    class Down:
        def __init__(self, n):
            self.n = n

        def __iter__(self):
            return self

        def __next__(self):
            if self.n <= 0:
                raise StopIteration
            self.n -= 1
            return self.n

    down = Down(3)

    @stage
    def f(x):
        total = x
        for k in down:
            total += k
        return total

    call(f, 1)
    call(f, 1)
    down.n = 12
    call(f, 1)
    return down.n


def a_context_manager_of_the_users(stage, call):
    class Timer:
        def __init__(self):
            self.inside = False
            self.log = []

        def __enter__(self):
            self.inside = True
            return self

        def __exit__(self, kind, error, trace):
            self.inside = False
            self.log.append(None if kind is None else kind.__name__)
            return kind is KeyError

    timer = Timer()

    @stage
    def f(x):
        with timer:
            seen = timer.inside
            if x > 1:
                raise KeyError(x)
            if x < 0:
                raise ValueError(x)
        return seen, timer.inside

    for x in (1, -1, 0):
        call(f, x)
    return timer.log, timer.inside


def contextlib_of_the_users(stage, call):
    log = []

    @contextlib.contextmanager
    def logged(name):
        log.append(f"enter {name}")
        try:
            yield len(log)
        finally:
            log.append(f"leave {name}")

    @stage
    def f(x):
        with logged("a") as n:
            if x < 0:
                raise ValueError("negative")
            return n + x

    for x in (1, -1, 2):
        call(f, x)
    return log


def a_container_class_of_the_users(stage, call):
    class Ring:
        def __init__(self, n):
            self.items = [0] * n
            self.reads = 0

        def __getitem__(self, k):
            self.reads += 1
            return self.items[k % len(self.items)]

        def __setitem__(self, k, value):
            self.items[k % len(self.items)] = value

        def __len__(self):
            return len(self.items)

        def __delitem__(self, k):
            self.items[k % len(self.items)] = None

        def __bool__(self):
            return self.reads < 5

    ring = Ring(3)

    @stage
    def f(k, x):
        ring[k] = x
        ring[k] += 1
        if ring:
            return ring[k + 3], len(ring)
        del ring[0]
        return ring[k], 0

    for k in (0, 4, 5, 7):
        call(f, k, k * 10)
    return ring.items, ring.reads


def operators_of_the_users_make_new_objects(stage, call):
    class Vector:
        made = 0

        def __init__(self, x, y):
            Vector.made += 1
            self.x, self.y = x, y

        def __add__(self, other):
            return Vector(self.x + other.x, self.y + other.y)

        def __iadd__(self, other):
            self.x += other.x
            self.y += other.y
            return self

        def __mul__(self, k):
            return Vector(self.x * k, self.y * k)

        def __eq__(self, other):
            return self.x == other.x and self.y == other.y

        __hash__ = None

    origin, step = Vector(0, 0), Vector(1, 2)

    @stage
    def f(n):
        place = origin
        for _ in range(n):
            place = place + step * 2
        global_place = origin
        global_place += step
        return place.x, place.y, origin == step, Vector.made

    call(f, 2)
    call(f, 10)
    step.y = 0.5
    call(f, 1)
    return origin.x, origin.y


def an_enum_of_states(stage, call):
    class State(enum.Enum):
        RED = 1
        GREEN = 2

    class Light:
        state = State.RED
        turns = 0

    light = Light()

    @stage
    def turn(x):
        if x > 0:
            light.state = State.GREEN if light.state is State.RED else State.RED
            light.turns += 1
        return light.state is State.RED, light.state.value

    for x in (1, 0, 1, 1):
        call(turn, x)
    return light.turns, light.state.name


def a_named_tuple_is_replaced(stage, call):
    class Point(NamedTuple):
        x: float
        y: float

    class Holder:
        place = Point(0.0, 1.0)

    holder = Holder()

    @stage
    def f(dx):
        holder.place = holder.place._replace(x=holder.place.x + dx)
        return holder.place.x * holder.place.y

    call(f, 1.0)
    call(f, 2.0)
    holder.place = Point(5, 6)
    call(f, 1)
    return tuple(holder.place)


def a_cached_property(stage, call):
    class Data:
        computed = 0

        def __init__(self, values):
            self.values = values

        @functools.cached_property
        def total(self):
            Data.computed += 1
            return self.values.sum()

    data = Data(np.arange(3.0))

    @stage
    def f(x):
        return data.total * x

    call(f, 2)
    data.values = np.ones(3)
    call(f, 2)
    del data.total
    call(f, 2)
    return Data.computed


def a_cached_function(stage, call):
    calls = []

    @functools.lru_cache
    def slow(n):
        calls.append(n)
        return n * n

    @stage
    def f(n):
        return slow(n) + slow(n)

    for n in (2, 3, 2):
        call(f, n)
    slow.cache_clear()
    call(f, 2)
    return calls


def a_decorated_function_counts(stage, call):
    def counted(function):
        @functools.wraps(function)
        def wrapper(*args):
            wrapper.calls += 1
            return function(*args)

        wrapper.calls = 0
        return wrapper

    @counted
    def double(x):
        return 2 * x

    @stage
    def f(x):
        return double(x) + double(1)

    call(f, 1)
    call(f, 2)
    return double.calls


def inheritance_with_state_in_the_base(stage, call):
    class Base:
        total = 0

        def add(self, x):
            self.total += self.weight(x)
            return self.total

        def weight(self, x):
            return x

    class Heavy(Base):
        factor = 10

        def weight(self, x):
            return super().weight(x) * self.factor

    things = [Base(), Heavy()]

    @stage
    def f(x):
        for thing in things:
            thing.add(x)
        return things[0].total, things[1].total

    call(f, 1)
    Heavy.factor = 2
    call(f, 1)
    things.reverse()
    call(f, 1)
    return [thing.total for thing in things]


def a_dataclass_that_computes_after_init(stage, call):
    @dataclasses.dataclass
    class Window:
        size: int
        values: list = dataclasses.field(default_factory=list)
        full: bool = dataclasses.field(init=False, default=False)

        def push(self, x):
            self.values.append(x)
            if len(self.values) > self.size:
                self.values.pop(0)
            self.full = len(self.values) == self.size

    window = Window(2)

    @stage
    def f(xs):
        for x in xs:
            window.push(x)
        return window.full, sum(window.values)

    call(f, [1])
    call(f, [2, 3, 4])
    window.size = 4
    call(f, (5, 6))
    return window.values


def objects_made_in_a_loop_are_kept(stage, call):
    class Event:
        def __init__(self, time, kind):
            self.time, self.kind = time, kind

    events = []

    @stage
    def f(n):
        for i in range(n):
            event = Event(i * 0.5, i)
            if i % 2:
                event.kind = -1
            events.append(event)
        return len(events)

    call(f, 3)
    call(f, 20)
    return [(event.time, event.kind) for event in events]


def object_identity(stage, call):
    class Box:
        pass

    one, two = Box(), Box()

    @stage
    def f(a, b):
        return a is b, a is one, b is two, a == b, a != b

    call(lambda: f(one, two))
    call(lambda: f(one, one))
    call(lambda: f(two, one))


def a_row_is_written_through_an_unknown_reference(stage, call):
    grid = [[1, 2], [3, 4]]
    first = grid[0]

    @stage
    def f(i, x):
        before = first[0]
        row = grid[i]
        row[0] = x
        row.append(x)
        return before, first[0], len(first)

    call(f, 0, 10)
    call(f, 1, 20)
    call(f, -2, 30)
    return grid


def a_list_inside_an_unknown_dict(stage, call):
    groups = {"a": [1], "b": [2]}
    a = groups["a"]

    @stage
    def f(flag, x):
        name = "a" if flag > 0 else "b"
        groups[name].append(x)
        return len(a), a[-1]

    call(f, 1, 5)
    call(f, 0, 6)
    call(f, 1, 7)
    return groups


def a_list_of_the_class_is_shared(stage, call):
    class Box:
        items = []

        def add(self, x):
            self.items.append(x)
            return len(self.items)

    one, two = Box(), Box()

    @stage
    def f(x):
        return one.add(x), two.add(x)

    call(f, 1)
    call(f, 2)
    two.items = []
    call(f, 3)
    return Box.items, two.items


def a_class_method_asks_its_base(stage, call):
    class Base:
        n = 0

        @classmethod
        def bump(cls, x):
            cls.n += x
            return cls.n

    class Child(Base):
        @classmethod
        def bump(cls, x):
            cls.last = x
            return super().bump(x) * 2

    @stage
    def f(x):
        return Child.bump(x), Base.n

    call(f, 1)
    Child.n = 10
    call(f, 2)
    return Base.n, Child.n, Child.last


def making_an_object_is_counted(stage, call):
    class Thing:
        made = 0

        def __new__(cls, *args):
            cls.made += 1
            return super().__new__(cls)

        def __init__(self, x):
            self.x = x

        @classmethod
        def make(cls, x):
            return cls(x)

    @stage
    def f(x):
        return Thing.make(x).x, Thing.made

    call(f, 1)
    call(f, 2)
    return Thing.made


def a_registry_of_functions(stage, call):
    registry = {}

    def register(name):
        def decorate(function):
            registry[name] = function
            return function

        return decorate

    @register("a")
    def first(x):
        return x + 1

    @register("b")
    def second(x):
        return x * 10

    @stage
    def f(name, x):
        return registry[name](x)

    call(f, "a", 1)
    call(f, "b", 2)
    registry["a"] = lambda x: -x
    call(f, "a", 3)


def a_tree_of_objects(stage, call):
    class Node:
        def __init__(self, value, *kids):
            self.value, self.kids = value, list(kids)

        def total(self):
            return self.value + sum(kid.total() for kid in self.kids)

        def grow(self, by):
            self.value += by
            for kid in self.kids:
                kid.grow(by)

    root = Node(1, Node(2, Node(4)), Node(3))

    @stage
    def f(x):
        root.grow(x)
        return root.total()

    call(f, 1)
    root.kids[0].kids.append(Node(100))
    call(f, 2)
    return root.total()


def things_of_the_threading_module(stage, call):
    local, lock, queue_ = threading.local(), threading.Lock(), queue.Queue()
    local.n = 0
    setting = contextvars.ContextVar("setting", default=1)

    @stage
    def f(x):
        with lock:
            local.n += x
            queue_.put(local.n)
            if x > 1:
                raise ValueError(local.n)
        setting.set(setting.get() + x)
        return queue_.qsize(), setting.get()

    for x in (1, 2, 1):
        call(f, x)
    return local.n, lock.locked(), queue_.get()
