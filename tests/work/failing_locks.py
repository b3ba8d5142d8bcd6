"""A file system whose locks fail, from the start or from some moment on: loaded before C's library."""

import subprocess
from pathlib import Path

# Those of whole files (flock), those SQLite and DuckDB take (fcntl), or both; where NO_LOCKS_WHEN names a
# file, while that is there.
NO_LOCKS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum { SETLK = 6, SETLKW = 7, OFD_SETLK = 37, OFD_SETLKW = 38 };
static int fails(const char *kind) {
    const char *kinds = getenv("NO_LOCKS"), *when = getenv("NO_LOCKS_WHEN");
    if (strcmp(kinds, kind) && strcmp(kinds, "both")) return 0;
    if (when && access(when, F_OK)) return 0;
    errno = ENOLCK;
    return 1;
}
int flock(int file, int operation) {
    int (*real)(int, int) = dlsym(RTLD_NEXT, "flock");
    return fails("flock") ? -1 : real(file, operation);
}
static int control(const char *name, int file, int order, void *given) {
    int (*real)(int, int, ...) = dlsym(RTLD_NEXT, name);
    int locks = order == SETLK || order == SETLKW || order == OFD_SETLK || order == OFD_SETLKW;
    return locks && fails("fcntl") ? -1 : real(file, order, given);
}
#define WRAP(name) int name(int file, int order, ...) { \
    va_list rest; va_start(rest, order); void *given = va_arg(rest, void *); va_end(rest); \
    return control(#name, file, order, given); }
WRAP(fcntl)
WRAP(fcntl64)
"""


def without_locks(folder: Path) -> Path:
    """Compile the library; return its path, for LD_PRELOAD."""
    source, shim = folder / "locks.c", folder / "locks.so"
    source.write_text(NO_LOCKS, "utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
    return shim
