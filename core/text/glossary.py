"""Names of quantities in English and Chinese, so that a question finds columns in the other language."""

from core.text.tokens import content_words, is_cjk
from core.text.vocabulary import quantity_names


def query_terms(text: str) -> frozenset[str]:
    """Return the content words of the text, with those of the other language for terms it knows."""
    terms = frozenset(content_words(text))
    found = set(terms)
    for chinese, english in quantity_names().items():
        if chinese in text:
            found |= set(content_words(english))
        elif not is_cjk(text) and content_words(english)[0] in terms:
            found |= set(content_words(chinese))
    return frozenset(found)
