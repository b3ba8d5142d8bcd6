"""Tables of a PDF page: by ruling lines, by level lines alone, or by how their words line up."""
