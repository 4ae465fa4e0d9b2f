"""Functions of another file, for tracebacks."""


def helper(x):
    y = x - 1
    return 10 // y


def applied(function, x):
    if x > 0:
        return function(x)
    return x


def outer(x):
    return helper(x) + helper(x + 1)
