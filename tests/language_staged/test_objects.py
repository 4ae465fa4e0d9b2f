"""Objects of the user's classes in staged parts: dataclasses, methods, properties, operators, made and kept.
"""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass, field

from equivalence import check, parametrize


@dataclass
class Ball:
    x: float
    v: float = 1.0
    hits: int = 0

    def step(self, dt):
        self.x += self.v * dt
        if self.x > 2:
            self.v = -self.v
            self.hits += 1
        return self

    @property
    def energy(self):
        return self.v * self.v / 2 + self.x

    @classmethod
    def at(cls, x):
        return cls(x, v=0.5)

    @staticmethod
    def twice(x):
        return 2 * x if x > 1 else x


@dataclass(frozen=True)
class Frozen:
    a: float
    b: int = 2

    def moved(self, d):
        return dataclasses.replace(self, a=self.a + d)


@dataclass(slots=True)
class Slotted:
    a: float
    items: list = field(default_factory=list)

    def add(self, v):
        self.items.append(v)
        self.a += v
        return len(self.items)


@dataclass(frozen=True, slots=True)
class FrozenSlots:
    a: float

    def next(self):
        return FrozenSlots(self.a * 2 + 1)


@dataclass(order=True)
class Ordered:
    key: float
    name: str = "n"

    def __post_init__(self):
        self.key = self.key * 2


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __eq__(self, other):
        return isinstance(other, Vector) and self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.norm() < other.norm()

    def __getitem__(self, k):
        return self.x if k == 0 else self.y

    def __len__(self):
        return 2

    def __bool__(self):
        return self.x != 0 or self.y != 0

    def __iter__(self):
        return iter((self.x, self.y))

    def __contains__(self, v):
        return v == self.x or v == self.y

    def __call__(self, k):
        return self.x + k * self.y

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def norm(self):
        return abs(self.x) + abs(self.y)


class Shape:
    sides = 0

    def __init__(self, size):
        self.size = size
        self.log = []

    def area(self):
        return 0 * self.size

    def describe(self, n):
        self.log.append(n)
        return self.area() + self.sides * n


class Square(Shape):
    sides = 4

    def __init__(self, size, extra=0):
        super().__init__(size)
        self.extra = extra

    def area(self):
        if self.size > 2:
            return self.size**2 + super().area()
        return self.extra

    @property
    def half(self):
        return self.size / 2

    @half.setter
    def half(self, value):
        self.size = value * 2 if value > 0 else 1


class Counter:
    def __init__(self):
        self.total = 0

    def __call__(self, k):
        self.total += k
        return self.total


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def argument_mutated(ball, n):
    for _ in range(n):
        ball.step(0.5)
        if ball.hits > 1:
            break
    return ball.energy, ball


def made_inside(n):
    ball = Ball(0.0)
    for _ in range(n):
        ball.step(1)
    return ball, ball.energy, Ball.at(n), Ball.twice(n), ball.twice(0)


def made_in_loop(n):
    balls = []
    for k in range(n):
        balls.append(Ball(k, hits=k))
    total = 0
    for b in balls:
        b.step(0.25)
        total += b.energy
    return balls, total


def made_in_arm(n):
    if n > 2:
        b = Ball(n)
    else:
        b = Ball.at(-n)
    b.step(1.0)
    return b


def class_chosen(n):
    if n > 2:
        s = Square(n, 5)
    else:
        s = Shape(n)
    return s.area(), s.describe(3), s.log, s.sides, isinstance(s, Square)


def rebuilt(n):
    f = Frozen(1.0)
    g = FrozenSlots(0.5)
    for k in range(n):
        f = f.moved(k)
        g = g.next()
    return f, g, f.a + g.a


def frozen_argument(f, n):
    for k in range(n):
        if f.a > 3:
            f = Frozen(0.0, k)
        f = dataclasses.replace(f, a=f.a + 1.5)
    return f


def frozen_set_raises(n):
    f = Frozen(1.0)
    if n > 2:
        f.a = 3
    return f


def slotted(s, n):
    for k in range(n):
        if s.add(k) > 2:
            s.items.pop()
    t = Slotted(0.5)
    for k in range(n):
        t.add(-k)
    return s.a, t


def ordered(n):
    items = []
    for k in range(n):
        items.append(Ordered(k * 3 % 4, str(k)))
    items.sort()
    return items, Ordered(n) < Ordered(3), dataclasses.asdict(Ordered(n)), Ordered(1) == Ordered(n)


def operators(n, x):
    v = Vector(x, 1)
    for k in range(n):
        v = v + Vector(k, 1) * 2
        if v.norm() > 9:
            v = -v
        v += Vector(1, 1)
    w = 3 * v
    return (v.x, v.y), w[0], w[n], len(w), bool(w), list(w), w(n), v == w, v < w, x in v, (v or 5) is v


def user_bool(x):
    v = Vector(x, 0)
    if v:
        return "some"
    return "none"


def user_iteration(x):
    total = 0
    for c in Vector(x, 2):
        total += c
    a, b = Vector(x, 3)
    return total, a, b


def inheritance(size, n):
    s = Square(size, n)
    r = s.describe(n)
    s.half = n
    return r, s.area(), s.half, s.log, s.size


def callable_object(n):
    c = Counter()
    for k in range(n):
        if c(k) > 5:
            break
    return c.total


def callable_argument(c, n):
    for k in range(n):
        c(k)
    return c.total, c


def enums(n):
    color = Color.RED if n > 2 else Color.BLUE
    if color is Color.RED:
        return "red", color
    return color.value, color.name, color == Color.BLUE


def match_class(n):
    b = Ball(n, hits=n + 1)
    match b:
        case Ball(x=0):
            return "zero"
        case Ball(x=x, hits=h) if h > 3:
            return x, h
        case Ball():
            return "ball"


def linked_list(n):
    head = None
    for k in range(n):
        head = (k, head)
    total = 0
    while head is not None:
        value, head = head
        total = total * 3 + value
    return total


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def linked_objects(n):
    head = None
    for k in range(n):
        head = Node(k, head)
    total = 0
    node = head
    while node is not None:
        total = total * 3 + node.value
        node = node.next
    return total


class Tree:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None

    def insert(self, key):
        if key < self.key:
            if self.left is None:
                self.left = Tree(key)
            else:
                self.left.insert(key)
        elif self.right is None:
            self.right = Tree(key)
        else:
            self.right.insert(key)

    def walk(self, out):
        if self.left is not None:
            self.left.walk(out)
        out.append(self.key)
        if self.right is not None:
            self.right.walk(out)


def binary_tree(n):
    root = Tree(5)
    for k in range(n):
        root.insert(k * 7 % 11)
    out = []
    root.walk(out)
    return out


def attributes_dynamic(n):
    b = Ball(1.0)
    name = "x" if n > 2 else "v"
    setattr(b, name, n)
    return getattr(b, name), hasattr(b, "q"), getattr(b, "q", n), vars(b)


def local_class(n):
    class Local:
        scale = 3

        def __init__(self, k):
            self.k = k

        def get(self):
            return self.k * self.scale if self.k > 2 else -self.k

    return Local(n).get(), Local(5).get()


CASES = [
    *[(argument_mutated, Ball(0.0), n) for n in (0, 9, 40)],
    *[(made_inside, n) for n in (0, 5)],
    *[(made_in_loop, n) for n in (0, 5)],
    *[(made_in_arm, n) for n in (1, 3)],
    *[(class_chosen, n) for n in (1, 3)],
    *[(rebuilt, n) for n in (0, 5)],
    *[(frozen_argument, Frozen(1.0), n) for n in (0, 5)],
    *[(frozen_set_raises, n) for n in (0, 5)],
    *[(slotted, Slotted(1.0), n) for n in (0, 5)],
    *[(ordered, n) for n in (0, 5)],
    *[(operators, n, x) for n, x in ((0, 1), (1, 0.5))],
    *[(user_bool, x) for x in (0, 1.5)],
    *[(user_iteration, x) for x in (0, 1.5)],
    *[(inheritance, size, n) for size, n in ((1, 2), (3, -1))],
    *[(callable_object, n) for n in (0, 5)],
    *[(callable_argument, Counter(), n) for n in (0, 5)],
    *[(enums, n) for n in (0, 5)],
    *[(match_class, n) for n in (0, 1, 5)],
    *[(linked_list, n) for n in (0, 5)],
    *[(linked_objects, n) for n in (0, 5)],
    *[(binary_tree, n) for n in (0, 6)],
    *[(attributes_dynamic, n) for n in (0, 5)],
    *[(local_class, n) for n in (0, 5)],
]


@parametrize(CASES)
def test_objects(f, args):
    """Each program gives in every mode what plain Python gives."""
    check(f, *args)
