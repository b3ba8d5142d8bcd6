"""A cache folder that only this user can read and write, for data that takes long to compute."""

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory


@cache
def private_cache() -> Path:
    """Return the folder; where none can be created, a temporary one of this process."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "strata"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)  # which only its owner may
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):  # a home that cannot be written to, or none
        pass
    return Path(_for_now().name)


@cache
def _for_now() -> TemporaryDirectory[str]:
    """Return a folder that is deleted when the process ends."""
    return TemporaryDirectory(prefix="strata-")
