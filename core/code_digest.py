"""What a module compiles to, by which a change of code is told from one of comments and layout."""

import marshal
import threading
from types import CodeType

_one_at_a_time = threading.Lock()  # before Python 3.11.8 two threads that parse can fail (gh-106905)


def compiled(source: str) -> bytes:
    """Return the bytecode of a module without docstrings, comments and positions."""
    with _one_at_a_time:
        code = compile(source, "", "exec", dont_inherit=True, optimize=2)
    return marshal.dumps(_placeless(code), 2)


def _placeless(code: CodeType) -> CodeType:
    constants = (_placeless(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=b"", co_firstlineno=1, co_consts=tuple(constants))
