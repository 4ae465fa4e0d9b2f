"""Objects of outside that a staged part changes before the trace has met them."""

from __future__ import annotations

from equivalence import check


class Settings:
    k = 1


settings = Settings()
many = [settings] * 70
named = {"a": [1]}
lists = [named["a"]] * 70
rate = 1


def objects_of_a_long_list(n):
    for each in many:
        each.k = each.k + 1.5
    return settings.k + n


def lists_of_a_long_list(n):
    for each in lists:
        each[0] = n + 2
    return named["a"][0]


def names_of_the_module(n):
    total = 0
    for _ in range(n):
        total += rate
        globals()["rate"] = rate * 1.5
    return total + rate


def test_an_object_that_is_met_after_it_was_changed():
    """It is found in a list that only the run knows, then under its name."""

    def restore(k):
        settings.k = k

    check(objects_of_a_long_list, 3, state=lambda: settings.k, restore=restore, calls=3)


def test_a_list_that_is_met_after_it_was_changed():
    """The same for a list in a dict."""

    def restore(state):
        named["a"][:] = state

    check(lists_of_a_long_list, 3, state=lambda: list(named["a"]), restore=restore, calls=3)


def test_a_global_that_is_assigned_through_its_namespace():
    """In a loop, where what is read comes before what is written."""

    def restore(value):
        globals()["rate"] = value

    check(names_of_the_module, 3, state=lambda: rate, restore=restore, calls=3)
