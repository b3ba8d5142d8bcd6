"""Finds the public evaluation data."""

import os
import sys
from pathlib import Path


def bench_data(*parts: str) -> Path:
    """Return the path below STRATA_BENCH_DATA (default ../shared/data), or end the program."""
    root = Path(
        os.environ.get("STRATA_BENCH_DATA", Path(__file__).parent.parent / "../shared/data")
    ).resolve()
    path = root.joinpath(*parts)
    if not path.exists():
        sys.exit(f"{path} is not there: name the folder of evaluation data in STRATA_BENCH_DATA.")
    return path
