"""Namespaces of XML in the form lxml puts before a name: "{address}"."""

DRAWINGML = "{http://schemas.openxmlformats.org/drawingml/2006/main}"  # shared by the kinds of ECMA-376
RELATIONSHIPS = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

# OpenDocument 1.2
ODF_DRAWING = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
ODF_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
ODF_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
ODF_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
ODF_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
ODF_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
ODF_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"

XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
