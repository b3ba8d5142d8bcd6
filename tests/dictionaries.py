"""Imported where processes are forked from: what each would read anew, dictionaries and compiled tables."""

from core.flow.graph import compiled
from core.llm.builtin.understand.grammar import tagged
from core.text.english_words import lower_case_stems
from core.text.languages import language_of
from core.text.quantities import convert
from core.text.tokens import words

compiled()
tagged("which tools wait")
lower_case_stems()
language_of("The wet clean of the chamber is due after three hundred hours, as the maker of the tool says.")
convert(1.0, "h", "min")
words("静电吸盘")
