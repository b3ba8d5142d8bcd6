"""What a module compiles to, which tells a change of code from one of comments or local names."""

import marshal
import threading
from types import CodeType

_one_at_a_time = threading.Lock()  # before Python 3.11.8 two threads that parse can fail (gh-106905)


def compiled(source: str) -> bytes:
    """Return the bytecode of a module without docstrings, comments, positions and names of local variables.

    The order of a closure's variables, which is that of their names, stays in it.
    """
    with _one_at_a_time:
        code = compile(source, "", "exec", dont_inherit=True, optimize=2)
    return marshal.dumps(_placeless(code), 2)


def _placeless(code: CodeType) -> CodeType:
    constants = (_placeless(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    local = dict.fromkeys((*code.co_varnames, *code.co_cellvars, *code.co_freevars))
    numbered = {name: f"local {at}" for at, name in enumerate(local)}
    return code.replace(
        co_linetable=b"",
        co_firstlineno=1,
        co_consts=tuple(constants),
        co_varnames=tuple(numbered[name] for name in code.co_varnames),
        co_cellvars=tuple(numbered[name] for name in code.co_cellvars),
        co_freevars=tuple(numbered[name] for name in code.co_freevars),
    )
