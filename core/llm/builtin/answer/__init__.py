"""Answers by quoting: the sentence, row or section that states what was asked, and how sure that is."""
