"""Tables of PDFs and pictures beside their true cells, written down from the pages as displayed."""
