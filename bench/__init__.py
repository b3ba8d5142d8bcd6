"""Measurements: ratios in one run, on data found through STRATA_BENCH_DATA."""
