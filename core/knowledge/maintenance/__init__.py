"""What keeps a library whole: opened, backed up, diagnosed, repaired, compacted."""
