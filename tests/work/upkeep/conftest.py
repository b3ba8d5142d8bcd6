"""The small disk, and the library that a question was asked, for every file here."""

from tests.work.upkeep.test_full_disk import asked, disk  # noqa: F401
