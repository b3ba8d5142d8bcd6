"""SQL: dumps read without running them, and SQLite files read without writing to them."""

from core.ingest.parsers.sql.database import DatabaseParser
from core.ingest.parsers.sql.dump import DumpParser

__all__ = ["DatabaseParser", "DumpParser"]
