"""SQL: dumps read without running them, and SQLite files read without writing to them."""

from core.ingest.parsers.sql.dump import DumpParser
from core.ingest.parsers.sql.sqlite_file import DatabaseParser

__all__ = ["DatabaseParser", "DumpParser"]
