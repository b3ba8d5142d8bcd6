"""Marked text: HTML, Markdown, reStructuredText, and the pages of e-books."""
