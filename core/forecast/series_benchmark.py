"""Scores forecasts on a file of series, as the M3 and M4 competitions do."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import ParseError
from core.forecast.backtest import scale, smape
from core.forecast.model_selection import project
from core.forecast.seasonal import Array
from core.forecast.smoothing import naive2


def read_series(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records {id, freq, period, train, test} of a JSONL file. Raises ParseError."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                yield {key: record[key] for key in ("id", "freq", "period", "train", "test")}
            except (json.JSONDecodeError, KeyError, TypeError) as error:
                raise ParseError(
                    f"{path.name}, line {number}: not a series ({error}).",
                    hint="Each line holds id, freq, period, train and test.",
                ) from error


def errors(train: Array, period: int, test: Array, forecast: Array) -> tuple[float, float]:
    """Return (sMAPE in percent, MASE) of one forecast (M4's definitions)."""
    return smape(test, forecast), float(np.mean(np.abs(test - forecast))) / scale(train, period)


def owa(ours: Array, benchmark: Array) -> float:
    """Return the overall weighted average: mean of the ratios of mean sMAPE and mean MASE, arrays (n, 2)."""
    return float(np.mean(ours.mean(axis=0) / benchmark.mean(axis=0)))


def evaluate_forecast(records: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Forecast every series and return OWA against Naive2, sMAPE, MASE, coverage and seconds per series."""
    return summarise([judge(record) for record in records])


@dataclass(frozen=True)
class SeriesScore:
    """One series' scores: (sMAPE, MASE) of ours and of Naive2, coverage of its intervals, seconds."""

    freq: str
    ours: tuple[float, float]
    naive2: tuple[float, float]
    inside80: float
    inside95: float
    seconds: float
    horizon: int


def judge(record: dict[str, Any]) -> SeriesScore:
    """Forecast one record {id, freq, period, train, test} and score it."""
    train, test = np.asarray(record["train"], float), np.asarray(record["test"], float)
    period, horizon = int(record["period"]), len(test)
    began = time.perf_counter()
    projection = project(train, period, horizon)
    seconds = time.perf_counter() - began
    miss = np.abs(test - projection.values)
    return SeriesScore(
        freq=str(record["freq"]),
        ours=errors(train, period, test, projection.values),
        naive2=errors(train, period, test, naive2(train, period, horizon)),
        inside80=float(np.mean(miss <= projection.half80)),
        inside95=float(np.mean(miss <= projection.half95)),
        seconds=seconds,
        horizon=horizon,
    )


def summarise(judged: Sequence[SeriesScore]) -> dict[str, Any]:
    """Return the scores over all series and per frequency. Raises ParseError for no series."""
    if not judged:
        raise ParseError(
            "The file holds no series.", hint="Each line holds id, freq, period, train and test."
        )
    groups = {freq: [j for j in judged if j.freq == freq] for freq in dict.fromkeys(j.freq for j in judged)}
    return {**_summary(judged), "frequencies": {freq: _summary(group) for freq, group in groups.items()}}


def _summary(judged: Sequence[SeriesScore]) -> dict[str, Any]:
    ours, benchmark = np.asarray([j.ours for j in judged]), np.asarray([j.naive2 for j in judged])
    weights = [j.horizon for j in judged]
    return {
        "series": len(judged),
        "owa": owa(ours, benchmark),
        "smape": float(ours[:, 0].mean()),
        "mase": float(ours[:, 1].mean()),
        "coverage80": float(np.average([j.inside80 for j in judged], weights=weights)),
        "coverage95": float(np.average([j.inside95 for j in judged], weights=weights)),
        "seconds_per_series": float(np.mean([j.seconds for j in judged])),
    }
