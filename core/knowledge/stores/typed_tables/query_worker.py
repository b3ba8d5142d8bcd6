"""The worker's side of table queries: an empty DuckDB that sees the tables of one query and nothing else.

The tables come as Parquet files in one folder; no other file and no network can be reached, and that
cannot be switched back on. What a query takes beyond its memory is refused by the system itself.
"""

import json
import os
import resource
import select
import signal
import sys
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa  # type: ignore[import-untyped]

from core.runtime.network_ban import forbid_network
from core.runtime.worker_folders import leave_without_owner
from core.runtime.worker_processes import BEGUN, DONE, FAILED, READY, send_message
from core.text.sql_quoting import quoted, quoted_text

_IDLE_SECONDS = 120.0  # seconds without a request after which it ends
_GRACE_SECONDS = 5  # seconds after its own time limit at which a worker nobody watches any more ends itself
_USUAL_MEMORY_BYTES = 1_000_000_000  # bytes of memory, before anything is known
_SPILL = "2GB"  # of the disk, for what is sorted or joined beyond the memory


def serve() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    forbid_network()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    database = _Database("", _USUAL_MEMORY_BYTES)
    send_message(answers, READY, b"")
    requests = sys.stdin.buffer
    while select.select([requests], [], [], _IDLE_SECONDS)[0]:
        line = requests.readline()
        if not line:
            return
        asked = json.loads(line)
        send_message(answers, BEGUN, b"")
        signal.setitimer(signal.ITIMER_REAL, asked["seconds"] + _GRACE_SECONDS)
        if database.key != (asked["folder"], asked["memory"]):
            database.close()
            database = _Database(asked["folder"], asked["memory"])
        limited = f"SELECT * FROM ({asked['sql']}) LIMIT {int(asked['limit'])}"
        try:
            payload = database.run(asked["tables"], limited, asked["parameters"])
        except MemoryError:
            send_message(answers, FAILED, b"Out of Memory Error")
        except (duckdb.Error, pa.ArrowException, ValueError) as error:
            send_message(answers, FAILED, str(error).encode("utf-8", "replace")[:4000])
        else:
            send_message(answers, DONE, payload)
        signal.setitimer(signal.ITIMER_REAL, 0)


class _Database:
    """An empty database that may read one folder; kept, for opening it takes longer than a query."""

    def __init__(self, folder: str, memory: int) -> None:
        self.key = (folder, memory)
        options: dict[str, str | bool | int | float | list[str]] = {
            "threads": "2",
            "memory_limit": f"{memory // 2 // 1_000_000}MB",
            "temp_directory": f"{folder}/spill",
            "max_temp_directory_size": _SPILL,
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "python_enable_replacements": "false",
        }
        self._connection = duckdb.connect(":memory:", config=options)
        self._connection.execute(f"SET allowed_directories = [{quoted_text(folder)}]")
        self._connection.execute("SET enable_external_access = false")
        self._connection.execute("SET lock_configuration = true")

    def run(self, tables: dict[str, str], sql: str, parameters: list[Any]) -> bytes:
        """Return the rows of the query as an Arrow stream; it sees these tables only."""
        made: list[str] = []
        try:
            for name, path in tables.items():
                view = quoted(name)
                self._connection.execute(
                    f"CREATE VIEW {view} AS SELECT * FROM read_parquet({quoted_text(path)})"
                )
                made.append(view)
            _bound(self.key[1])
            rows = self._connection.sql(sql, params=parameters).to_arrow_table()
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, rows.schema) as stream:
                stream.write_table(rows)
            return bytes(sink.getvalue())
        finally:
            _bound(None)
            for view in made:
                self._connection.execute(f"DROP VIEW {view}")

    def close(self) -> None:
        self._connection.close()


def _bound(memory: int | None) -> None:
    """Let the system refuse what goes `memory` bytes beyond what is mapped now; None lifts the limit."""
    if sys.platform != "linux":  # elsewhere the watch over the resident memory has to do
        return
    most = resource.RLIM_INFINITY
    if memory is not None:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        most = pages * resource.getpagesize() + memory
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    try:
        serve()
    finally:
        leave_without_owner()
