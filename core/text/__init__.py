"""What every room must know about written language, and words as data."""
