"""Stateful programs, by what their state is: each a function of ``stage`` and ``call`` (see ``stateful.py``)."""
