"""Translates a sentence about a forecast into another language by recognising its template."""

import re
from functools import cache
from string import Formatter

from core.forecast.sentence_templates import TEMPLATES

_MIN_TEMPLATE_SIGNS = 6  # signs of its own by which a template is recognised


def translated_note(text: str, language: str) -> str:
    """Return the sentence in the language ("en" or "zh"), as it is where no template made it."""
    words = _words(language)
    for pattern, key in _patterns():
        if found := pattern.fullmatch(text):
            values = {name: words.get(word, word) for name, word in found.groupdict().items()}
            return TEMPLATES[language][key].format(**values)
    return text


@cache
def _words(language: str) -> dict[str, str]:
    """Return what single words, such as a step's, are called in the language."""
    return {
        text: TEMPLATES[language][key]
        for templates in TEMPLATES.values()
        for key, text in templates.items()
        if "{" not in text
    }


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what recognises each sentence, those with most signs of their own first."""
    found = []
    for templates in TEMPLATES.values():
        for key, template in templates.items():
            own, expression, seen = 0, "", set[str]()
            for literal, name, _, _ in Formatter().parse(template):
                own += len(literal)
                expression += re.escape(literal)
                if name:
                    expression += f"(?P={name})" if name in seen else f"(?P<{name}>.+?)"
                    seen.add(name)
            if own >= _MIN_TEMPLATE_SIGNS:
                found.append((own, re.compile(expression, re.DOTALL), key))
    return tuple((pattern, key) for _, pattern, key in sorted(found, key=lambda each: -each[0]))
