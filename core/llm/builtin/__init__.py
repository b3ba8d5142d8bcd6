"""The built-in engine's rules, one folder a task."""
