"""A staged function as a method of an object."""

from __future__ import annotations

import copy
import functools
import types
from typing import Any


class BoundFunction(functools.partial[Any]):
    """A staged function as a method of an object: called, it hands the object over first."""

    __slots__ = ()

    @property
    def __self__(self) -> Any:
        return self.args[0]

    @property
    def __func__(self) -> Any:
        return self.func

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.func.__doc__

    @property
    def __wrapped__(self) -> Any:
        return types.MethodType(self.func.python_function, self.args[0])  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.func, name)

    def __get__(self, instance: Any, owner: Any = None) -> BoundFunction:
        return self

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        """The graph for this object and arguments like these."""
        return self.__func__.get_concrete_function(self.__self__, *args, **kwargs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoundFunction):
            return NotImplemented
        return bool(self.__func__ is other.__func__ and self.__self__ is other.__self__)

    def __hash__(self) -> int:
        return hash((id(self.__func__), id(self.__self__)))

    def __copy__(self) -> BoundFunction:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> BoundFunction:
        return type(self)(self.__func__, copy.deepcopy(self.__self__, memo))

    def __reduce__(self) -> Any:
        return getattr, (self.__self__, self.__func__.python_function.__name__)

    def __repr__(self) -> str:
        return f"<bound {self.__func__!r} of {self.__self__!r}>"
