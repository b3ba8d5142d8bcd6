"""Where a reader says what is right, wrong or should have been said, and sees at once what that taught."""

from collections.abc import Sequence
from typing import Literal

from core.domain import Feedback, Passage, Relation, Report, Tag
from core.i18n.escaping import Safe, escape, join, line, shorten
from core.i18n.messages import Message, mark, say, t
from core.knowledge.learned.changes import Change
from core.ui.shared import session, st

Verdict = Literal["right", "wrong", "corrected"]
VERDICTS: dict[Verdict, Message] = {
    "right": mark("Right"),
    "wrong": mark("Wrong"),
    "corrected": mark("Should be"),
}


def give(run: str, target: str, verdict: Verdict, correction: str = "") -> bool:
    """Give feedback and tell what it taught, or why it is refused; say whether it was taken."""
    with session.Guard():
        feedback = Feedback(run=run, target=target, verdict=verdict, correction=correction)
        changes = session.assistant().learning.give_feedback(feedback)
        named = join("; ", [line(change.name, 90) for change in changes])
        st.toast(
            t("Learnt. {named}", named=named) if named else t("Kept. It changes nothing by itself."),
            icon=":material/school:",
        )
        return True
    return False


def answer(run: str) -> None:
    """Show the thumbs and the box for a better answer; a thumb pressed anew takes the old verdict back."""
    if not session.may("correct"):
        return
    assistant = session.assistant()
    verdicts = [f for f in assistant.learning.feedback(run) if f.target == "answer"]
    before = {"right": 1, "wrong": 0}.get(verdicts[-1].verdict) if verdicts else None
    thumb = st.feedback("thumbs", key=f"thumbs_{run}", default=before)
    if thumb != before and (thumb is not None or verdicts):
        if before is not None:
            assistant.learning.retract(run, "answer")
        if thumb is not None:
            give(run, "answer", "right" if thumb else "wrong")
    with st.popover(t("Correct"), type="tertiary", icon=":material/edit_note:"):
        if verdicts and verdicts[-1].verdict == "corrected":
            st.markdown(
                t("You wrote: {correction}", correction=escape(verdicts[-1].correction)), anchors=False
            )
            if st.button(t("Take it back"), key=f"retract_{run}", icon=":material/undo:"):
                assistant.learning.retract(run, "answer")
                st.rerun(scope="app")
            return
        with st.form(f"comment_{run}", clear_on_submit=False, border=False):
            correction = st.text_area(
                t("What should it have said?"),
                key=f"correction_{run}",
                max_chars=2000,
                help=t("It is kept as a verified answer, with the passages of the library that say so."),
            )
            pressed = st.form_submit_button(t("Save"), type="primary")
        if pressed and give(run, "answer", "corrected", correction):
            st.rerun(scope="app")


def learnt(run: str, report: Report) -> None:
    """Say that the answer was verified, or what this run taught, with the way to the list and back."""
    assistant = session.assistant()
    verified = assistant.learning.verified(report.read_as or report.question)
    if verified is not None:
        note = (
            t("A reader verified this answer.")
            if verified.answer == report.answer
            else t("A verified answer is kept; it is given when this is asked again.")
        )
        changes = [verified.change]
    else:
        made = assistant.learning.taught(run)
        if not made:
            return
        note = t("Learnt from this: {names}.", names=line("; ".join(change.name for change in made), 160))
        changes = [change.id for change in made]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"learnt_{run}"):
        st.caption(note)
        st.page_link(
            session.KNOWLEDGE,
            label=t("What was learnt"),
            query_params={session.VIEW: "learning", session.CHANGE: changes[0]},
        )


def sentence(run: str, report: Report) -> None:
    """Let the reader judge one sentence of the answer."""
    if not session.may("correct"):
        return
    with st.popover(t("Judge a sentence"), type="tertiary", icon=":material/rule:"):
        texts = [each.text for each in report.sentences]
        number = st.selectbox(
            t("Sentence"),
            range(1, len(texts) + 1),
            format_func=lambda n: f"{n}. {shorten(texts[n - 1], 70)}",
            key=f"sentence_{run}",
            placeholder="",
        )
        _judge(run, f"sentence:{number}", f"sentence_{run}", t("What the sentence should say"))


def part(run: str, number: int) -> None:
    """Let the reader judge what one part of the plan found."""
    if not session.may("correct"):
        return
    with st.popover(
        t("Judge this part"), type="tertiary", icon=":material/rule:", key=f"judge_{run}_{number}"
    ):
        _judge(run, f"part:{number}", f"part_{run}_{number}", t("What this part should have found"))


def plan(run: str) -> None:
    """Let the reader keep the plan as an example for later questions."""
    if not session.may("correct"):
        return
    if any(f.target == "plan" for f in session.assistant().learning.feedback(run)):
        st.caption(t("This plan is kept as an example for later questions."))
    elif st.button(
        t("Keep this plan as an example"),
        key=f"plan_ok_{run}",
        type="tertiary",
        icon=":material/bookmark_add:",
    ):
        give(run, "plan", "right")


def passage(run: str, evidence: Passage) -> None:
    """Let the reader say whether the passage helps to answer the question."""
    if not session.may("correct"):
        return
    target = f"passage:{evidence.chunk.id}"
    verdicts = [f for f in session.assistant().learning.feedback(run) if f.target == target]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if verdicts:
            st.caption(
                t("You said: useful.") if verdicts[-1].verdict == "right" else t("You said: not useful.")
            )
            if st.button(t("Take it back"), key=f"unjudge_{evidence.chunk.id}", type="tertiary"):
                session.assistant().learning.retract(run, target)
                st.rerun(scope="fragment")
            return
        if st.button(
            t("Useful"), key=f"useful_{evidence.chunk.id}", icon=":material/thumb_up:", type="tertiary"
        ):
            give(run, target, "right")
        if st.button(
            t("Not useful"), key=f"useless_{evidence.chunk.id}", icon=":material/thumb_down:", type="tertiary"
        ):
            give(run, target, "wrong")


def tags(chunk_id: str, chunk_tags: Sequence[Tag]) -> None:
    """Let the reader take a tag off a chunk, or put another in its place."""
    if not session.may("correct"):
        return
    with st.popover(t("Correct the tags"), type="tertiary", icon=":material/label:", key=f"tags_{chunk_id}"):
        name = st.selectbox(t("Tag"), [tag.name for tag in chunk_tags], key=f"tag_{chunk_id}", placeholder="")
        _judge(
            "",
            f"tag:{chunk_id}:{name}",
            f"tag_{chunk_id}",
            t("The tag that fits"),
            ("wrong", "corrected"),
        )


def relations(key: str, triples: Sequence[tuple[Relation, str]]) -> None:
    """Let the reader take a relation out of the graph, or word it right."""
    if not session.may("correct"):
        return
    with st.popover(
        t("Correct a relation"), type="tertiary", icon=":material/conversion_path:", key=f"rel_{key}"
    ):
        chosen = st.selectbox(
            t("Relation"),
            range(len(triples)),
            format_func=lambda n: shorten(triples[n][1], 90),
            key=f"relation_{key}",
            placeholder="",
        )
        _judge(
            "",
            f"relation:{triples[chosen][0].id}",
            f"relation_{key}",
            t("The right verb"),
            ("wrong", "corrected"),
        )


def _judge(
    run: str,
    target: str,
    key: str,
    wanted: Safe,
    verdicts: Sequence[Verdict] = ("right", "wrong", "corrected"),
) -> None:
    with st.form(f"judge_{key}", border=False):
        verdict = st.segmented_control(
            t("Verdict"),
            verdicts,
            format_func=lambda value: say(VERDICTS[value]),
            default=verdicts[0],
            required=True,
            label_visibility="collapsed",
            key=f"verdict_{key}",
        )
        correction = st.text_input(wanted, key=f"said_{key}", placeholder=t("Only with “Should be”"))
        pressed = st.form_submit_button(t("Save"), type="primary")
    if pressed and give(run, target, verdict or verdicts[0], correction) and not run:
        st.rerun(scope="app")


def undo(change: Change, key: str) -> bool:
    """Show the button that takes a change back; say whether it was taken back now."""
    if st.button(t("Undo"), key=f"undo_{key}_{change.id}", icon=":material/undo:"):
        with session.Guard():
            session.assistant().learning.undo(change.id)
            return True
    return False
