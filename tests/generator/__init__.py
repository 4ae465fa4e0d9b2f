"""Random programs: ``writing.py`` draws the text of a function ``f``, ``loading.py`` makes it callable."""
