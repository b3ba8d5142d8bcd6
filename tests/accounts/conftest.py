"""The library with a closed collection, for every file here."""

from tests.accounts.closed_library import place  # noqa: F401
