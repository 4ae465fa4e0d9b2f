"""``Variable`` itself: values, dtypes, NumPy's protocols, copies, threads, where one may be made."""
from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag


def test_a_variable_copies_what_it_is_given() -> None:
    """Nobody else holds its memory."""
    x = np.zeros(3)
    v = ag.Variable(x)
    x[0] = 1
    values = v.read_value()
    values[1] = 2
    v[1:][0] = 3
    assert v.numpy().tolist() == [0.0, 0.0, 0.0]


def test_without_a_dtype_it_widens_and_with_one_it_refuses() -> None:
    """As a name would; a dtype that was given is kept."""
    v = ag.Variable(1)
    v.assign(0.5)
    assert v.dtype == np.float64 and v.numpy() == 0.5
    fixed = ag.Variable(1, dtype=int)
    with pytest.raises(TypeError, match="cast"):
        fixed.assign(0.5)
    with pytest.raises(TypeError, match="cast"):
        ag.Variable([1, 2], dtype=int)[0] = 0.5
    assert fixed.numpy() == 1
    assert ag.Variable(np.float32(1)).assign(1.0 / 3).dtype == np.float32


def test_the_shape_stays() -> None:
    """And the message names both."""
    with pytest.raises(ValueError, match=r"shape \(3,\) to a Variable of shape \(2,\)"):
        ag.Variable([1, 2]).assign([1, 2, 3])


def test_objects_are_refused() -> None:
    """A variable holds nothing that could hold something else."""
    with pytest.raises(TypeError, match="numbers or texts"):
        ag.Variable([None])


def test_numpy_takes_it_for_its_values() -> None:
    """Functions, ufuncs, ``out=``, operators, ``np.asarray``."""
    v = ag.Variable([1.0, 4.0])
    assert np.sqrt(v).tolist() == [1.0, 2.0]
    assert np.add.reduce(v) == 5.0
    assert np.concatenate([v, v]).shape == (4,)
    assert (2 - v).tolist() == [1.0, -2.0] and (v > 2).tolist() == [False, True]
    assert np.add(v, 1, out=v) is v
    assert np.asarray(v).tolist() == [2.0, 5.0]
    v += 1
    assert isinstance(v, ag.Variable) and list(v) == [3.0, 6.0] and 6.0 in v and len(v) == 2
    assert (float(ag.Variable(1.5)), int(ag.Variable(3)), bool(ag.Variable(0))) == (1.5, 3, False)


def test_copies_and_pickles() -> None:
    """With dtype, name and whether it is trained."""
    v = ag.Variable([1, 2], dtype=np.int16, name="v", trainable=False)
    for other in (copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        other.assign_add(1)
        assert (other.dtype, other.name, other.trainable) == (np.int16, "v", False)
        with pytest.raises(TypeError):
            other.assign([0.5, 1])
    assert v.numpy().tolist() == [1, 2]


def test_it_can_be_referred_to_weakly() -> None:
    """And goes when nobody holds it."""
    v = ag.Variable(1)
    reference = weakref.ref(v)
    assert reference() is v
    del v
    gc.collect()
    assert reference() is None


def test_additions_from_many_threads_all_count() -> None:
    """Plain and staged."""
    v = ag.Variable(0, dtype=int)
    add = ag.function(lambda: v.assign_add(1))

    def work() -> None:
        for _ in range(500):
            add()
            v.assign_sub(3)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert v.numpy() == -4000


def test_variables_are_apart_in_the_graph() -> None:
    """Assignments of two variables are in no order; those of one are."""
    a, b = ag.Variable(1.0), ag.Variable(2.0)

    def f(x):
        a.assign(x)
        b.assign(x)
        a.assign_add(x)

    graph = ag.function(f).get_concrete_function(1.0).graph
    edges = [(before.op.name, node.op.name) for node in graph.nodes for before in node.after]
    assert ("Variable_assign", "Variable_assign_add") in edges


def test_a_call_that_is_not_the_first_makes_none() -> None:
    """A new one at each call would forget what was assigned."""

    @ag.function
    def f(x):
        v = ag.Variable(0.0)
        return v.assign_add(x)

    f(1.0)
    with pytest.raises(ag.StagingError, match=r"AG209.*not the first one"):
        f(1.0)


def test_a_trace_does_not_keep_a_variable_alive() -> None:
    """The name decides; afterwards the trace refuses, and a call says what Python says."""
    scope = SimpleNamespace(v=ag.Variable([1.0, 2.0]))

    @ag.function
    def f(x):
        scope.v.assign_add(x)
        return scope.v * 2

    f(1.0)
    (trace,) = f.concrete_functions
    reference = weakref.ref(scope.v)
    del scope.v
    gc.collect()
    assert reference() is None
    with pytest.raises(ag.StagingError, match="has changed"):
        trace(1.0)
    with pytest.raises(AttributeError, match="has no attribute 'v'"):
        f(1.0)
    scope.v = ag.Variable([5.0])
    assert f(1.0).tolist() == [12.0]


def test_a_variable_that_is_let_go_during_a_call_lasts_to_its_end() -> None:
    """A local name still holds it."""
    scope = SimpleNamespace()

    def f(x):
        old = scope.v
        scope.v = None
        old.assign(x)
        return old * 2

    for run in (f, ag.function(f)):
        scope.v = ag.Variable(1.0)
        assert run(3.0) == 6.0 and scope.v is None


def test_a_first_call_that_fails_may_be_repeated() -> None:
    """Then the variable is made by the next one."""
    scope = SimpleNamespace(v=None)

    @ag.function
    def f(x):
        print(1 // x)
        if scope.v is None:
            scope.v = ag.Variable(0)
        return scope.v.assign_add(x).numpy()

    with pytest.raises(ZeroDivisionError):
        f(0)
    assert scope.v is None
    assert [f(1), f(2), f(3)] == [1, 3, 6]


def test_later_calls_make_variables_where_data_decides() -> None:
    """As plain code does, which makes them now and then."""
    made = []

    def f(x):
        if x > 1:
            made.append(ag.Variable(x))
        return x

    for run in (f, ag.function(f)):
        made.clear()
        for x in (0.0, 2.0, 3.0):
            run(x)
        assert [each.numpy() for each in made] == [2.0, 3.0]


def test_a_scalar_variable_is_read_again_after_an_assignment() -> None:
    """Two reads with a write between are two reads, though nothing else is known to change."""
    v = ag.Variable(1.0, dtype=np.float64)

    def f(x):
        before = v + 1
        v.assign(x)
        i = 0
        total = 0.0
        while i < x:
            total += v * 2
            v.assign_add(1.0)
            i += 1
        return before, total, v + 1

    staged = ag.function(f)
    assert staged(3.0) == (2.0, 24.0, 7.0)
    v.assign(1.0)
    assert staged(3.0) == (2.0, 24.0, 7.0)


def test_the_tutorial_case_of_automatic_control_dependencies() -> None:
    """Reads and writes of two variables in the order of the text."""
    a, b = ag.Variable(1.0), ag.Variable(2.0)

    @ag.function
    def f(x, y):
        a.assign(y * b)
        b.assign_add(x * a)
        return a + b

    assert f(1.0, 2.0) == 10.0


def test_each_object_makes_its_variable_in_its_own_first_call() -> None:
    """A class whose objects make a Variable when they are first called has as many first calls."""

    class Sum:
        total = None

        @ag.function
        def __call__(self, x: float) -> float:
            if self.total is None:
                self.total = ag.Variable(0.0)
            self.total.assign_add(x)
            return float(self.total)

    first, second, third = Sum(), Sum(), Sum()
    assert [first(1.0), first(1.0), second(5.0), first(1.0), second(1.0), third(2.0)] == [1, 2, 5, 3, 6, 2]
