"""The catalog's schema, grown by small numbered steps; each runs once, inside the writer's transaction.

Every table that an index is built from has an ever-growing `n`, so an index asks for what came after the
last row it saw; `forgotten` tells it what went away.
"""

import sqlite3
from collections.abc import Callable

from core.knowledge.stores.migrations.m001_to_m007 import (
    m001_documents,
    m002_distilled,
    m003_work,
    m004_tokens,
    m005_subjects,
    m006_tag_pairs,
    m007_learnt,
)
from core.knowledge.stores.migrations.m008_to_m019 import (
    m008_parents,
    m009_embedders,
    m010_touched,
    m011_chunk_summaries,
    m012_enrichment,
    m013_conversation_titles,
    m014_owners,
    m015_tag_spellings,
    m016_library_id,
    m017_order_of_runs,
    m018_library_machine,
    m019_edited,
)
from core.knowledge.stores.migrations.m020_tag_factors import m020_tag_factors
from core.knowledge.stores.migrations.m021_readings import m021_readings

Migration = Callable[[sqlite3.Connection], None]
MIGRATIONS: tuple[Migration, ...] = (
    m001_documents, m002_distilled, m003_work, m004_tokens, m005_subjects, m006_tag_pairs, m007_learnt,
    m008_parents, m009_embedders, m010_touched, m011_chunk_summaries, m012_enrichment,
    m013_conversation_titles, m014_owners, m015_tag_spellings, m016_library_id, m017_order_of_runs,
    m018_library_machine, m019_edited, m020_tag_factors, m021_readings,
)  # fmt: skip


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the catalog to the newest schema; raises ValueError if it was made by a newer Strata."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise ValueError(f"schema {version} is newer than this Strata knows ({len(MIGRATIONS)})")
    for number, migration in enumerate(MIGRATIONS[version:], start=version + 1):
        migration(connection)
        connection.execute(f"PRAGMA user_version = {number}")
