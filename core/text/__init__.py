"""What every package needs to know of written language, and vocabularies as data."""
