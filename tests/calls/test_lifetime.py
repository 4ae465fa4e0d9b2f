"""Copies, pickles, other processes, and what is kept alive."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import tracemalloc
import weakref

import numpy as np
import pytest

import autograph as ag


@ag.function
def add_one(x):
    return x + 1


class Holder:
    k = 3

    @ag.function
    def of(self, x):
        return x * self.k


class Object:
    def __init__(self, k):
        self.k = k


@pytest.fixture
def importable(monkeypatch):
    """Under ``--import-mode=importlib`` the module is not in ``sys.modules`` by itself."""
    import sys
    import types

    module = types.ModuleType(__name__)
    module.__dict__.update(add_one=add_one, Holder=Holder)
    monkeypatch.setitem(sys.modules, __name__, module)


def test_copies_are_the_function_itself(importable):
    """As with plain functions."""
    assert copy.copy(add_one) is add_one and copy.deepcopy([add_one])[0] is add_one


def test_pickled_by_reference(importable):
    """Functions, methods, and methods of an object."""
    assert pickle.loads(pickle.dumps(add_one)) is add_one
    assert pickle.loads(pickle.dumps(Holder.of)) is Holder.of
    assert pickle.loads(pickle.dumps(Holder().of))(2) == 6


def test_local_functions_are_no_more_picklable_than_plain_ones():
    """Pickle's own error."""
    with pytest.raises((AttributeError, pickle.PicklingError), match="local object"):
        pickle.dumps(ag.function(lambda x: x))


def test_cloudpickle_carries_local_functions():
    """By value, with their options and without traces."""
    cloudpickle = pytest.importorskip("cloudpickle")
    k = 3

    @ag.function(name="scaled", cache_size=5)
    def scale(x):
        return x * k

    assert scale(2) == 6
    again = pickle.loads(cloudpickle.dumps(scale))
    assert again._options == scale._options and again.trace_count == 0
    assert again(2) == 6


def _in_another_process(x):
    return add_one(x), os.getpid()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_another_process():
    """With the traces that are there when it starts."""
    assert add_one(1) == 2
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(False)
    process = context.Process(target=lambda: sending.send(_in_another_process(41)))
    process.start()
    result, pid = receiving.recv()
    process.join()
    assert result == 42 and pid != os.getpid()


def test_a_function_goes_with_its_graphs_and_arguments():
    """Nothing of ours holds it."""

    def make():
        captured = np.zeros(3)

        @ag.function
        def f(x):
            return x + captured

        f(np.ones(3))
        concrete = f.concrete_functions[0]
        return [weakref.ref(each) for each in (f, f.python_function, concrete, concrete.program, captured)]

    references = make()
    gc.collect()
    assert [reference() for reference in references] == [None] * 5


def test_arguments_are_let_go():
    """While the function lives: arrays, objects, and what objects hold."""

    @ag.function
    def f(a, o, d, method):
        return a * o.k * d["k"] + method(a)

    references = []
    for k in range(3):
        a, o, inner = np.ones(3), Object(k), Object(2)
        holder = Holder()
        f(a, o, {"k": k, "inner": inner}, holder.of.python_function.__get__(holder))
        references += [weakref.ref(each) for each in (a, o, inner, holder)]
    del a, o, inner, holder
    gc.collect()
    assert [reference() for reference in references] == [None] * 12


def test_a_captured_object_that_is_replaced_is_let_go():
    """The guard on its identity does not keep it alive, nor does its absence pass for it."""
    box = {"o": Object(2)}

    @ag.function
    def f(x):
        o = box["o"]
        return x if o is None else x * o.k

    assert f(3) == 6
    reference = weakref.ref(box["o"])
    box["o"] = None
    gc.collect()
    assert f(3) == 3
    box["o"] = Object(5)
    assert f(3) == 15
    f.clear_cache()
    gc.collect()
    assert reference() is None


def test_functions_made_in_a_loop_share_the_conversion(monkeypatch):
    """The source is read and rewritten once."""
    from autograph import convert as module

    if not hasattr(module, "_conversion"):
        pytest.skip("conversion has moved")
    results = []
    counted = []
    from autograph import source

    find = source.find
    monkeypatch.setattr(source, "find", lambda f: (counted.append(f), find(f))[1])
    for k in range(5):

        @ag.function
        def f(x):
            return x + k

        results.append(f(1))
    assert results == [1, 2, 3, 4, 5]
    assert len(counted) <= 1


def _growth(run, count):
    """Bytes that a second round of calls adds."""
    run(range(count // 10))
    gc.collect()
    tracemalloc.start()
    try:
        run(range(count))
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_memory_does_not_grow(count):
    """Over calls with changing numbers, sizes, lengths, objects and bound methods."""

    @ag.function
    def f(n, x, xs, o, method, d):
        o.k += n
        return n + x.sum() + len(xs) + method(1) + d["a"]

    def run(numbers):
        for n in numbers:
            o = Object(n)
            f(n, np.ones(n % 97), [1.0] * (n % 50), o, Holder().of, {"a": n * 0.5})

    assert _growth(run, count) < 200_000
    assert f.trace_count <= 12, f.explain()


def test_dropped_traces_free_their_memory():
    """Static values that never come back."""
    staged = ag.function(lambda x, mode: x + len(mode), cache_size=4)

    def run(numbers):
        for n in numbers:
            staged(1, f"mode {n}")

    with pytest.warns(ag.RetraceWarning):
        assert _growth(run, 200) < 150_000


def test_methods_are_copied_with_their_objects():
    """A deep copy of a bound method is bound to a copy of the object."""

    class Scale:
        k = 1

        @ag.function
        def by(self, x):
            return x * self.k

    scale = Scale()
    scale.method = scale.by
    other = copy.deepcopy(scale)
    other.k = 5
    assert (scale.method(2), other.method(2), other.by(2)) == (2, 10, 10)
    assert copy.copy(scale.by)(3) == 3 and copy.deepcopy(other.by)(3) == 15
