"""The built-in engine: rules for the same tasks a model does, a folder a task."""
