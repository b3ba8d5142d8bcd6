"""Checks of what is installed and how well it works: health, model cards, evaluations."""
