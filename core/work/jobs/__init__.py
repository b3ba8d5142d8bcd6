"""Files on their way into the library: queue, stages, watched folders, background enrichment."""
