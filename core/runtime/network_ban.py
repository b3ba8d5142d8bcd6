"""No network for a process and all it starts, held by the system: a seccomp filter of Linux.

Programs that read a file for us, such as LibreOffice, follow what it links to by protocols of their own; a
setting closes the ones it knows. Here the system refuses every socket but those within the machine (AF_UNIX)
and to the kernel (AF_NETLINK). The filter is that of seccomp(2), "classic" BPF; nobody can take it off again.
"""

import ctypes
import errno
import platform
import struct
import sys

_ARCHITECTURES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}  # AUDIT_ARCH, number of socket(2)
_IO_URING_SETUP = 425  # on every architecture; a ring can make sockets
_OTHER_NUMBERS = 0x40000000  # from here on the calls of x32
_WITHIN = (1, 16)  # AF_UNIX, AF_NETLINK
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16  # offsets in struct seccomp_data
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _MODE_FILTER = 22, 38, 2


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def forbid_network() -> bool:
    """Take the network from this process and its children, for good; say whether the system does so."""
    known = _ARCHITECTURES.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return False
    code = _filter(*known)
    program = _Program(len(code) // 8, code)
    try:
        prctl = ctypes.CDLL(None).prctl
        if prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            return False
        return bool(prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) == 0)
    except (AttributeError, OSError):
        return False


def _filter(architecture: int, socket: int) -> bytes:
    """Return the instructions, eight bytes each: what to do, how far to jump if so and if not, with what."""
    steps = (
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 0, 8, architecture),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 6, 0, _OTHER_NUMBERS),
        (_EQUAL, 5, 0, _IO_URING_SETUP),
        (_EQUAL, 0, 3, socket),
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        (_EQUAL, 1, 0, _WITHIN[0]),
        (_EQUAL, 0, 1, _WITHIN[1]),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    )
    return b"".join(struct.pack("HBBI", *step) for step in steps)
