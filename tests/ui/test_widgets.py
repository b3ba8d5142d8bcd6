"""Small pieces that several pages use."""

from core.domain import Document
from core.ui.shared.widgets import by_title


def test_documents_are_listed_by_title_and_figures_by_their_value() -> None:
    titles = ["Shift log 10", "shift log 2", "Wafer", "8D report", "Shift log 2"]
    held = [
        Document(id=str(n), name=f"{n}.md", title=title, media_type="text/markdown", size=1)
        for n, title in enumerate(titles)
    ]
    listed = [document.title for document in by_title(held)]
    assert listed == ["8D report", "shift log 2", "Shift log 2", "Shift log 10", "Wafer"]
