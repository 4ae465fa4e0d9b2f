"""What transpiled code calls.  On plain values each operator is the Python construct that it replaces.

Array libraries plug in with :func:`register`; see :class:`Backend` for the protocol.  Nothing here imports an
array library or the runtime.
"""

from autograph.operators.calls import call
from autograph.operators.control_flow import (
    assert_stmt,
    for_stmt,
    if_stmt,
    raised,
    try_stmt,
    unstaged,
    while_stmt,
    with_stmt,
)
from autograph.operators.expressions import (
    and_,
    contains,
    dict_,
    double_star,
    format_,
    get_item,
    if_exp,
    is_,
    is_not,
    join,
    list_,
    not_,
    not_contains,
    or_,
    set_,
    star,
    tuple_,
    unpack_star,
)
from autograph.operators.matching import (
    is_instance,
    is_mapping,
    is_sequence,
    items_between,
    part,
    without,
)
from autograph.operators.names import Undefined, defined, outer, set_outer, undefined
from autograph.operators.plain import Backend, as_result, as_state
from autograph.operators.registry import activate, active, backend_for, lookup, register, unregister

__all__ = [
    "Backend",
    "Undefined",
    "activate",
    "active",
    "and_",
    "as_result",
    "as_state",
    "assert_stmt",
    "backend_for",
    "call",
    "contains",
    "defined",
    "dict_",
    "double_star",
    "for_stmt",
    "format_",
    "get_item",
    "if_exp",
    "if_stmt",
    "is_",
    "is_instance",
    "is_mapping",
    "is_not",
    "is_sequence",
    "items_between",
    "join",
    "list_",
    "lookup",
    "not_",
    "not_contains",
    "or_",
    "outer",
    "part",
    "raised",
    "register",
    "set_",
    "set_outer",
    "star",
    "try_stmt",
    "tuple_",
    "undefined",
    "unpack_star",
    "unregister",
    "unstaged",
    "while_stmt",
    "with_stmt",
    "without",
]
