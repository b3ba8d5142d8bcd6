"""Sentences with their citations, each of which opens its source with the sentence marked."""

from collections.abc import Sequence

from core.domain import Report
from core.i18n.escaping import join, layout, line
from core.ui.chat import answer_layout, source_list
from core.ui.inspector.selection import Source, select
from core.ui.shared import components, st

CitedSentence = tuple[str, Sequence[str]]  # a sentence and the ids of the chunks it rests on


def show(run: str, report: Report | None, sentences: Sequence[CitedSentence], key: str) -> None:
    """Draw the sentences as a list, one as a paragraph; before there is a report nothing has a number."""
    if report is None:
        st.markdown(join("\n", [layout("- {text}", text=line(text)) for text, _ in sentences]), anchors=False)
        return
    blocks = answer_layout.listed([(text, numbers(report, chunks)) for text, chunks in sentences])

    def pressed(number: int, sentence: int) -> None:
        claim = sentences[sentence][0] if sentence < len(sentences) else ""
        if 0 < number <= len(report.passages):
            select(Source(passage=report.passages[number - 1], number=number, claim=claim, run=run))

    components.answer(blocks, source_list.previews(report), key=f"{key}_{run}", pressed=pressed)


def numbers(report: Report, chunks: Sequence[str]) -> list[int]:
    """Return the citation numbers of the chunks that the report holds."""
    known = {passage.chunk.id: n for n, passage in enumerate(report.passages, 1)}
    return [known[chunk] for chunk in chunks if chunk in known]
