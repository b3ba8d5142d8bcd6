"""Forecast accuracy on M3 against the methods submitted to it: `python -m bench.forecast [--every N]`.

Prints OWA (against the published Naive2), coverage and seconds for Strata and OWA of each peer on the same
series. Ratios only; seconds are this machine's.
"""

import argparse
import json
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from bench.data import bench_data
from core.forecast.series_benchmark import errors, judge, owa, read_series, summarise

GROUPS = ("yearly", "quarterly", "monthly", "other")


def peers(records: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return OWA of every submitted method, over all series and per frequency."""
    submitted: dict[str, dict[str, list[float]]] = {}
    with bench_data("forecasting", "m3_peer_forecasts.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            submitted[record.pop("id")] = record
    table: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        train, test = np.asarray(record["train"], float), np.asarray(record["test"], float)
        for method, forecast in submitted[record["id"]].items():
            score = errors(train, record["period"], test, np.asarray(forecast, float)[: len(test)])
            for group in ("all", record["freq"]):
                table[method][group].append(score)
    naive2 = table.pop("NAIVE2")
    return {
        method: {g: owa(np.asarray(rows), np.asarray(naive2[g])) for g, rows in groups.items()}
        for method, groups in table.items()
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--every", type=int, default=1, help="take every N-th series")
    options.add_argument("--processes", type=int, default=1)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    records = list(read_series(bench_data("forecasting", "m3.jsonl")))[:: chosen.every]
    with ProcessPoolExecutor(chosen.processes) as pool:
        ours = summarise(list(pool.map(judge, records, chunksize=8)))
    report = {"strata": ours, "peers": peers(records)}
    if chosen.json:
        print(json.dumps(report, indent=2))
        return
    print(f"{len(records)} series of M3; OWA against Naive2, lower is better")
    print(f"{'':24}" + "".join(f"{g:>11}" for g in ("all", *GROUPS)))
    lines = {"Strata": {"all": ours["owa"]} | {g: v["owa"] for g, v in ours["frequencies"].items()}}
    for method, scores in {**lines, **report["peers"]}.items():
        print(f"{method:24}" + "".join(f"{scores.get(g, float('nan')):11.3f}" for g in ("all", *GROUPS)))
    print(f"coverage 80 %: {ours['coverage80']:.3f}   95 %: {ours['coverage95']:.3f}")
    for group, values in ours["frequencies"].items():
        seconds, low, high = values["seconds_per_series"], values["coverage80"], values["coverage95"]
        print(f"{group:10} {seconds:.2f} s a series, coverage {low:.3f} and {high:.3f}")


if __name__ == "__main__":
    main()
