"""Word, PowerPoint and Excel files of 1997 to 2003, and RTF."""
