"""The sockets LibreOffice makes in /tmp, one for each profile, and leaves there when it is killed."""

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

PROFILE = "profile"  # the name of a profile's folder
_PLACES = (Path("/tmp"), Path("/var/tmp"))  # as LibreOffice has them, whatever TMPDIR says


def profile_address(profile: Path) -> str:
    """Return the profile's address as LibreOffice takes it."""
    return f"file://{profile}"


def remove_sockets(folder: Path) -> None:
    """Remove the sockets of the profiles that lie in a folder or in folders of it."""
    for profile in (folder / PROFILE, *folder.glob(f"*/{PROFILE}")):
        digest = hashlib.md5(profile_address(profile).encode("utf-16-le"), usedforsecurity=False).digest()
        name = f"OSL_PIPE_{os.getuid()}_SingleOfficeIPC_{''.join(f'{byte:x}' for byte in digest)}"
        for place in _PLACES:
            with suppress(OSError):
                if stat.S_ISSOCK((place / name).lstat().st_mode):
                    (place / name).unlink()
