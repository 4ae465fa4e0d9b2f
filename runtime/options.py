"""What ``@function`` is told, and what ``cache_info`` tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

CACHE_SIZE = 64
"""How many traces of a function are kept where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Options:
    """What :func:`function` was told."""

    input_signature: tuple[Any, ...] | None = None
    static_argnames: frozenset[str] = frozenset()
    reduce_retracing: bool = True
    convert: tuple[str, ...] = ()
    name: str | None = None
    cache_size: int = CACHE_SIZE


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """How many traces a function keeps (``size``), may keep (``limit``), has made and has dropped since."""

    size: int
    limit: int
    made: int
    dropped: int
