"""Random numbers: the global generators, generators of one's own, seeds between calls; one stream."""
from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np


def the_global_generator(stage, call):
    @stage
    def f(n):
        chosen = np.random.choice([1, 2, 3])
        return chosen, np.random.rand(), np.random.normal(0, n), np.random.randint(0, 10, 3)

    call(f, 1)
    call(f, 2)
    np.random.seed(5)
    call(f, 1)
    np.random.seed(5)
    call(f, 1)


def seeds_inside_the_function(stage, call):
    @stage
    def f(seed):
        np.random.seed(seed)
        first = np.random.rand(2)
        np.random.seed(seed)
        return first, np.random.rand(2)

    call(f, 1)
    call(f, 2)


def draws_under_a_condition(stage, call):
    @stage
    def f(x):
        if x > 0:
            return np.random.rand()
        return 0.0

    for x in (1, 0, 0, 2):
        call(f, x)


def draws_in_a_loop(stage, call):
    @stage
    def walk(n):
        place = 0.0
        for _ in range(n):
            if np.random.rand() < 0.5:
                place += np.random.exponential()
            else:
                place -= 1
        return place

    for n in (3, 20, 0):
        call(walk, n)


def rejection_sampling(stage, call):
    @stage
    def draw(limit):
        tries = 1
        x = np.random.standard_normal()
        while abs(x) > limit:
            x = np.random.standard_normal()
            tries += 1
        return x, tries

    for limit in (0.5, 0.1, 3.0):
        call(draw, limit)


def a_generator_as_an_argument(stage, call):
    @stage
    def f(rng, n):
        return rng.random(), rng.normal(size=2), rng.integers(0, n, 3), rng.choice(n), rng.permutation(3)

    rng = np.random.default_rng(3)
    call(lambda: f(rng, 5))
    call(lambda: f(rng, 50))
    other = np.random.default_rng(4)
    call(lambda: f(other, 5))
    return rng.random(), other.random()


def a_captured_generator(stage, call):
    rng = np.random.default_rng(3)

    @stage
    def f(n):
        total = 0.0
        for _ in range(n):
            total += rng.random()
        return total

    call(f, 2)
    call(f, 20)
    rng = np.random.default_rng(7)
    call(f, 2)
    return rng.random()


def a_generator_attribute(stage, call):
    class Noise:
        def __init__(self):
            self.rng = np.random.default_rng(1)
            self.drawn = 0

        def draw(self, scale):
            self.drawn += 1
            return self.rng.normal(scale=scale)

    noise = Noise()

    @stage
    def f(x):
        return x + noise.draw(0.5) + noise.draw(2)

    call(f, 1.0)
    noise.rng = np.random.default_rng(9)
    call(f, 1.0)
    return noise.drawn, noise.rng.random()


def a_generator_made_inside(stage, call):
    @stage
    def f(seed, n):
        rng = np.random.default_rng(seed)
        old = np.random.RandomState(seed)
        return rng.random(n), rng.integers(10), old.rand(), old.randint(5, size=n)

    call(f, 1, 2)
    call(f, 1, 2)
    call(f, 8, 3)


def a_random_state(stage, call):
    state = np.random.RandomState(3)

    @stage
    def f(x):
        a = state.rand(2)
        state.shuffle(a)
        if x > 0:
            a = a + state.uniform(0, 1, 2)
        return a, state.randint(10)

    for x in (1, 0, 1):
        call(f, x)
    state.seed(4)
    call(f, 0)
    return state.rand()


def the_state_is_saved_and_restored(stage, call):
    @stage
    def f(n):
        state = np.random.get_state()
        first = np.random.rand(n)
        np.random.set_state(state)
        return first, np.random.rand(n)

    call(f, 2)
    call(f, 3)


def the_python_generator(stage, call):
    @stage
    def f(n):
        chosen = random.choice([n, 1, 2])
        return random.random(), random.randint(0, n), chosen, random.uniform(0, n), random.gauss(0, 1)

    call(f, 1)
    random.seed(3)
    call(f, 10)
    random.seed(3)
    call(f, 10)


def an_instance_of_random(stage, call):
    dice = random.Random(3)

    @stage
    def roll(n):
        total = 0
        for _ in range(n):
            total += dice.randint(1, 6)
        return total

    call(roll, 3)
    call(roll, 12)
    dice.seed(3)
    call(roll, 3)
    return dice.random()


def shuffling_in_place(stage, call):
    @stage
    def f(x):
        np.random.shuffle(x)
        items = [1, 2, 3, 4]
        random.shuffle(items)
        return items, x[0]

    call(f, np.arange(5))
    call(f, np.arange(6.0))


def random_output_arrays(stage, call):
    rng = np.random.default_rng(2)
    buffer = np.zeros(3)

    @stage
    def f(x):
        rng.random(out=buffer)
        rng.standard_normal(out=x)
        return buffer.sum() + x.sum()

    call(f, np.zeros(2))
    call(f, np.zeros(2))
    return buffer


def draws_and_prints_keep_their_order(stage, call):
    @stage
    def f(n):
        for i in range(n):
            print(i, np.random.randint(100), random.randint(0, 100))
        return np.random.rand()

    call(f, 3)
    call(f, 10)


def a_generator_is_exchanged_during_the_call(stage, call):
    box = SimpleNamespace(rng=np.random.default_rng(1), spare=np.random.default_rng(2))

    @stage
    def f(x):
        a = box.rng.random()
        if x > 0:
            box.rng, box.spare = box.spare, box.rng
        return a, box.rng.random()

    for x in (1, 0, 1):
        call(f, x)
    return box.rng.random()


def a_draw_before_an_exception(stage, call):
    @stage
    def f(x):
        a = np.random.rand()
        if x < 0:
            raise ValueError(x)
        return a + np.random.rand()

    for x in (1, -1, 1):
        call(f, x)


def two_names_for_one_generator(stage, call):
    one = np.random.default_rng(5)
    two = one

    @stage
    def f(n):
        return one.random(n), two.random(n)

    call(f, 2)
    two = np.random.default_rng(6)
    call(f, 2)
    call(f, 3)


def a_spawned_generator(stage, call):
    rng = np.random.default_rng(5)

    @stage
    def f(x):
        child = rng.spawn(1)[0]
        return child.random() + x

    call(f, 1)
    call(f, 1)
