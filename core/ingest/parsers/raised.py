"""Figures set above or below the line by marks, as Unicode has them: "10⁷" is no 107.

`core.text.tokens.fold` finds them by "10-6" and "H2O".
"""

SUPERSCRIPT = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
SUBSCRIPT = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


def raised(text: str) -> str:
    """Return figures as superscript; text with letters in it as it is: few have a raised form ("25th")."""
    return _translated(text, text.translate(SUPERSCRIPT))


def lowered(text: str) -> str:
    """Return figures as subscript; text with letters in it as it is."""
    return _translated(text, text.translate(SUBSCRIPT))


def _translated(text: str, changed: str) -> str:
    plain = text.strip()
    whole = all(new != old for new, old in zip(changed.strip(), plain, strict=True))
    return changed if whole and any(sign.isdigit() or sign == "n" for sign in plain) else text
