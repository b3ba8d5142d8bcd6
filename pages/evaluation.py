"""See how well the library is searched: one question leg by leg, question sets, its own self-test."""

from core.ui.evaluation import evaluation_page
from core.ui.shared import session

with session.Guard():
    evaluation_page.page()
