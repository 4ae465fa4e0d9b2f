"""Names outside the function: globals, variables of enclosing functions, of modules and classes, defaults."""
from __future__ import annotations

import functools
import sys
from types import SimpleNamespace

import numpy as np

count = 0
rate = 1.0
weights = np.zeros(2)
table = {}
history = []
helper = abs
LIMIT = 3


def a_global_counter(stage, call):
    global count
    count = 0

    @stage
    def f(x):
        global count
        count += x
        return count

    for x in (1, 2, 2.5):
        call(f, x)
    count = 100
    call(f, 1)
    return count


def a_global_is_read(stage, call):
    global rate
    rate = 1.0

    @stage
    def f(x):
        return x * rate

    for value in (1.0, 2.0, 3, np.ones(2), "ab", 4.0):
        rate = value
        call(f, 3)


def a_global_array_is_rebound(stage, call):
    global weights
    weights = np.zeros(2)

    @stage
    def f(x):
        global weights
        weights = weights + x
        return weights.sum()

    call(f, 1.0)
    weights = np.ones((2, 3), dtype=int)
    call(f, 2)
    weights = np.float32(1)
    call(f, 2)
    return weights


def a_global_array_in_place(stage, call):
    global weights
    weights = np.zeros(3)
    alias = weights[1:]

    @stage
    def f(x):
        weights[1] += x
        return weights

    call(f, 1.0)
    call(f, 2.0)
    return alias, weights


def a_global_in_one_arm(stage, call):
    global count
    count = 0

    @stage
    def f(x):
        global count
        if x > 2:
            count = x
        return count * 2

    for x in (1, 5, 2, 7):
        call(f, x)
    return count


def a_global_in_a_loop(stage, call):
    global count
    count = 0

    @stage
    def f(n):
        global count
        for i in range(n):
            if i % 3 == 0:
                count += i
        while count > 20:
            count -= 7
        return count

    for n in (4, 10, 30):
        call(f, n)
    return count


def a_global_written_by_a_called_function(stage, call):
    global count
    count = 0

    def bump():
        global count
        count += 1
        return count

    @stage
    def f(x):
        first = count
        bump()
        if x > 0:
            bump()
        return first, count

    for x in (1, 0):
        call(f, x)
    count = 10
    call(f, 1)
    return count


def a_global_that_is_not_there(stage, call):
    @stage
    def f(x):
        return x + not_there_yet  # noqa: F821

    call(f, 1)
    globals()["not_there_yet"] = 5
    call(f, 1)
    del globals()["not_there_yet"]
    call(f, 1)


def a_global_function_is_replaced(stage, call):
    global helper
    helper = abs

    @stage
    def f(x):
        return helper(x)

    for value in (abs, np.exp, lambda x: x - 1, float, abs):
        helper = value
        call(f, -1)


def a_global_list_and_dict(stage, call):
    history.clear()
    table.clear()

    @stage
    def f(x):
        history.append(x)
        table[x] = len(history)
        return table[x]

    for x in (1, 2, 1):
        call(f, x)
    return history, table


def a_global_is_shadowed_by_a_builtin(stage, call):
    @stage
    def f(x):
        return max(x, 3)

    call(f, 1)
    globals()["max"] = min
    call(f, 1)
    del globals()["max"]
    call(f, 1)


def a_nonlocal_counter(stage, call):
    n = 0

    @stage
    def f(x):
        nonlocal n
        n += x
        return n

    for x in (1, 2.5):
        call(f, x)
    n = np.ones(2)
    call(f, 1)
    return n


def two_functions_share_a_cell(stage, call):
    n = 0

    @stage
    def put(x):
        nonlocal n
        n = x

    @stage
    def get():
        return n

    for x in (1, 2.0, "text", None, np.arange(2), [1]):
        call(put, x)
        call(get)
    return n


def an_inner_function_writes_the_cell(stage, call):
    total = 0

    def add(x):
        nonlocal total
        total += x

    @stage
    def f(values):
        for x in values:
            add(x)
        return total

    call(f, np.arange(4))
    call(f, (1, 2))
    return total


def a_closure_made_by_the_function_keeps_counting(stage, call):
    @stage
    def f(n):
        seen = 0

        def tick(by):
            nonlocal seen
            seen += by
            return seen

        for i in range(n):
            tick(i)
        return tick(0)

    call(f, 3)
    call(f, 30)


def a_cell_of_a_factory(stage, call):
    def make(step):
        n = 0

        @stage
        def f(x):
            nonlocal n
            n += step
            return x * n

        return f

    one, two = make(1), make(10)
    for _ in range(3):
        call(one, 1)
        call(two, 1)


def a_cell_changes_its_kind(stage, call):
    value = 1

    @stage
    def f(x):
        return value, x

    for value in (1, 1.5, "a", None, True, np.arange(2), (1, 2), [3], 2):
        call(f, 1)


def a_module_attribute_is_read(stage, call):
    module = sys.modules[__name__]

    @stage
    def f(x):
        return x + module.LIMIT

    module.LIMIT = 3
    call(f, 1)
    module.LIMIT = 30
    call(f, 1)
    module.LIMIT = 3.5
    call(f, 1)
    module.LIMIT = 3


def a_module_attribute_is_written(stage, call):
    module = sys.modules[__name__]
    module.LIMIT = 3

    @stage
    def f(x):
        if x > module.LIMIT:
            module.LIMIT = x
        return module.LIMIT

    for x in (1, 5, 4, 9):
        call(f, x)
    module.LIMIT = 0
    call(f, 2)
    final, module.LIMIT = module.LIMIT, 3
    return final


def a_class_attribute_is_counted(stage, call):
    class Model:
        made = 0

        def __init__(self, x):
            Model.made += 1
            self.x = x

    @stage
    def f(x):
        model = Model(x)
        return model.x + Model.made

    call(f, 1)
    call(f, 1)
    Model.made = 10
    call(f, 1)
    return Model.made


def a_class_method_writes(stage, call):
    class Registry:
        items = []
        n = 0

        @classmethod
        def add(cls, x):
            cls.items.append(x)
            cls.n += 1
            return cls.n

        @staticmethod
        def twice(x):
            return 2 * x

    @stage
    def f(x):
        return Registry.add(Registry.twice(x))

    call(f, 1)
    call(f, 2)
    Registry.n = 10
    call(f, 3)
    return Registry.items, Registry.n


def an_attribute_of_a_function(stage, call):
    def helper(x):
        return x + 1

    helper.calls = 0

    @stage
    def f(x):
        helper.calls += 1
        return helper(x) * helper.calls

    call(f, 1)
    call(f, 1)
    helper.calls = 10
    call(f, 1)
    return helper.calls


def a_bound_method_in_a_name(stage, call):
    class Account:
        def __init__(self):
            self.n = 0

        def put(self, x):
            self.n += x
            return self.n

    account = Account()
    put = account.put

    @stage
    def f(x):
        return put(x)

    call(f, 1)
    call(f, 2)
    account.n = 100
    call(f, 3)
    return account.n


def a_bound_method_of_a_list(stage, call):
    items = []
    push = items.append

    @stage
    def f(x):
        push(x)
        if x > 1:
            push(-x)
        return len(items)

    for x in (1, 2):
        call(f, x)
    return items


def a_callable_object_in_a_name(stage, call):
    class Layer:
        def __init__(self):
            self.w, self.calls = 2.0, 0

        def __call__(self, x):
            self.calls += 1
            return self.w * x

    layer = Layer()

    @stage
    def f(x):
        return layer(layer(x))

    call(f, 1.0)
    layer.w = 3.0
    call(f, 1.0)
    return layer.calls


def a_partial_with_state(stage, call):
    class Box:
        n = 0

    box = Box()

    def add(where, x):
        where.n += x
        return where.n

    step = functools.partial(add, box)

    @stage
    def f(x):
        return step(x)

    call(f, 1)
    call(f, 2)
    box.n = 100
    call(f, 3)
    return box.n


def a_mutable_default(stage, call):
    kept = []

    @stage
    def f(x, seen=kept):
        seen.append(x)
        return len(seen)

    for x in (1, 2, 3):
        call(f, x)
    call(f, 1, [5, 5])
    return kept


def a_mutable_default_of_a_called_function(stage, call):
    def remember(x, seen=[], total={"sum": 0}, last=np.zeros(1)):
        seen.append(x)
        total["sum"] += x
        last[0] = x
        return len(seen)

    @stage
    def f(x):
        n = remember(x)
        if x > 1:
            n = remember(-x)
        return n

    for x in (1, 2, 3):
        call(f, x)
    return remember.__defaults__


def a_default_that_is_an_object(stage, call):
    box = SimpleNamespace(n=0)

    def bump(by, where=box):
        where.n += by
        return where.n

    @stage
    def f(x, where=box):
        where.n += 1
        return bump(x) + where.n

    call(f, 1)
    call(f, 2)
    box.n = 50
    call(f, 3)
    return box.n


def a_cache_in_a_dict(stage, call):
    cache = {}

    def slow(n):
        if n in cache:
            return cache[n]
        cache[n] = n * n
        return cache[n]

    @stage
    def f(n):
        return slow(n) + slow(n)

    for n in (2, 3, 2):
        call(f, n)
    cache[2] = 0
    call(f, 2)
    return cache


def a_loop_variable_is_global(stage, call):
    global count
    count = -1

    @stage
    def f(n):
        global count
        for count in range(n):
            if count > 3:
                break
        return count

    call(f, 3)
    call(f, 20)
    return count


def an_exception_leaves_the_globals_as_they_were(stage, call):
    global count
    count = 0

    @stage
    def f(x):
        global count
        count += 1
        if x < 0:
            raise ValueError(count)
        count += 10
        return count

    for x in (1, -1, 2):
        call(f, x)
    return count


def a_name_is_deleted_between_calls(stage, call):
    globals()["passing"] = 1

    @stage
    def f(x):
        return x + passing  # noqa: F821

    call(f, 1)
    del globals()["passing"]
    call(f, 1)
    globals()["passing"] = 7
    call(f, 1)
    del globals()["passing"]
