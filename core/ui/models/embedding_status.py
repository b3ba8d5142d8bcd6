"""The vectors of the library: whose they are, how far a change is, and what an earlier model left."""

from core.i18n.escaping import join, layout, line
from core.i18n.messages import Message, mark, say, t, tn
from core.i18n.recorded_messages import translated
from core.knowledge.stores.records import AT_WORK, Job
from core.ui.shared import display_text, session, st

POLL_SECONDS = 1.0  # seconds
STATES: dict[str, tuple[display_text.Colour, Message]] = {
    "queued": ("gray", mark("waits")),
    "running": ("blue", mark("at work")),
    "paused": ("orange", mark("paused")),
    "failed": ("red", mark("failed")),
}


def section() -> None:
    """Show the section where there is something to say: a change under way, or vectors of an old model."""
    assistant = session.assistant()
    change, old = assistant.library.reembedding, assistant.library.old_models()
    under_way = change is not None and change.job().status != "done"
    if not under_way and not old:
        return
    st.subheader(t("The library's vectors"), anchor=False, divider="gray")
    serving = assistant.library.serving_model()
    if serving is not None:
        st.markdown(
            t("Searched with the vectors of **{name}**.", name=line(serving.name, 120)), anchors=False
        )
    if under_way:
        live = change is not None and _live(change.job())
        st.fragment(_change, run_every=POLL_SECONDS if live else None)(live=live)
    for model in old:
        name = line(model.name or model.model, 120)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                t("Those of {name} are kept and searched no more.", name=name), anchors=False, width="content"
            )
            if st.button(t("Delete them"), key=f"models.drop.{model.digest}", icon=":material/delete:"):
                assistant.library.drop_model(model.digest)
                st.rerun()


def _change(*, live: bool) -> None:
    """Show how far the change is; open the page anew at its end, and where it stops or continues."""
    change = session.assistant().library.reembedding
    if change is None or change.job().status == "done" or live != _live(change.job()):
        st.rerun(scope="app")
    else:
        row(change.job())


def _live(job: Job) -> bool:
    return job.status in AT_WORK


def row(job: Job) -> None:
    """Show a change of the embedding model as a row, with what can be done about it."""
    assistant = session.assistant()
    with st.container(border=True, gap="xsmall", key="strata_vectors"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            colour, label = STATES.get(job.status, ("gray", mark("done")))
            with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
                st.markdown(layout("**{name}**", name=line(job.name, 90)), anchors=False, width="content")
                st.badge(say(label), color=colour)
            act = {
                "running": (t("Pause"), assistant.library.pause),
                "paused": (t("Resume"), assistant.library.resume),
                "failed": (t("Try again"), assistant.library.retry),
            }.get(job.status)
            if act is not None:  # what was pressed is done before anything is drawn anew
                st.button(
                    act[0], key=f"models.{job.status}", type="tertiary", on_click=act[1], args=(job.id,)
                )
        if job.status == "failed":
            st.markdown(layout(":red[{reason}]", reason=translated(job.reason)), anchors=False)
            st.caption(translated(job.hint))
            return
        st.progress(job.done / job.total if job.total else 0.0)
        moved = tn("{done:,} of {n:,} vector.", "{done:,} of {n:,} vectors.", job.total, done=job.done)
        st.caption(join(" ", [moved, translated(job.reason)]))
