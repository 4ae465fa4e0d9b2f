"""Lists, dicts and sets outside the function, and arguments that are containers."""
from __future__ import annotations

import collections
from types import SimpleNamespace

import numpy as np


def an_outer_list_is_appended_to(stage, call):
    items = []

    @stage
    def f(x):
        items.append(x)
        return items[-1]

    for x in (1, 2.0, np.ones(2)):
        call(f, x)
    items.clear()
    call(f, 1)
    return items


def an_outer_list_grows_in_a_loop(stage, call):
    items = [0]

    @stage
    def f(n):
        for i in range(n):
            items.append(items[-1] + i)
        return len(items)

    call(f, 3)
    call(f, 30)
    return items


def an_outer_list_is_read_and_written(stage, call):
    items = [1, 2, 3]

    @stage
    def f(i, x):
        before = items[0]
        items[i] = x
        return before, items[0], sum(items)

    call(f, 0, 10)
    call(f, 1, 20)
    items[0] = 5
    call(f, -1, 2.5)
    call(f, 7, 1)
    return items


def an_outer_list_under_a_condition(stage, call):
    items = [1]

    @stage
    def f(x):
        if x > 0:
            items.append(x)
        elif items:
            items.pop()
        return len(items)

    for x in (1, 2, -1, -1, -1, -1):
        call(f, x)
    return items


def every_list_method(stage, call):
    items = [3, 1, 2]

    @stage
    def f(x):
        items.insert(0, x)
        items.extend([x, x + 1])
        items.remove(3)
        items.sort()
        items.reverse()
        last = items.pop()
        place = items.index(x)
        return last, place, items.count(x), items[:2], items + [1], items * 2, x in items

    call(f, 5)
    items.append(3)
    call(f, 7)
    call(f, 7)
    return items


def slices_of_an_outer_list(stage, call):
    items = list(range(6))

    @stage
    def f(i, x):
        items[i:3] = [x, x]
        del items[0]
        items[::2] = items[::2][::-1]
        return items[1:]

    call(f, 1, 50)
    call(f, 0, 60)
    return items


def two_names_for_one_list(stage, call):
    one = [1, 2]
    two = one

    @stage
    def f(x):
        one.append(x)
        return len(two), two[-1]

    call(f, 1)
    call(f, 2)
    two = [9]
    call(f, 3)
    return one, two


def two_lists_become_one(stage, call):
    holder = SimpleNamespace(a=[1, 2], b=[1, 2])

    @stage
    def f(x):
        holder.a[0] = x
        return holder.b[0]

    call(f, 5)
    holder.b = holder.a
    call(f, 6)
    holder.b = [0, 0]
    call(f, 7)
    return holder.a, holder.b


def a_list_argument_that_is_also_outside(stage, call):
    items = [1, 2, 3]

    @stage
    def f(given, x):
        given[0] = x
        return items[0]

    call(f, items, 10)
    call(f, [0, 0, 0], 20)
    call(f, items, 30)
    return items


def one_list_as_two_arguments(stage, call):
    items = [1, 2, 3]

    @stage
    def f(a, b):
        a[0] += 1
        return b[0]

    call(f, items, items)
    call(f, items, [5, 5, 5])
    call(f, items, items)
    return items


def a_list_of_lists(stage, call):
    grid = [[0, 0], [0, 0]]
    row = grid[0]

    @stage
    def f(i, j, x):
        grid[i][j] = x
        return row[j], grid

    call(f, 0, 1, 5)
    call(f, 1, 0, 6)
    grid[0] = [7, 7]
    call(f, 0, 0, 8)
    return grid, row


def a_list_of_arrays(stage, call):
    arrays = [np.zeros(2), np.ones(3)]

    @stage
    def f(x):
        for a in arrays:
            a += x
        arrays[0] = arrays[0] * 2
        return arrays[0].sum() + arrays[1].sum()

    first = arrays[0]
    call(f, 1.0)
    call(f, 2.0)
    arrays.append(np.arange(2.0))
    call(f, 2.0)
    return arrays, first


def a_list_of_objects(stage, call):
    class Body:
        def __init__(self, x, v):
            self.x, self.v = x, v

        def move(self, dt):
            self.x += self.v * dt

    bodies = [Body(0.0, 1.0), Body(5.0, -1.0)]

    @stage
    def step(dt):
        for body in bodies:
            body.move(dt)
        return bodies[0].x - bodies[1].x

    call(step, 0.5)
    call(step, 1.0)
    bodies.append(Body(1.0, 2.0))
    call(step, 1.0)
    bodies[0], bodies[1] = bodies[1], bodies[0]
    call(step, 1.0)
    return [(body.x, body.v) for body in bodies]


def a_long_list_of_objects(stage, call):
    class Body:
        def __init__(self, x):
            self.x = x

    bodies = [Body(float(k)) for k in range(100)]
    first = bodies[0]

    @stage
    def step(dt):
        before = first.x
        for body in bodies:
            body.x += dt
        return before, first.x

    call(step, 0.5)
    call(step, 1.0)
    return [body.x for body in bodies]


def an_object_is_taken_from_a_list_by_a_symbol(stage, call):
    class Body:
        def __init__(self, x):
            self.x = x

    bodies = [Body(float(k)) for k in range(3)]
    first = bodies[0]

    @stage
    def push(i, dx):
        before = first.x
        bodies[i].x += dx
        return before, first.x

    call(push, 0, 0.5)
    call(push, 2, 0.5)
    call(push, -3, 0.5)
    call(push, 5, 0.5)
    return [body.x for body in bodies]


def an_outer_dict_is_written(stage, call):
    table = {"a": 1}

    @stage
    def f(x):
        table["a"] += x
        table["b"] = table["a"] * 2
        return table["b"]

    call(f, 1)
    call(f, 2.0)
    table["a"] = 0
    del table["b"]
    call(f, 1)
    return table


def an_outer_dict_with_symbolic_keys(stage, call):
    counts = {}

    @stage
    def f(values):
        for v in values:
            counts[v] = counts.get(v, 0) + 1
        return len(counts)

    call(f, [3, 1, 3])
    call(f, [1, 1, 7])
    return counts


def every_dict_method(stage, call):
    table = {"a": 1, "b": 2}

    @stage
    def f(x):
        table.update(c=x, b=x + 1)
        table.setdefault("d", x)
        table.setdefault("a", x)
        gone = table.pop("b")
        missing = table.pop("zz", None)
        there = "c" in table, x in table, table.get("q", x), len(table)
        return gone, missing, list(table.items()), list(table), there

    call(f, 1)
    call(f, 2.5)
    table.clear()
    table["a"] = 3
    call(f, 4)
    return table


def values_change_while_keys_are_iterated(stage, call):
    table = {"a": 1, "b": 2, "c": 3}

    @stage
    def f(x):
        total = 0
        for key in table:
            table[key] += x
            total += table[key]
        for key, value in table.items():
            if value > 3:
                table[key] = 0
        for value in table.values():
            total += value
        return total

    call(f, 1)
    call(f, 2)
    table["z"] = 100
    call(f, 3)
    return table


def a_key_appears_while_iterating(stage, call):
    table = {1: 1, 2: 2}

    @stage
    def f(x):
        for key in table:
            table[key + x] = 0

    call(f, 10)
    call(f, 0)
    return table


def the_keys_of_a_dict_change_between_calls(stage, call):
    table = {"a": 1, "b": 2}

    @stage
    def f(x):
        return {key: value * x for key, value in table.items()}

    call(f, 2)
    table["c"] = 3
    call(f, 2)
    del table["a"]
    call(f, 2)
    table["a"] = 1
    call(f, 2)


def a_missing_key(stage, call):
    table = {"a": 1}

    @stage
    def f(x):
        table["a"] += x
        return table["b"]

    call(f, 1)
    table["b"] = 5
    call(f, 1)
    del table["b"]
    call(f, 1)
    return table


def a_defaultdict(stage, call):
    groups = collections.defaultdict(list)

    @stage
    def f(x):
        groups[x % 2].append(x)
        return len(groups)

    for x in (1, 2, 3):
        call(f, x)
    return dict(groups)


def a_counter(stage, call):
    counts = collections.Counter()

    @stage
    def f(x):
        counts[x] += 1
        counts.update([x, 0])
        return counts[x]

    for x in (1, 2, 1):
        call(f, x)
    return counts


def a_deque(stage, call):
    window = collections.deque(maxlen=3)

    @stage
    def f(x):
        window.append(x)
        total = 0
        for each in window:
            total += each
        return total / len(window)

    for x in (1, 2, 3, 4, 5):
        call(f, x)
    return list(window)


def an_outer_set(stage, call):
    seen = set()

    @stage
    def f(x):
        if x in seen:
            return False
        seen.add(x)
        return True

    for x in (1, 2, 1, 2.0):
        call(f, x)
    seen.clear()
    call(f, 1)
    return seen


def every_set_method(stage, call):
    seen = {1, 2}

    @stage
    def f(x):
        seen.add(x)
        seen.discard(2)
        seen.update((x + 1, 1))
        return len(seen), sorted(seen | {9}), sorted(seen & {x}), seen == {x}, {x, 1}

    call(f, 3)
    call(f, 3)
    seen.clear()
    call(f, 5)
    return seen


def an_argument_dict_is_changed(stage, call):
    @stage
    def f(params, x):
        params["w"] = params["w"] - x * params["rate"]
        if x > 1:
            params["steps"] = params.get("steps", 0) + 1
        return params

    params = {"w": 1.0, "rate": 0.5}
    call(f, params, 1.0)
    call(f, params, 2.0)
    call(f, params, 2.0)
    return params


def an_argument_list_is_changed(stage, call):
    @stage
    def f(items, x):
        items.append(x)
        items[0] = items[-1] * 2
        for k in range(len(items)):
            items[k] += 1
        return items

    items = [1, 2]
    call(f, items, 3)
    call(f, items, 4.5)
    return items


def nested_arguments_are_changed(stage, call):
    @stage
    def f(tree, x):
        tree["layers"][0]["w"] += x
        tree["layers"][1]["b"] = x
        tree["steps"] += 1
        return tree["layers"][0]["w"].sum()

    w = np.zeros(2)
    tree = {"layers": [{"w": w}, {"b": 0}], "steps": 0}
    call(f, tree, 1.0)
    call(f, tree, 2.0)
    return tree, w


def a_list_is_swapped_between_attributes(stage, call):
    state = SimpleNamespace(now=[1], then=[2, 3])

    @stage
    def f(x):
        state.now, state.then = state.then, state.now
        state.now.append(x)
        return len(state.now)

    for x in (1, 2, 3):
        call(f, x)
    return state.now, state.then


def a_container_is_returned_and_kept(stage, call):
    items = [1]

    @stage
    def f(x):
        items.append(x)
        return items

    first = call(f, 2)
    first.append(100)
    second = call(f, 3)
    return first is items, second is items, items


def an_outer_list_comes_back_in_a_tuple(stage, call):
    items, table = [1], {"a": 1}

    @stage
    def f(x):
        return items, table, x

    found = call(f, 2)
    return found[0] is items, found[1] is table


def an_outer_list_is_compared(stage, call):
    items = [1, 2]

    @stage
    def f(x):
        return items == [1, x], items < [x], items is None, bool(items), not items

    call(f, 2)
    items[0] = 9
    call(f, 2)
    items.clear()
    call(f, 2)


def an_outer_list_is_unpacked(stage, call):
    items = [1, 2, 3]

    @stage
    def f(x):
        b, c, d = items
        items[0] = x
        e, f, g = items
        return b + c + d, e - f - g

    call(f, 10)
    items.append(4)
    call(f, 20)
    del items[1]
    call(f, 30)
    return items


def an_outer_list_is_passed_to_numpy(stage, call):
    items = [1.0, 2.0]

    @stage
    def f(x):
        before = np.array(items).sum()
        items.append(x)
        return before, np.mean(items), np.stack([items, items]), max(items), sorted(items), len(items)

    call(f, 5.0)
    call(f, 7)
    items[:] = [0]
    call(f, 1)
    return items


def a_comprehension_over_an_outer_list(stage, call):
    items = [1, 2, 3]

    @stage
    def f(x):
        squares = [i * i + x for i in items if i > 1]
        items.append(len(squares))
        return squares, {i: x for i in items}, sum(i for i in items)

    call(f, 1)
    call(f, 2)
    items.clear()
    call(f, 3)
    return items


def enumerate_and_zip_of_outer_lists(stage, call):
    xs, ys = [1, 2, 3], [4, 5]

    @stage
    def f(k):
        total = 0
        for i, x in enumerate(xs):
            total += i * x
            xs[i] = x + k
        for x, y in zip(xs, ys):
            total += x * y
        for x in reversed(xs):
            total = total * 2 + x
        return total

    call(f, 1)
    ys.append(6)
    call(f, 2)
    return xs


def a_list_grows_while_it_is_iterated(stage, call):
    items = [3]

    @stage
    def f(n):
        total = 0
        for x in items:
            total += x
            if x > 0 and len(items) < n:
                items.append(x - 1)
        return total

    call(f, 10)
    call(f, 3)
    items[:] = [50]
    call(f, 100)
    return items


def a_stack_is_worked_off(stage, call):
    stack = [1, 5, 2]

    @stage
    def f(limit):
        done = 0
        while stack:
            top = stack.pop()
            done += top
            if top > limit:
                stack.append(top // 2)
        return done

    call(f, 2)
    call(f, 2)
    stack.extend([9, 9])
    call(f, 1)
    return stack


def an_exception_in_the_middle_of_list_writes(stage, call):
    items = []

    @stage
    def f(values):
        for v in values:
            items.append(v)
            if v == 0:
                raise ZeroDivisionError("zero")
            items.append(1 / v)
        return len(items)

    call(f, np.array([1.0, 2.0]))
    call(f, np.array([4.0, 0.0, 3.0]))
    call(f, [5, 0])
    return items
