"""Trees of values: XML, JSON, YAML."""
