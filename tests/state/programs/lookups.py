"""What looks an attribute up: slots, properties, descriptors, dataclasses, hierarchies, ``__getattr__``."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np


def slots(stage, call):
    class Particle:
        __slots__ = ("v", "x")

        def __init__(self):
            self.x, self.v = 0.0, 1.0

        def move(self, dt):
            self.x += self.v * dt
            if self.x > 2:
                self.v = -self.v

    particle = Particle()

    @stage
    def step(n, dt):
        for _ in range(n):
            particle.move(dt)
        return particle.x

    call(step, 3, 0.5)
    call(step, 30, 0.25)
    particle.v = 0
    call(step, 2, 1)
    return particle.x, particle.v


def a_slot_that_is_not_set(stage, call):
    class Lazy:
        __slots__ = ("x",)

    lazy = Lazy()

    @stage
    def f(n):
        if n > 0:
            lazy.x = n
        return lazy.x

    call(f, 0)
    call(f, 3)
    call(f, 0)
    del lazy.x
    call(f, 0)


def a_property_with_a_setter(stage, call):
    class Thermostat:
        def __init__(self):
            self._celsius = 20.0
            self.changes = 0

        @property
        def fahrenheit(self):
            return self._celsius * 1.8 + 32

        @fahrenheit.setter
        def fahrenheit(self, value):
            self._celsius = (value - 32) / 1.8
            self.changes += 1

    room = Thermostat()

    @stage
    def warm(by):
        room.fahrenheit += by
        if room.fahrenheit > 100:
            room.fahrenheit = 100.0
        return room._celsius

    for by in (5.0, 50.0, -3.0):
        call(warm, by)
    room._celsius = 0.0
    call(warm, 1.0)
    return vars(room)


def a_property_without_a_setter(stage, call):
    class Fixed:
        seen = 0

        @property
        def size(self):
            return 3

    fixed = Fixed()

    @stage
    def f(x):
        fixed.seen = x
        fixed.size = x
        fixed.seen = x + 1

    call(f, 1)
    return fixed.seen


def a_property_that_raises(stage, call):
    class Guarded:
        def __init__(self):
            self.level = 1

        @property
        def checked(self):
            if self.level < 0:
                raise ValueError(f"level {self.level}")
            return self.level

    guarded = Guarded()

    @stage
    def f(x):
        guarded.level -= x
        return guarded.checked

    for x in (1, 1, -5):
        call(f, x)
    return guarded.level


def a_descriptor_of_the_users(stage, call):
    class Positive:
        def __set_name__(self, owner, name):
            self.name = "_" + name

        def __get__(self, instance, owner=None):
            return self if instance is None else getattr(instance, self.name)

        def __set__(self, instance, value):
            if value < 0:
                raise ValueError("negative")
            setattr(instance, self.name, value)

    class Stock:
        amount = Positive()

    stock = Stock()
    stock.amount = 5

    @stage
    def take(n):
        stock.amount = stock.amount - n
        return stock.amount

    for n in (2, 9, 1):
        call(take, n)
    return vars(stock)


def a_dataclass(stage, call):
    @dataclasses.dataclass
    class State:
        x: float = 0.0
        steps: int = 0
        trail: list = dataclasses.field(default_factory=list)

    state = State()

    @stage
    def step(dx):
        state.x += dx
        state.steps += 1
        state.trail.append(state.x)
        return state.x

    for dx in (0.5, 1.5):
        call(step, dx)
    state.trail = []
    call(step, 1.0)
    return dataclasses.astuple(state)


def a_frozen_dataclass(stage, call):
    @dataclasses.dataclass(frozen=True)
    class Config:
        rate: float
        name: str = "a"

    holder = SimpleNamespace(config=Config(0.5))

    @stage
    def f(x):
        return x * holder.config.rate

    @stage
    def spoil(x):
        holder.config.rate = x

    call(f, 2.0)
    holder.config = Config(2.0)
    call(f, 2.0)
    call(spoil, 1.0)
    return holder.config.rate


def a_dataclass_with_slots(stage, call):
    @dataclasses.dataclass(slots=True)
    class Pair:
        a: int
        b: int

    pair = Pair(1, 2)

    @stage
    def turn(n):
        for _ in range(n):
            pair.a, pair.b = pair.b, pair.a + pair.b
        return pair.a

    call(turn, 3)
    pair.a = 10
    call(turn, 12)
    return pair.a, pair.b


def deleted_attributes(stage, call):
    box = SimpleNamespace(x=1)

    @stage
    def read():
        return box.x + 1

    call(read)
    del box.x
    call(read)
    box.x = 5
    call(read)


def the_function_deletes_an_attribute(stage, call):
    box = SimpleNamespace(x=1, y=2)

    @stage
    def f(n):
        if n > 0:
            del box.x
        box.y += 1
        return box.x

    call(f, 0)
    call(f, 1)
    call(f, 0)
    call(f, 1)
    box.x = 3
    call(f, 0)
    return vars(box)


def an_attribute_that_is_made_by_the_function(stage, call):
    box = SimpleNamespace()

    @stage
    def f(x):
        box.made = x
        return box.made * 2

    call(f, 1)
    call(f, np.arange(2))
    del box.made
    call(f, 3.0)
    return vars(box)


def getattr_with_a_default(stage, call):
    box = SimpleNamespace()

    @stage
    def f(x):
        before = getattr(box, "seen", -1)
        box.seen = x
        return before

    for x in (1, 2, 3):
        call(f, x)
    del box.seen
    call(f, 4)
    return vars(box)


def hasattr_of_what_comes_and_goes(stage, call):
    box = SimpleNamespace()

    @stage
    def f(x):
        if hasattr(box, "flag"):
            return x * 2
        return x

    call(f, 3)
    box.flag = 1
    call(f, 3)
    del box.flag
    call(f, 3)


def hasattr_of_what_the_function_sets(stage, call):
    box = SimpleNamespace()

    @stage
    def f(x):
        if not hasattr(box, "first"):
            box.first = x
        return box.first

    call(f, 3)
    call(f, 4)
    del box.first
    call(f, 5)
    return vars(box)


def setattr_and_getattr_by_name(stage, call):
    box = SimpleNamespace(a=1, b=2)

    @stage
    def f(x):
        for name in ("a", "b"):
            setattr(box, name, getattr(box, name) + x)
        return box.a

    call(f, 1)
    call(f, 2)
    return vars(box)


def delattr_by_name(stage, call):
    box = SimpleNamespace(a=1, b=2)

    @stage
    def f(x):
        delattr(box, "a")
        box.b += x

    call(f, 1)
    call(f, 1)
    box.a = 0
    call(f, 1)
    return vars(box)


def getattr_of_the_users(stage, call):
    class Proxy:
        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, name):
            return getattr(self.inner, name)

    inner = SimpleNamespace(rate=2, level=0)
    proxy = Proxy(inner)

    @stage
    def f(x):
        inner.level += x
        return proxy.level * proxy.rate

    call(f, 1)
    inner.rate = 5
    call(f, 1)
    return vars(inner)


def setattr_of_the_users(stage, call):
    class Logged:
        def __init__(self):
            object.__setattr__(self, "log", [])

        def __setattr__(self, name, value):
            self.log.append(name)
            object.__setattr__(self, name, value)

    logged = Logged()

    @stage
    def f(x):
        logged.a = x
        logged.b = x + 1
        return logged.a

    call(f, 1)
    call(f, 2)
    return vars(logged)


def getattribute_of_the_users(stage, call):
    class Counted:
        reads = 0

        def __init__(self):
            self.x = 1

        def __getattribute__(self, name):
            if name == "x":
                Counted.reads += 1
            return object.__getattribute__(self, name)

    counted = Counted()

    @stage
    def f(n):
        return counted.x + n

    call(f, 1)
    call(f, 2)
    return Counted.reads


def class_attributes_as_defaults(stage, call):
    class Base:
        rate = 2

    thing = Base()

    @stage
    def f(x):
        return x * thing.rate

    call(f, 1)
    Base.rate = 3
    call(f, 1)
    thing.rate = 10
    call(f, 1)
    Base.rate = 4
    call(f, 1)
    del thing.rate
    call(f, 1)


def the_instance_shadows_the_class(stage, call):
    class Counter:
        count = 0

    one = Counter()

    @stage
    def f():
        one.count += 1
        return one.count, Counter.count

    call(f)
    call(f)
    Counter.count = 50
    call(f)
    del one.count
    call(f)
    return one.count, Counter.count


def class_attributes_are_written(stage, call):
    class Registry:
        made = 0
        last = None

    @stage
    def f(x):
        Registry.made += 1
        if x > 2:
            Registry.last = x
        return Registry.made

    for x in (1, 5, 2):
        call(f, x)
    Registry.made = 0
    call(f, 9)
    return Registry.made, Registry.last


def super_and_overrides(stage, call):
    class Base:
        def __init__(self):
            self.log = 0

        def step(self, x):
            self.log += 1
            return x + 1

    class Child(Base):
        def step(self, x):
            self.log += 10
            return super().step(x) * 2

    child = Child()

    @stage
    def f(x, n):
        for _ in range(n):
            x = child.step(x)
        return x

    call(f, 1, 3)
    call(f, 1, 20)
    return child.log


def the_class_of_an_object_changes(stage, call):
    class One:
        def value(self):
            return self.x

    class Two:
        def value(self):
            return -self.x

    thing = One()
    thing.x = 3

    @stage
    def f(y):
        return thing.value() + y

    call(f, 1)
    thing.__class__ = Two
    call(f, 1)
    thing.x = 5
    call(f, 1)


def a_method_is_replaced(stage, call):
    class Thing:
        def value(self):
            return 1

    thing = Thing()

    @stage
    def f(y):
        return thing.value() + y

    call(f, 1)
    Thing.value = lambda self: 100
    call(f, 1)
    thing.value = lambda: 1000
    call(f, 1)


def a_function_attribute_is_replaced(stage, call):
    model = SimpleNamespace(activation=np.tanh)

    @stage
    def f(x):
        return model.activation(x)

    for activation in (np.tanh, np.exp, lambda x: x + 1, abs, np.tanh):
        model.activation = activation
        call(f, -1.0)
        call(f, np.array([-2.0, 2.0]))


def an_object_that_notes_what_it_is_asked(stage, call):
    log = []

    class Noting:
        def __setattr__(self, name, value):
            log.append((name, value))
            object.__setattr__(self, name, value)

        def __getattr__(self, name):
            log.append(name)
            return 0

    noting = Noting()

    @stage
    def f(x):
        noting.a = noting.b + x
        noting.b = noting.a
        del noting.a
        return noting.a

    call(f, 1)
    call(f, 2)
    return log
