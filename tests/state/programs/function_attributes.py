"""Attributes of functions are state outside, whatever leads to the function: read and written by each run."""

from __future__ import annotations

import functools

import numpy as np

import autograph as ag


def a_function_counts_its_own_calls(stage, call):
    @stage
    def f(x):
        f.calls += 1
        return f.calls * x

    f.calls = 0
    call(f, 1)
    call(f, 1)
    call(f, 2.0)
    f.calls = 7
    call(f, 1)
    return f.calls


def a_function_reads_what_another_one_holds(stage, call):
    @ag.function  # in every mode
    def g(x):
        return x * g.k

    @stage
    def f(x):
        return g(x) + g.k

    g.k = 2
    call(f, 1)
    g.k = 5
    call(f, 1)
    call(g, 1)
    g.k = np.arange(3.0)
    call(f, 1)
    g.k[0] = 9
    call(f, 1)


def a_function_keeps_a_log(stage, call):
    @stage
    def f(x):
        f.log.append(x)
        return len(f.log)

    f.log = []
    call(f, 1)
    call(f, 2)
    return f.log


def a_function_makes_its_cache_in_the_first_call(stage, call):
    @stage
    def f(x):
        if not hasattr(f, "cache"):
            f.cache = {}
        if x not in f.cache:
            f.cache[x] = x * 2
        return f.cache[x]

    call(f, 1)
    call(f, 2)
    call(f, 1)
    return f.cache


def a_function_makes_its_counter_as_it_goes(stage, call):
    @stage
    def f(x):
        f.n = getattr(f, "n", 0) + x
        return f.n

    @stage
    def g(x):
        try:
            g.n += x
        except AttributeError:
            g.n = x
        return g.n

    for _ in range(3):
        call(f, 2)
        call(g, 2)
    return f.n, g.n


def a_method_has_attributes(stage, call):
    class A:
        @stage
        def m(self, x):
            A.m.count += x
            return A.m.count, self.m.count

    A.m.count = 0
    call(A().m, 1)
    call(A().m, 2)
    return A.m.count


def a_helper_has_attributes(stage, call):
    def helper(x):
        helper.count += 1
        helper.log.append(x)
        return helper.count

    helper.count, helper.log = 0, []

    @stage
    def f(x):
        return helper(x), helper(x), helper.count, len(helper.log)

    call(f, 1)
    call(f, 1)
    return helper.count, helper.log


def functions_get_attributes_under_other_names(stage, call):
    def plain(x):
        return x * 2

    @ag.function
    def staged(x):
        return x

    @stage
    def f(x):
        g, h = plain, staged
        g.n = x
        h.n = x + 1
        return plain.n, staged.n, g(x), h(x)

    call(f, 1)
    call(f, 2)
    return plain.n, staged.n


def functions_that_are_given_get_attributes(stage, call):
    def plain(x):
        return x * 2

    @ag.function
    def staged(x):
        return x

    functions = [plain, staged]

    @stage
    def given(g, x):
        g.n = getattr(g, "n", 0) + x
        return g(x) + g.n

    @stage
    def in_a_list(x):
        for each in functions:
            each.m = x
            x = each(x)
        return x, functions[0].m

    for _ in range(2):
        call(given, plain, 1)
        call(in_a_list, 1)
        functions.reverse()
    return plain.n, plain.m, staged.m


def one_of_two_functions_gets_an_attribute(stage, call):
    def a(x):
        return x

    def b(x):
        return -x

    @stage
    def f(x):
        g = a if x > 2 else b
        g.n = x
        return g.n

    call(f, 3)
    call(f, 1)
    return a.n, b.n


def attributes_come_and_go(stage, call):
    @stage
    def f(n):
        for i in range(n):
            f.total += i
        total = f.total
        del f.total
        return total, hasattr(f, "total")

    for n in (3, 30):
        f.total = 0
        call(f, n)
    call(f, 3)


def a_wrapper_holds_a_cache(stage, call):
    def memo(fn):
        @functools.wraps(fn)
        def wrapper(x):
            if x not in wrapper.cache:
                wrapper.cache[x] = fn(x)
            return wrapper.cache[x]

        wrapper.cache = {}
        return wrapper

    @memo
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    @stage
    def f(x):
        return fib(x)

    call(f, 6)
    call(f, 8)
    return fib.cache


def a_function_with_attributes_is_a_value_like_others(stage, call):
    def k(x, y=1):
        return x * 2 + y

    k.n = 1

    @stage
    def f(xs):
        k.n += 1
        by_key = sorted(xs, key=k), max(xs, key=k), list(map(k, xs))
        asked = k is k, callable(k), k in (k, abs), {k: 1}[k], k.__name__
        return by_key, asked, functools.partial(k, y=k.n)(2), k(*xs[:1], **{"y": 2})

    call(f, [3, 1])
    call(f, [1, 2.0])
    return k.n


def a_function_gets_its_first_attribute_between_calls(stage, call):
    def k(x):
        return x

    @stage
    def f(g):
        return hasattr(g, "n"), getattr(g, "n", None)

    call(f, k)
    k.n = 1
    call(f, k)
    k.n = 2
    call(f, k)
    del k.n
    call(f, k)


def the_attributes_are_written_through_vars(stage, call):
    def k(x):
        return x

    @stage
    def f(x):
        vars(k)["n"] = x
        k.__dict__["m"] = x
        return k.n, k.m, sorted(vars(k))

    call(f, 1)
    call(f, 2)
    return k.n, k.m
