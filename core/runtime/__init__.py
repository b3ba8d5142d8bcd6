"""The process Strata runs in: its memory, workers, turns at the processor, and its end."""
