"""Finds the public evaluation data."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path:
    """Return the folder named by STRATA_BENCH_DATA, by default ../shared/data beside the repository."""
    return Path(os.environ.get("STRATA_BENCH_DATA", ROOT / "../shared/data")).resolve()


def bench_data(*parts: str) -> Path:
    """Return the path below the folder of evaluation data, or end the program."""
    path = data_folder().joinpath(*parts)
    if not path.exists():
        sys.exit(f"{path} is not there: name the folder of evaluation data in STRATA_BENCH_DATA.")
    return path
