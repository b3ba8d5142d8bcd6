"""Word, PowerPoint and Excel files (ECMA-376), and what is done where one is damaged."""
