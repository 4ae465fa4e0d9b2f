"""Attributes of objects: when they are read and written, and what they hold."""

from __future__ import annotations

import weakref
from types import SimpleNamespace

import numpy as np


def a_counter_counts_every_call(stage, call):
    counter = SimpleNamespace(n=0)

    @stage
    def tick(x):
        counter.n += 1
        return x * counter.n

    for x in range(4):
        call(tick, x)
    counter.n = 100
    call(tick, 1)
    return counter.n


def a_rate_that_changes_between_calls(stage, call):
    model = SimpleNamespace(rate=0.1)

    @stage
    def scale(x):
        return x * model.rate

    for rate in (0.1, 0.2, 0.2, 3, True, np.float32(2), 1j):
        model.rate = rate
        call(scale, 2.0)
        call(scale, np.arange(3.0))


def an_attribute_changes_its_kind(stage, call):
    box = SimpleNamespace(value=1)

    @stage
    def read():
        return box.value

    arrays = (np.arange(3), np.float32(1))
    for value in (1, 2.0, "text", None, [1, 2], (3, 4.0), {"a": 1}, *arrays, 5, b"x", int, len):
        box.value = value
        call(read)


def a_setting_is_text(stage, call):
    settings = SimpleNamespace(mode="square")

    @stage
    def apply(x):
        if settings.mode == "square":
            return x * x
        return x + 1

    call(apply, 3)
    settings.mode = "other"
    call(apply, 3)
    settings.mode = "square"
    call(apply, 4)


def a_number_read_and_written_in_one_arm(stage, call):
    state = SimpleNamespace(best=10.0, hits=0)

    @stage
    def offer(x):
        if x < state.best:
            state.best = x
            state.hits += 1
        return state.best

    for x in (12.0, 7.0, 8.0, 3.5):
        call(offer, x)
    return vars(state)


def both_arms_write(stage, call):
    state = SimpleNamespace(sign=0, log=0)

    @stage
    def f(x):
        if x > 0:
            state.sign = 1
        elif x < 0:
            state.sign = -1
            state.log += x
        else:
            state.sign = 0.5
        return state.sign * 2

    for x in (3, -2, 0, 5):
        call(f, x)
    return vars(state)


def writes_in_a_staged_loop(stage, call):
    state = SimpleNamespace(total=0, last=None)

    @stage
    def add_up(n):
        for i in range(n):
            state.total += i
            state.last = i
        return state.total

    for n in (5, 0, 20, 3):
        call(add_up, n)
    return vars(state)


def writes_in_a_while_loop(stage, call):
    tank = SimpleNamespace(level=10.0, drops=0)

    @stage
    def drain(rate):
        while tank.level > 0:
            tank.level -= rate
            tank.drops += 1
            if tank.drops > 50:
                break
        return tank.level

    call(drain, 3.0)
    tank.level = 1.0
    call(drain, 0.25)
    tank.level = 100
    call(drain, 1)
    return vars(tank)


def the_test_of_a_loop_reads_what_its_body_writes(stage, call):
    cursor = SimpleNamespace(place=0)

    @stage
    def search(values, wanted):
        while cursor.place < len(values) and values[cursor.place] != wanted:
            cursor.place += 1
        return cursor.place

    data = np.array([4, 8, 15, 16])
    call(search, data, 15)
    call(search, data, 99)
    cursor.place = 0
    call(search, data, 4)
    return cursor.place


def a_method_called_in_a_loop_writes(stage, call):
    class Account:
        def __init__(self):
            self.balance = 0
            self.moves = 0

        def put(self, amount):
            if amount < 0 and self.balance + amount < 0:
                return False
            self.balance += amount
            self.moves += 1
            return True

    account = Account()

    @stage
    def process(amounts):
        refused = 0
        for amount in amounts:
            if not account.put(amount):
                refused += 1
        return refused

    call(process, np.array([5, -7, 3, -8, -8]))
    call(process, np.array([1]))
    return vars(account)


def self_is_an_argument(stage, call):
    class Filter:
        def __init__(self, alpha):
            self.alpha, self.mean = alpha, 0.0

        @stage
        def update(self, x):
            self.mean = self.alpha * x + (1 - self.alpha) * self.mean
            return self.mean

    one, two = Filter(0.5), Filter(0.25)
    for x in (1.0, 2.0, -4.0):
        call(lambda x=x: one.update(x))
        call(lambda x=x: two.update(x))
    one.alpha = 1.0
    call(lambda: one.update(9.0))
    return vars(one), vars(two)


def two_objects_of_one_class_do_not_mix(stage, call):
    class Point:
        def __init__(self, x):
            self.x = x

    left, right = Point(1), Point(10)

    @stage
    def swap(n):
        if n > 0:
            left.x, right.x = right.x, left.x
        return left.x - right.x

    for n in (1, 0, 2):
        call(swap, n)
    return left.x, right.x


def two_names_for_one_object(stage, call):
    one = SimpleNamespace(x=1)
    two = one

    @stage
    def f(n):
        one.x = n
        first = two.x
        two.x = n + 1
        return first, one.x

    for n in (5, 7):
        call(f, n)
    two = SimpleNamespace(x=50)
    call(f, 8)
    return one.x, two.x


def a_written_name_is_read_through_an_alias(stage, call):
    shared = SimpleNamespace(rate=1)
    left = SimpleNamespace(config=shared)
    right = SimpleNamespace(config=shared)

    @stage
    def f(x):
        left.config.rate = left.config.rate + x
        return right.config.rate

    call(f, 1)
    call(f, 2)
    right.config = SimpleNamespace(rate=7)
    call(f, 3)
    right.config = left.config
    call(f, 4)
    return shared.rate


def an_object_is_exchanged_during_the_call(stage, call):
    first, second = SimpleNamespace(x=1), SimpleNamespace(x=20)
    holder = SimpleNamespace(held=first)

    @stage
    def f(n):
        before = holder.held.x
        if n > 0:
            holder.held = second
        holder.held.x += 1
        return before, holder.held.x

    call(f, 0)
    call(f, 1)
    call(f, 1)
    holder.held = first
    call(f, 0)
    return first.x, second.x


def an_object_is_exchanged_between_calls(stage, call):
    holder = SimpleNamespace(held=SimpleNamespace(x=1))

    @stage
    def f(n):
        holder.held.x += n
        return holder.held.x

    for x in (1, 100, 1000):
        call(f, 1)
        holder.held = SimpleNamespace(x=x)
    return holder.held.x


def a_chain_of_attributes(stage, call):
    a = SimpleNamespace(b=SimpleNamespace(c=SimpleNamespace(n=0, v=np.zeros(2))))

    @stage
    def f(x):
        a.b.c.n += x
        a.b.c.v[0] += x
        a.b.c.v = a.b.c.v + 1
        return a.b.c.n

    for x in (1, 2, 3):
        call(f, x)
    return a.b.c.n, a.b.c.v


def an_array_attribute_is_rebound_with_another_shape(stage, call):
    state = SimpleNamespace(w=np.zeros(2))

    @stage
    def f(x):
        state.w = state.w + x
        return state.w.sum()

    for w in (np.zeros(2), np.ones(3), np.ones((2, 2)), np.arange(3), np.float64(1), 3, np.ones(0)):
        state.w = w
        call(f, 1.5)
        call(f, 2)
    return state.w


def an_array_attribute_changes_in_place(stage, call):
    state = SimpleNamespace(w=np.arange(4.0))
    alias = state.w

    @stage
    def f(i, x):
        state.w[i] = x
        state.w *= 2
        return state.w

    for i in (0, 3, -1):
        call(f, i, 5.0)
    return alias, alias is state.w


def an_array_attribute_and_its_view(stage, call):
    state = SimpleNamespace(w=np.arange(6.0))
    state.row = state.w[2:4]

    @stage
    def f(x):
        state.row += x
        total = state.w.sum()
        state.w[3] = -1
        return total, state.row

    call(f, 1)
    state.row = np.zeros(2)
    call(f, 2)
    return vars(state)


def an_integer_array_attribute_refuses_floats(stage, call):
    state = SimpleNamespace(w=np.arange(3), done=0)

    @stage
    def f(x):
        state.done += 1
        state.w += x
        state.done += 1

    call(f, 1)
    call(f, 0.5)
    state.w = state.w * 1.0
    call(f, 0.5)
    return vars(state)


def a_weak_reference(stage, call):
    class Node:
        def __init__(self):
            self.x = 1

    node = Node()
    reference = weakref.ref(node)

    @stage
    def f(n):
        there = reference()
        if there is None:
            return -1
        there.x += n
        return there.x

    call(f, 1)
    call(f, 2)
    seen = node.x
    del node
    call(f, 3)
    return seen


def a_tuple_attribute(stage, call):
    box = SimpleNamespace(pair=(1, 2.0))

    @stage
    def f(x):
        a, b = box.pair
        box.pair = (b, a + x)
        return a

    for x in (1, 2):
        call(f, x)
    box.pair = (7, 8)
    call(f, 3)
    box.pair = (7, 8, 9)
    call(f, 3)
    return box.pair


def a_list_attribute(stage, call):
    box = SimpleNamespace(items=[])

    @stage
    def f(x):
        box.items.append(x)
        return len(box.items)

    for x in (1, 2.0, np.arange(2)):
        call(f, x)
    box.items = [5]
    call(f, 1)
    box.items = ()
    call(f, 1)
    return box.items


def a_dict_attribute(stage, call):
    box = SimpleNamespace(table={"hits": 0})

    @stage
    def f(x):
        if x > 0:
            box.table["hits"] += 1
        box.table["last"] = x
        return box.table["hits"]

    for x in (1, -1, 2):
        call(f, x)
    box.table = {"hits": 10, "more": 1}
    call(f, 5)
    return box.table


def an_attribute_is_set_to_an_argument_array(stage, call):
    box = SimpleNamespace(kept=None)

    @stage
    def keep(x):
        box.kept = x
        x[0] = 9
        return box.kept.sum()

    first = np.zeros(3)
    call(keep, first)
    call(keep, np.ones(2))
    return box.kept, first


def an_attribute_is_set_to_a_list_of_symbols(stage, call):
    box = SimpleNamespace(kept=None)

    @stage
    def keep(x):
        box.kept = [x, x + 1]
        box.kept.append(3)
        return box.kept[0]

    call(keep, 1)
    call(keep, np.ones(2))
    return box.kept


def a_new_object_is_put_into_an_attribute(stage, call):
    class Node:
        def __init__(self, value, next_):
            self.value, self.next = value, next_

    holder = SimpleNamespace(head=None)

    @stage
    def push(x):
        holder.head = Node(x, holder.head)
        return holder.head.value

    for x in (1, 2, 3):
        call(push, x)
    values, node = [], holder.head
    while node is not None:
        values.append(node.value)
        node = node.next
    return values


def the_attribute_is_none_at_first(stage, call):
    cache = SimpleNamespace(value=None)

    @stage
    def f(x):
        if cache.value is None:
            cache.value = x * 2
        return cache.value

    call(f, 3)
    call(f, 100)
    cache.value = None
    call(f, 5)
    return cache.value


def a_flag_attribute_is_toggled(stage, call):
    state = SimpleNamespace(on=False, n=0)

    @stage
    def toggle(x):
        state.on = not state.on
        if state.on:
            state.n += x
        return state.on

    for x in (1, 2, 3):
        call(toggle, x)
    return vars(state)


def read_after_a_write_in_a_called_function(stage, call):
    state = SimpleNamespace(x=0)

    def bump(by):
        state.x += by

    @stage
    def f(n):
        before = state.x
        bump(n)
        middle = state.x
        if n > 1:
            bump(n)
        return before, middle, state.x

    call(f, 1)
    call(f, 2)
    return state.x


def an_unknown_function_changes_the_attribute(stage, call):
    import autograph as ag

    state = SimpleNamespace(x=1, w=np.zeros(2))

    @ag.do_not_convert
    def meddle(n):
        state.x += n
        state.w = np.ones(3) * n

    @stage
    def f(n):
        before = state.x
        meddle(n)
        return before, state.x, state.w

    call(f, 5)
    call(f, 6)
    return vars(state)


def an_unknown_function_in_a_loop_changes_the_attribute(stage, call):
    import autograph as ag

    state = SimpleNamespace(x=1)

    @ag.do_not_convert
    def meddle():
        state.x += 1

    @stage
    def f(n):
        seen = 0
        for _ in range(n):
            seen += state.x
            meddle()
        return seen

    call(f, 3)
    call(f, 20)
    return state.x


def an_operator_method_writes(stage, call):
    class Meter:
        def __init__(self):
            self.n = 0

        def __add__(self, other):
            self.n += 1
            return other + self.n

        def __getitem__(self, index):
            self.n += 10
            return index * 2

        def __call__(self, x):
            self.n += 100
            return -x

        def __len__(self):
            return self.n

        def __contains__(self, x):
            self.n += 1000
            return x > 3

    meter = Meter()

    @stage
    def f(x):
        a = meter + x
        b = meter[x]
        c = meter(x)
        d = x in meter
        return a, b, c, d, len(meter)

    call(f, 1)
    call(f, 5)
    return meter.n
