"""The built-in side of the knowledge-aware loop: what to ask next, and which candidate to read."""
