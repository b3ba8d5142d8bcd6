"""What the library holds, on disk. SQLite is the truth; vectors, tables and files can be made again from it.

`documents` how a document comes in, is read and goes; `typed_tables` rows in DuckDB and queries over them;
`vector_index` vectors in Chroma; `activity` runs, conversations, jobs, audit; `migrations` changes of schema.
Beside them what all of these use: the database file, its lock, values, caches, and the stores outside SQLite.
"""
