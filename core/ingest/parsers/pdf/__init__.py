"""PDF, and pages read by OCR: words with their boxes, put back into columns, paragraphs, headings, tables."""
