"""A run on its page: the tree of what happened at the left, what is chosen in it at the right."""

from core.errors import NotFound
from core.i18n.escaping import join, line
from core.i18n.messages import plain, t
from core.knowledge.stores.records import AT_WORK, Run
from core.ui.chat import answer_view
from core.ui.inspector import inspector_pane, live_trace
from core.ui.shared import components, display_text, session, st
from core.ui.trace import node_detail, pending_edits, run_tree, side_by_side, workbench
from core.ui.trace.run_trace import RunTrace, read_trace


def find(name: str) -> Run | None:
    """Return the run the address names, or None with a word to the reader."""
    try:
        return session.assistant().questions.run(name)
    except NotFound:
        st.info(t("This run is no longer in the library; choose another one."), icon=":material/info:")
        return None


def show(run: Run) -> None:
    """Show the run; while it is thinking, look again every moment."""
    every = live_trace.POLL_SECONDS if run.status in AT_WORK else None
    st.fragment(_page, run_every=every, key=f"run_{run.id}")(run.id, live=every is not None)


def _page(run_id: str, *, live: bool) -> None:
    with session.Guard():
        run = session.assistant().questions.run(run_id)
        if live and run.status not in AT_WORK:
            st.rerun(scope="app")
        trace = read_trace(session.assistant().questions.events(run_id))
        _head(run, trace)
        nodes = run_tree.tree(run, trace, compared=bool(session.param(session.WITH)))
        named = session.param(session.AT)
        chosen = next((node for node in nodes if node.id == named), None)
        shown = chosen or next(node for node in nodes if node.id == run_tree.first(nodes))
        with inspector_pane.split(run.id, (5, 7), (5, 6, 6)) as (left, right, *_):
            with left:
                components.tree(run_tree.drawn(nodes, shown.id, run.id), node_detail.choose, key="trace_tree")
            with right, st.container(key="trace_detail"):
                node_detail.show(run, trace, shown)
        if run.status not in AT_WORK:
            workbench.bar(run, trace)


def _head(run: Run, trace: RunTrace) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="trace_ways"):
        st.button(
            t("All runs"), icon=":material/arrow_back:", type="tertiary", key="all_runs", on_click=session.go
        )
        st.page_link(
            session.CHAT,
            label=t("The conversation"),
            icon=":material/forum:",
            query_params={session.CONVERSATION: run.conversation, session.RUN: run.id},
        )
        if run.status not in AT_WORK:
            side_by_side.choose(run, trace)
    st.title(line(run.question, run_tree.MAX_LABEL_CHARACTERS), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="trace_status"):
        answer_view.status(run, trace)
        drafted = pending_edits.of(run.id, trace).changed() if run.status not in AT_WORK else False
        facts = [
            display_text.moment(run.started),
            plain("run {id}", id=run.id[:10]),
            plain("changes wait below") if drafted else "",
        ]
        st.caption(join(" · ", filter(None, facts)), width="content")
