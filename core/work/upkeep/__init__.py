"""What changes or rebuilds the stored library as a whole: edits, removals, repair, another embedder."""
