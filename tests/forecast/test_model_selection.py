import numpy as np
import pytest

from core.errors import ForecastError
from core.forecast.backtest import smape
from core.forecast.forecast_models import MODELS
from core.forecast.model_selection import choose, project
from core.forecast.seasonal import adjust, is_seasonal
from core.forecast.series_benchmark import evaluate_forecast, read_series
from core.forecast.smoothing import theta


def seasonal(n: int = 60, period: int = 12) -> np.ndarray:
    t = np.arange(n)
    return 100 + 0.5 * t + 10 * np.sin(2 * np.pi * t / period) + np.random.default_rng(3).normal(0, 0.5, n)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_gives_finite_forecasts_on_a_seasonal_series(name: str):
    forecast = MODELS[name](seasonal(), 12, 6)
    assert forecast.shape == (6,)
    assert np.isfinite(forecast).all()


@pytest.mark.parametrize("name", MODELS)
def test_every_model_survives_short_constant_and_negative_series(name: str):
    for y in ([1.0, 2.0, 3.0], [5.0] * 8, [-3.0, 1.0, 0.0, 2.0, -1.0, 4.0, 0.0]):
        assert np.isfinite(MODELS[name](np.array(y), 4, 3)).all()


def test_seasonal_adjustment_restores_what_it_took_out():
    y = seasonal()
    adjusted = adjust(y, 12, 12)
    assert is_seasonal(y, 12)
    assert adjusted.y.std() < y.std()
    factor = adjusted.restore(np.ones(12))
    assert np.argmax(factor) == np.argmax(np.sin(2 * np.pi * (60 + np.arange(12)) / 12))


def test_theta_agrees_with_statsmodels():
    from statsmodels.tsa.forecasting.theta import ThetaModel

    y = np.cumsum(np.random.default_rng(1).normal(1, 2, 40)) + 100
    theirs = ThetaModel(y, period=1, deseasonalize=False).fit(use_mle=False).forecast(5)
    np.testing.assert_allclose(theta(y, 1, 5), np.asarray(theirs), rtol=0.01)


def test_a_forecast_of_a_clear_pattern_beats_the_naive_one_and_says_how_it_chose():
    y = seasonal(72)
    projection = project(y[:60], 12, 12)
    naive = np.abs(y[60:] - y[59]).mean()
    assert np.abs(y[60:] - projection.values).mean() < 0.5 * naive
    assert projection.scores[projection.chosen][0] < projection.scores["naive"][0]
    assert (projection.half95 > projection.half80).all()
    assert (np.diff(projection.half80) > 0).all()


def test_a_wild_series_gets_wider_intervals_than_a_calm_one():
    rng = np.random.default_rng(5)
    calm, wild = 100 + rng.normal(0, 1, 30), 100 + rng.normal(0, 10, 30)
    assert project(wild, 1, 3).half80[0] > 3 * project(calm, 1, 3).half80[0]


def test_the_combination_is_kept_unless_one_model_is_clearly_better():
    judged = {"median combination": (1.0, 5.0), "ETS": (0.9, 4.0)}
    assert choose(judged) == "median combination"
    assert choose({**judged, "drift": (0.2, 1.0)}) == "drift"
    assert choose({}) == "median combination"


@pytest.mark.parametrize(
    ("values", "horizon"), [([1.0, 2.0], 3), ([1.0, float("nan"), 2.0], 3), ([1, 2, 3], 0)]
)
def test_what_cannot_be_forecast_is_refused(values: list[float], horizon: int):
    with pytest.raises(ForecastError):
        project(values, 1, horizon)


def test_a_constant_series_is_forecast_by_its_value_without_spread():
    projection = project([4.0] * 10, 1, 2)
    assert projection.values.tolist() == [4.0, 4.0]
    assert projection.half95.tolist() == [0.0, 0.0]


def test_smape_is_m3s():
    assert smape(np.array([100.0]), np.array([50.0])) == pytest.approx(200 * 50 / 150)


def test_naive2_scores_an_owa_near_one_against_the_published_one(bench_data):
    import json

    from core.forecast.series_benchmark import errors, owa
    from core.forecast.smoothing import naive2

    records = list(read_series(bench_data / "forecasting" / "m3.jsonl"))[:200]
    published = {}
    peers = bench_data / "forecasting" / "m3_peer_forecasts.jsonl"
    for line in peers.read_text("utf-8").splitlines():
        record = json.loads(line)
        published[record["id"]] = record["NAIVE2"]
    ours, theirs = [], []
    for r in records:
        train, test = np.array(r["train"], float), np.array(r["test"], float)
        ours.append(errors(train, r["period"], test, naive2(train, r["period"], len(test))))
        theirs.append(errors(train, r["period"], test, np.array(published[r["id"]])[: len(test)]))
    assert owa(np.array(ours), np.array(theirs)) == pytest.approx(1.0, abs=0.01)


def test_evaluation_beats_naive2_on_a_few_real_series(bench_data):
    report = evaluate_forecast(list(read_series(bench_data / "forecasting" / "m3.jsonl"))[:3])
    assert report["series"] == 3
    assert report["owa"] < 1
    assert 0 <= report["coverage80"] <= report["coverage95"] <= 1
