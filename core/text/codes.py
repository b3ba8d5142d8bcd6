"""Codes by which documents and things go: "SOP-ETCH-012", "PE-300", "A77", "ALM3042".

One pattern for each purpose, strict ones first. They differ because a false match costs something different
each time: a stored reference is wrong for good, one more search term is harmless. Names and acronyms in
running text are found by `core.text.proper_names`.
"""

import re

# The code of a thing: a word that begins with a capital and holds a digit ("A77", "PE-300", "Ab-1c").
THING_CODE = re.compile(
    r"(?<![A-Za-z\d-])(?=[A-Za-z\d-]*[A-Za-z])(?=[A-Za-z\d-]*\d)[A-Z][A-Za-z\d]*(?:-[A-Za-z\d]+)*"
)
# The number of a document in its title or file name: two or more capitals, then a digit ("SOP 12").
DOCUMENT_NUMBER = re.compile(r"\b[A-Z]{2,}[-_ ]?\d[\dA-Z]*(?:-[\dA-Z]+)*\b")
# The code in a question that a follow-up question replaces by its own ("and ETCH-04?").
REPLACED_CODE = re.compile(r"[A-Z]{2,}[A-Z0-9]*(?:-[A-Z0-9]+)*-?\d+[A-Z]?")

_SERIAL = re.compile(r"[A-Z]{1,6}-\d{2,6}[A-Z]?")
_REFERRED = re.compile(
    r"(?<![\w/.-])(?:(?=[A-Z0-9_/-]*[A-Z])(?=[A-Z_/-]*\d)[A-Z0-9]{1,12}(?:[-_/][A-Z0-9]{1,12}){1,5}|[A-Z]{2,6}\d{3,8})"
    r"(?![\w-]|\.\d)"
)
_HYPHENATED = re.compile(r"\b[A-Z0-9]{1,8}(?:-[A-Z0-9]{1,8})+\b")
_OF_LETTER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*\d[A-Za-z0-9-]*")
_THREE_DIGITS = re.compile(r"(?=.*\d{3})(?=.*[A-Za-z])[\w.-]+")
_MIXED = re.compile(r"\b(?=[\w./-]*[^\W\d_])(?=[\w./-]*\d)\w[\w./-]*\w")
_WITH_DIGIT = re.compile(r"\b(?=\w*[-\d])[A-Za-z]*[\w-]*\d[\w-]*\b")


def is_serial_code(text: str) -> bool:
    """Say whether the whole text is capitals, a hyphen and a number ("ETCH-03", "E-217A"). The strictest."""
    return _SERIAL.fullmatch(text) is not None


def codes_in(text: str) -> list[str]:
    """Return the codes by which a text may refer to a document: "SOP-ETCH-012", "8D-2025-003", "ALM3042".

    Capitals and digits only, with at least one of each; no dates, no versions, not "X-Ray".
    """
    return _REFERRED.findall(text)


def hyphenated_codes(text: str) -> list[str]:
    """Return capitals and digits joined by hyphens; no digit is needed ("SOP-12-4", "QA-LAB")."""
    return _HYPHENATED.findall(text)


def codes_of_any_case(text: str) -> list[str]:
    """Return words of Latin letters with a digit, upper or lower case, also in Chinese text ("pe-300")."""
    return _OF_LETTER.findall(text)


def is_code_with_three_digits(text: str) -> bool:
    """Say whether the whole text is one word with a letter and three digits in a row ("pn_100"): a cell that
    holds a code, not a label."""
    return _THREE_DIGITS.fullmatch(text) is not None


def designations(text: str) -> list[str]:
    """Return words that hold a letter and a digit, in any script and case, joined by "-_./" ("10nm", "v1.2").

    The loosest that needs a letter: an answer must not leave out a designation of its question.
    """
    return _MIXED.findall(text)


def words_with_digit(text: str) -> list[str]:
    """Return words that hold a digit, bare numbers too: possible values of a table's cells. The loosest."""
    return _WITH_DIGIT.findall(text)


def has_letter_and_digit(word: str) -> bool:
    """Say whether a single word looks like a code, as "E-217" does."""
    return any(char.isdigit() for char in word) and any(char.isalpha() for char in word)
