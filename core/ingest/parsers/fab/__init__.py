"""Files of the fab floor: KLARF defect files, SECS/GEM message logs, and whatever a CIM mapping describes."""

from core.ingest.parsers.fab.klarf import KlarfParser
from core.ingest.parsers.fab.mapped import MappedParser
from core.ingest.parsers.fab.mapping import Mapping, load_mapping
from core.ingest.parsers.fab.sml import SmlParser

__all__ = ["KlarfParser", "MappedParser", "Mapping", "SmlParser", "load_mapping"]
