"""Training a decomposer on collected paths; all of it needs the extra `train`, none of it on import."""
