"""The one way foreign XML is read: no entity is resolved, no DTD loaded, nothing fetched."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element


def parse_xml(data: bytes, *, recover: bool = False, bare: bool = False) -> "_Element":
    """Return the root of XML; `recover`: of what can be read of damaged XML (None where that is nothing);
    `bare`: without comments and processing instructions. Raises XMLSyntaxError, ValueError."""
    from lxml import etree

    safe = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        recover=recover,
        remove_comments=bare,
        remove_pis=bare,
    )
    return etree.fromstring(data, safe)
