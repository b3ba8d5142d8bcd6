"""The retrieval tab: evaluations as charts, two of them compared, and a new one run from here."""

import io
import time

from core.domain import Document
from core.i18n.escaping import Safe, join, layout, line
from core.i18n.messages import mark, plain, plain_n, say_plain, t
from core.i18n.recorded_messages import translated, translated_plain
from core.ui.evaluation import score_charts
from core.ui.shared import display_text, session, st
from core.work.checks.evaluation_records import EvaluationRecord, differences, grown
from core.work.checks.evaluations import Evaluation

POLL_SECONDS = 0.7  # seconds
COMMAND = "strata eval retrieval --corpus passages.jsonl --questions questions.jsonl"
WHOLE = mark("The whole library: gold_ids are file names, titles or ids of documents")
EXAMPLE = '{"id": "q1", "question": "How long does the wet clean take?", "gold_ids": ["manual.pdf"]}'


def page() -> None:
    """Show the records, or how to make the first one."""
    records = session.assistant().admin.evaluation_records()
    _running()
    if records:
        _shown(records)
    else:
        st.markdown(
            t(
                "No evaluation has been kept yet. It says how often the right passage is found, how near "
                "the top, and how fast, for each leg of the search."
            )
        )
        st.caption(t("From the terminal, over a corpus of its own:"))
        st.code(COMMAND, language="shell", wrap_lines=True)
    _new(expanded=not records)


def _label(record: EvaluationRecord) -> str:
    return " · ".join(
        (
            display_text.moment(record.at),
            record.corpus or "?",
            plain_n("{n:,} question", "{n:,} questions", record.questions),
        )
    )


def _shown(records: list[EvaluationRecord]) -> None:
    by_name = {record.name: record for record in records}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="strata_scores_chosen"):
        name = st.selectbox(
            t("Evaluation"),
            list(by_name),
            format_func=lambda name: _label(by_name[name]),
            key=f"knowledge.record.{records[0].name}",  # a new evaluation is shown at once
            placeholder="",
        )
        earlier = st.selectbox(
            t("Compared with"),
            [other for other in by_name if other != name],
            index=None,
            format_func=lambda name: _label(by_name[name]),
            placeholder=plain("nothing"),
            key="knowledge.before",
        )
    after, before = by_name[name], by_name[earlier] if earlier else None
    facts = [
        after.name,
        plain_n("{n:,} chunk", "{n:,} chunks", after.chunks) if after.chunks else "",
        plain("embedder {name}", name=after.embedder) if after.embedder else "",
        plain("reranker {name}", name=after.reranker) if after.reranker else "",
        plain("took {time}", time=display_text.seconds(after.seconds)) if after.seconds else "",
    ]
    st.caption(line(" · ".join(filter(None, facts))))
    unlike = differences(before, after) if before is not None else ()
    if unlike:
        why = " ".join(translated_plain(each) for each in unlike)
        st.warning(t("These two are not alike. {why}", why=why), icon=":material/difference:")
    _headline(after, before)
    settings = {"displaylogo": False, "displayModeBar": False}
    st.markdown(
        t("**Recall** by the number of passages looked at")
        if before is None
        else t("**Recall** by the number of passages looked at; dotted or outlined: before")
    )
    st.plotly_chart(score_charts.recall(after, before), config=settings, key="knowledge.recall")
    left, right = st.columns(2, gap="large")
    left.markdown(t("**Ranking**, how near the top the right passage stands"))
    left.plotly_chart(score_charts.quality(after, before), config=settings, key="knowledge.quality")
    right.markdown(t("**Time** of one search"))
    right.plotly_chart(score_charts.latency(after, before), config=settings, key="knowledge.latency")
    frame = score_charts.table(after, grown(before, after) if before is not None else None)
    with st.expander(t("Numbers"), type="compact", expanded=before is not None):
        st.dataframe(frame, hide_index=True, width="stretch")
        st.download_button(
            t("Record as JSON"),
            data=after.model_dump_json(indent=2).encode(),
            file_name=f"{after.name}.json",
            mime="application/json",
            key="knowledge.download",
            on_click="ignore",
        )


def _headline(after: EvaluationRecord, before: EvaluationRecord | None) -> None:
    """Show the figures of the whole retrieval large, with what changed."""
    whole = after.legs.get("all") or next(iter(after.legs.values()), {})
    change = grown(before, after).get("all", {}) if before is not None else {}
    with st.container(horizontal=True, gap="large", key="strata_scores_head"):
        for measure in ("recall@5", "ndcg@10", "mrr", "p95_ms"):
            if measure not in whole:
                continue
            fast = measure == "p95_ms"
            moved = change.get(measure)
            st.metric(
                line(score_charts.title(measure)),
                t("{whole:.1f} ms", whole=whole[measure])
                if fast
                else layout("{value:.1f} %", value=100 * whole[measure]),
                delta=_moved(moved, fast=fast),
                delta_color=("inverse" if fast else "normal") if moved else "off",
                delta_arrow="auto" if moved else "off",
                width="content",
            )


def _moved(by: float | None, *, fast: bool) -> Safe | None:
    if by is None:
        return None
    return t("{by:+.1f} ms", by=by) if fast else t("{by:+.1f} points", by=100 * by)


def _running() -> None:
    if session.assistant().admin.evaluation().state == "running":
        st.fragment(_progress, run_every=POLL_SECONDS)()
        return
    state = session.assistant().admin.evaluation()
    if state.state == "failed":
        st.error(
            layout("**{message}**  \n{hint}", message=translated(state.message), hint=translated(state.hint)),
            icon=":material/error:",
        )
    elif state.state == "stopped":
        st.caption(t("The last evaluation was stopped; nothing of it is kept."))


def _progress() -> None:
    """Show how far the evaluation is; open the page anew at its end."""
    state = session.assistant().admin.evaluation()
    if state.state != "running":
        st.rerun(scope="app")
    with st.container(border=True, gap="xsmall", key="strata_scores_running"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(t("**Evaluating retrieval**"))
            stop = session.assistant().admin.stop_evaluation
            st.button(t("Stop"), type="tertiary", key="knowledge.stop", on_click=stop)
        st.progress(state.done / state.total if state.total else 0.0)
        st.caption(_pace(state, time.time()))


def _pace(state: Evaluation, now: float) -> Safe:
    """Say which leg is at work, how many searches are done and how long the rest takes."""
    if not state.total:
        return t("Reading the questions …")
    spent = now - state.started
    progress = t(
        "{leg}: search {done:,} of {total:,}",
        leg=score_charts.leg(state.leg),
        done=state.done,
        total=state.total,
    )
    if not state.done:
        return progress
    left = spent / state.done * (state.total - state.done)
    return join(" · ", [progress, t("about {time} left", time=display_text.seconds(left))])


def _corpora() -> list[Document]:
    return [d for d in session.assistant().library.contents.documents() if d.name.lower().endswith(".jsonl")]


def _new(*, expanded: bool) -> None:
    """Take a file of questions and evaluate it in the background."""
    if not session.assistant().library.contents.counts().get("chunks"):
        st.caption(t("To evaluate from here, add the documents first."))
        st.page_link(session.CORPUS, label=t("Add documents"), icon=":material/upload_file:")
        return
    busy = session.assistant().admin.evaluation().state == "running"
    with (
        st.expander(t("Evaluate questions"), expanded=expanded, type="compact"),
        st.form("knowledge.evaluate", border=False),
    ):
        st.caption(t("A JSONL file, one question a line. For example:"))
        st.code(EXAMPLE, language="json", wrap_lines=True)
        uploaded = st.file_uploader(t("Questions"), type=["jsonl", "json"], key="knowledge.questions")
        corpora = {document.id: document for document in _corpora()}
        corpus = st.selectbox(
            t("What the gold ids name"),
            ["", *corpora],
            format_func=lambda name: (
                plain("Records of {name}: gold_ids are their ids", name=corpora[name].name)
                if name
                else say_plain(WHOLE)
            ),
            key="knowledge.corpus",
            placeholder="",
        )
        most = st.number_input(
            t("Only the first so many"),
            1,
            None,
            value=None,
            placeholder=plain("all"),
            key="knowledge.most",
            width=260,
        )
        pressed = st.form_submit_button(t("Evaluate"), disabled=busy)
    if pressed and uploaded is None:
        st.warning(t("Choose a file of questions first."))
    elif pressed and uploaded is not None:
        with session.Guard():
            session.assistant().admin.evaluate(
                uploaded.name, io.BytesIO(uploaded.getvalue()), corpus or None, most
            )
            st.rerun()
