"""Documents as rows of SQLite: how one comes in, what was distilled from it, who may see it, how it goes."""
