"""Stateful programs, by what their state is: functions of ``stage`` and ``call`` (see ``stateful.py``)."""
