"""The reading order of public pages beside what was written down by hand from the pages as displayed."""
