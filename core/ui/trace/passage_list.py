"""Passages as a list of single lines; one that is pressed opens, and it can be pinned or banned."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain import Passage
from core.i18n.messages import say, t, tn
from core.ui.inspector.selection import Source, select
from core.ui.shared import components, st
from core.ui.trace import score_scales, trace_charts
from core.ui.trace.pending_edits import PendingEdits

MAX_PASSAGES = 10


@dataclass(frozen=True)
class PassageList:
    """Draws the passages of a run; with a draft they can be marked for the next one."""

    run: str
    cited: Sequence[str] = ()
    marking: PendingEdits | None = None
    claim: str = ""  # the sentence that they should bear out

    def show(self, passages: Sequence[Passage], key: str) -> None:
        """Draw the first passages, and the others on demand."""
        if not passages:
            st.markdown(t("No passage was found."))
            return
        rows = trace_charts.evidence(
            passages, self.cited, self.marking.state if self.marking else lambda chunk: ""
        )
        self._draw(passages[:MAX_PASSAGES], rows[:MAX_PASSAGES], f"evidence_{key}")
        if len(passages) > MAX_PASSAGES:
            more = tn("{n:,} more passage", "{n:,} more passages", len(passages) - MAX_PASSAGES)
            with st.expander(more, type="compact", key=f"more_{key}"):
                self._draw(passages[MAX_PASSAGES:], rows[MAX_PASSAGES:], f"rest_{key}")
        st.caption(
            t(
                "{relevance} Unfold a line for its words and the score of each layer.",
                relevance=say(score_scales.RELEVANCE),
            )
        )

    def _draw(self, passages: Sequence[Passage], rows: list[trace_charts.Data], key: str) -> None:
        def opened(index: int) -> None:
            if index < len(passages):
                select(Source(passage=passages[index], run=self.run, claim=self.claim))

        def marked(index: int, what: str) -> None:
            if index < len(passages) and self.marking is not None:
                self.marking.mark(passages[index], "pinned" if what == "pinned" else "banned")

        components.evidence(rows, key, opened, pin=None if self.marking is None else marked)
