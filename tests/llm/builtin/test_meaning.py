"""Texts of any script and length are compared: of those over the embedder's window the beginning."""

import pytest

from core.llm.builtin.answer.meaning import Meaning
from core.llm.builtin.answer.scorer import MAX_EMBEDDED_CHARACTERS
from core.llm.builtin.answer.word_matching import Word
from core.llm.encoders.embedders import PackagedEmbedder

KOREAN = (
    "각각의 펌프는 매우 뜨겁게 작동하고 있으며 정비팀은 매주 필터를 "
    "점검하고 냉각수의 온도를 기록해야 합니다 그리고 밸브와 센서를 함께 "
    "확인하고 작업 일지에 결과를 자세히 적어야 하며 문제가 있으면 즉시 담당자에게 알려야 합니다 "
)


@pytest.mark.parametrize(
    "text", [KOREAN * 3, "가 나 다 라 마 " * 60, "漢字" * 400, "." * 900, "a b c " * 200]
)
def test_a_text_over_the_window_is_compared_by_its_beginning(text: str) -> None:
    embedder = PackagedEmbedder()
    assert embedder.count(text[:900]) > embedder.window
    meaning, asked = Meaning(embedder), "Which valve belongs to PN-7?"
    for length in (MAX_EMBEDDED_CHARACTERS, 900):
        near = meaning.compare(asked, [Word("valve", "valve", 6, 11)], [text[:length], "The valve of PN-7."])
        assert near is not None and near.cosines[1] > near.cosines[0]
        vectors = meaning.texts([text[:length], "The valve."])
        assert vectors is not None and len(vectors) == 2
    meaning.compare(text[:900], [Word(text[0], text[0], 0, 1)], ["The valve."])
    meaning.prepare([text[:900]])
