"""Typed tables in DuckDB and the read-only queries over them: validated, traced to columns, limited."""
