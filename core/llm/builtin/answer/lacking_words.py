"""The words of a question that nothing found mentions."""

import re
from collections.abc import Sequence

from core.llm.builtin.answer.scorer import Scored
from core.text.tokens import is_cjk

_UNPARTED = re.compile("[\u3040-\u30ff\uac00-\ud7af]|^[\u3400-\u9fff]$")


def lacking_words(likeliest: Sequence[Scored]) -> tuple[str, ...]:
    """Return the words of the question that none of the likeliest pieces says; not those of scripts whose
    endings nothing here parts from the word (kana, Hangul), nor single characters of others, nor a word that
    one of the pieces may say in another language than the dictionary knows it in."""
    lacked = [set(one.lacking) for one in likeliest]
    chinese = {is_cjk(one.unit.text) for one in likeliest}
    absent = (
        word
        for word in likeliest[0].lacking
        if not _UNPARTED.search(word)
        and (chinese == {is_cjk(word)} or not (word.islower() or is_cjk(word)))  # a name is one in both
    )
    return tuple(word for word in absent if all(word in one for one in lacked))
