"""How words are read, as learnt from samples and readers, and the classes of tags: seen and changed."""

from collections.abc import Callable, Sequence

import pandas as pd

from core.errors import StrataError
from core.i18n.escaping import Safe
from core.i18n.messages import Message, mark, plain, say_plain, t, tn
from core.tasks import TagClass
from core.ui.shared import session, st, widgets

TEACHERS: dict[str, Message] = {
    "samples": mark("questions with answers"),
    "feedback": mark("feedback"),
    "reader": mark("a reader"),
}
HEIGHT = 160  # pixels of a field that is changed


def pairs() -> None:
    """Show how words are read; a line added, changed or taken away is learnt or unlearnt."""
    learnt = session.assistant().learning.tag_pairs()
    label = (
        tn("{n:,} word is read as another", "{n:,} words are read as others", len(learnt))
        if learnt
        else t("No word is read as another yet")
    )
    with st.expander(label, type="compact"):
        st.caption(t("A question that says the one is searched for the other. A pair a line: said = meant"))
        if learnt:
            frame = pd.DataFrame(
                {
                    plain("Said"): [pair.said for pair in learnt],
                    plain("Meant"): [pair.meant for pair in learnt],
                    plain("Times"): [pair.times for pair in learnt],
                    plain("Learnt from"): [say_plain(TEACHERS[pair.teacher]) for pair in learnt],
                }
            )
            st.dataframe(frame, hide_index=True, width="stretch")
        if session.may("correct", whole=True):
            written = "\n".join(f"{pair.said} = {pair.meant}" for pair in learnt)
            _changed("pairs", t("How words are read"), written, keep_pairs)


def classes() -> None:
    """Show the classes of tags with their terms: changed by hand, or made anew from the library."""
    if not session.may("ask", whole=True):
        return
    tag_classes = session.assistant().learning.classes()
    label = (
        tn("{n:,} class of tags", "{n:,} classes of tags", len(tag_classes))
        if tag_classes
        else t("No class of tags yet")
    )
    with st.expander(label, type="compact"):
        st.caption(t("What is enriched next is tagged by them. A class a line: name: term; term | in common"))
        written = "\n".join(map(_line, tag_classes))
        if not session.may("correct", whole=True):
            st.text(written)
            return
        _changed("classes", t("Classes of tags"), written, keep_classes)
        if st.button(t("Make them anew from the library"), key="classes.anew"):
            _keep(lambda: session.assistant().learning.learn_tags())
            st.rerun()


def keep_pairs(lines: Sequence[str]) -> None:
    """Keep pairs as they are written. Raises FeedbackError."""
    parted = [line.partition("=")[::2] for line in lines]
    session.assistant().learning.keep_pairs([(phrase.strip(), meant.strip()) for phrase, meant in parted])


def keep_classes(lines: Sequence[str]) -> None:
    """Keep classes as they are written. Raises FeedbackError."""
    session.assistant().learning.keep_classes([_class(line) for line in lines])


def _line(one: TagClass) -> str:
    terms = f"{one.name}: {'; '.join(one.terms)}"
    return f"{terms} | {one.description}" if one.description else terms


def _class(line: str) -> TagClass:
    name, _, rest = line.partition(":")
    terms, _, description = rest.partition("|")
    return TagClass(
        name=name.strip(),
        terms=tuple(filter(None, map(str.strip, terms.split(";")))),
        description=description.strip(),
    )


def _changed(name: str, label: Safe, written: str, keep: Callable[[Sequence[str]], None]) -> None:
    with st.form(f"{name}_form", border=False):
        text = st.text_area(label, value=written, height=HEIGHT, key=f"learnt.{name}")
        if st.form_submit_button(t("Keep these lines")):
            _keep(lambda: keep([line for line in text.splitlines() if line.strip()]))


def _keep(work: Callable[[], object]) -> None:
    try:
        work()
    except StrataError as error:
        st.error(widgets.complaint(error))
    else:
        st.success(t("Kept: what is asked or enriched next follows them."))
