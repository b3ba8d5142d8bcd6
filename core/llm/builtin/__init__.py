"""The built-in engine: rules for every task, a folder a task."""
