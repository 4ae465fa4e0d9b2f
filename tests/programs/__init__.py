"""Sample functions that every way of running must agree on, by what they are about.

A module has plain functions and ``CASES``: tuples of a function and the arguments of one call.
"""
