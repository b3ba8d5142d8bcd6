"""Vectors by layer in Chroma, and which embedding model made them."""
