"""The retrieval test: one question, what every leg of the search finds for it, why, and how fast."""

from typing import cast

from core.domain import Passage, Scope
from core.evaluation.retrieval_tester import RetrievalTest
from core.i18n.escaping import join, layout, line
from core.i18n.messages import Message, mark, plain, say, say_plain, t, tn
from core.retrieval.search_port import Kind
from core.ui.evaluation import rankings
from core.ui.inspector import inspector_pane
from core.ui.inspector.selection import Source, select
from core.ui.shared import components, display_text, empty_library, session, st
from core.ui.trace import event_lines, trace_charts

PASSAGES_PER_LEG = 8  # passages a leg
KINDS: dict[Kind, tuple[Message, Message]] = {
    "factual": (mark("Factual"), mark("one fact: chunks and atoms")),
    "reasoning": (mark("Reasoning"), mark("several facts: the graph")),
    "global": (mark("Global"), mark("a survey: summaries first, then down")),
}
MIN_RELEVANCE = 0.5  # from here on the library covers the question, more likely than not


def page() -> None:
    """Ask for a question and show its retrieval from every side."""
    library = session.assistant().library.contents
    if not library.counts().get("documents"):
        empty_library.show(t("The library is empty."))
        return
    question = st.text_input(
        t("Test the retrieval of a question"),
        value=session.param(session.ASKED),
        key=session.TESTED,
        placeholder=plain("A question, as it would be asked in the chat"),
        max_chars=10_000,
    ).strip()
    kind, scope, without = _choices()
    if question != session.param(session.ASKED):
        session.go(view="test", ask=question)
    if not question:
        _invite()
        return
    with st.spinner(t("Searching every leg …")):
        found = _tested(question, scope, kind)
        other = _tested(question, scope, kind, without) if without else None
    _reading(found)
    if not any(leg.passages for leg in found.legs):
        _nothing(scope)
        return
    if other is None:
        data, shown = rankings.sides(found), [leg.passages for leg in found.legs]
    else:
        names = (plain("as set"), plain("without {part}", part=say_plain(rankings.PARTS[without])))
        data = rankings.against(found, other, names)
        shown = [side.leg(leg) for leg in ("reranked", "final") for side in (found, other)]

    def opened(column: int, row: int) -> None:
        if column < len(shown) and row < len(shown[column]):
            select(Source(passage=rankings.lit(question, shown[column])[row]))

    with inspector_pane.split("", (1,), (7, 5)) as (left, *_), left:
        components.legs(data, "knowledge.legs", opened)
        _explained(found)


def _explained(found: RetrievalTest) -> None:
    st.caption(
        t(
            "A coloured edge marks what an answer reads. Point at a passage to find it in every column; "
            "press it to open it."
        )
    )
    _passages(found)
    _happened(found)


def _choices() -> tuple[Kind, Scope, str]:
    """Show the filters in a row; return what is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="strata_test_options"):
        kind = st.segmented_control(
            t("Kind of question"),
            list(KINDS),
            default="factual",
            format_func=lambda kind: say(KINDS[kind][0]),
            label_visibility="collapsed",
            required=True,
            key="knowledge.kind",
            help=join(
                "  \n", [layout("**{name}**: {said}", name=say(n), said=say(s)) for n, s in KINDS.values()]
            ),
        )
        scope = _scope()
        without = st.selectbox(
            t("Compare with a search without"),
            list(rankings.PARTS),
            index=None,
            format_func=lambda part: plain("Compare: without {part}", part=say_plain(rankings.PARTS[part])),
            placeholder=plain("Compare with a search without …"),
            label_visibility="collapsed",
            key="knowledge.without",
            width=300,
        )
    return kind or "factual", scope, without or ""


def _scope() -> Scope:
    library = session.assistant().library.contents
    collections = st.session_state.get("knowledge.collections", [])
    documents = st.session_state.get("knowledge.within", [])
    parts = [tn("{n:,} collection", "{n:,} collections", len(collections))] if collections else []
    parts += [tn("{n:,} document", "{n:,} documents", len(documents))] if documents else []
    with st.popover(join(", ", parts) or t("Whole library"), type="tertiary", icon=":material/folder_open:"):
        st.multiselect(
            t("Collections"), library.collections(), key="knowledge.collections", placeholder=plain("All")
        )
        titles = display_text.distinct(library.titles())
        st.multiselect(
            t("Documents"),
            sorted(titles, key=lambda name: titles[name].lower()),
            key="knowledge.within",
            format_func=lambda name: titles.get(name, name),
            placeholder=plain("All"),
        )
    return Scope(collections=tuple(collections), documents=tuple(documents))


def _invite() -> None:
    st.caption(
        t(
            "See what words, meaning, the graph and reranking each find for a question, how sure the search "
            "is, and what an answer would read. No answer is written and nothing is kept."
        )
    )
    suggestions = session.assistant().library.suggestions(3)
    with st.container(gap="xxsmall", key="strata_test_examples"):
        if suggestions:
            st.caption(t("For example"))
        for n, suggestion in enumerate(suggestions):
            if st.button(line(suggestion, 160), key=f"tested_{n}", type="tertiary"):
                session.go(view="test", ask=suggestion)
                st.session_state.pop(session.TESTED, None)
                st.rerun()


def _tested(question: str, scope: Scope, kind: Kind, without: str = "") -> RetrievalTest:
    """Return the search, made anew only when what it depends on has changed."""
    assistant = session.assistant()
    asked = (question, scope, kind, without, assistant.library.contents.generation())
    key = f"knowledge.examined.{bool(without)}"
    cached = st.session_state.get(key)
    if cached is None or cached[0] != asked:
        parts = (without,) if without else ()
        cached = (asked, assistant.library.search(question, PASSAGES_PER_LEG, scope, kind, parts))
        st.session_state[key] = cached
    return cast(RetrievalTest, cached[1])


def _reading(found: RetrievalTest) -> None:
    """Say how the question was read, and how sure the search is."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="strata_test_read"):
        sure = f"{100 * found.sure:.0f} %"
        if any(leg.passages for leg in found.legs):
            st.badge(
                t("{sure} sure that the library speaks of this", sure=sure)
                if found.sure >= MIN_RELEVANCE
                else t("Doubtful whether the library speaks of this: {sure}", sure=sure),
                color="green" if found.sure >= MIN_RELEVANCE else "orange",
                help=t(
                    "Nearness of the best passages and the share of the question's words they hold, "
                    "calibrated on questions with known answers."
                ),
            )
        st.caption(
            t(
                "{language}, reranked by {reranker}, question embedded in {embedding}, {seconds} in all",
                language=t("Chinese") if found.language == "zh" else t("English"),
                reranker=found.reranker,
                embedding=display_text.seconds(found.embedding),
                seconds=display_text.seconds(found.seconds),
            )
        )
    if found.mapped:
        read: dict[str, list[str]] = {}
        for pair in found.mapped:
            read.setdefault(pair.said, []).append(pair.meant)
        readings = [t("*{own}* as {meant}", own=own, meant=", ".join(meant)) for own, meant in read.items()]
        st.markdown(t("**Read** {said}", said=join("; ", readings)), anchors=False)
    if found.topics:
        badges = join(" ", [layout(":gray-badge[{topic}]", topic=topic) for topic in found.topics])
        st.markdown(t("**Topics** {badges}", badges=badges), anchors=False)
    if found.sql:
        st.code(found.sql, language="sql", wrap_lines=True)


def _nothing(scope: Scope) -> None:
    narrowed = bool(scope.collections or scope.documents)
    st.markdown(
        t("No leg finds anything in what was chosen. Search the whole library instead.")
        if narrowed
        else t("No leg finds anything. Try other words, or add documents that speak of it.")
    )


def _passages(found: RetrievalTest) -> None:
    """Show the passages of one leg with their score on every layer, their path, and the words they hold."""
    legs = {leg.name: leg for leg in found.legs if leg.passages}
    names = list(legs)
    st.subheader(t("Why they are here"), anchor=False, divider="gray")
    name = st.segmented_control(
        t("Passages of"),
        names,
        default="final" if "final" in legs else names[0],
        format_func=lambda leg: say(rankings.NAMES[leg][0]),
        label_visibility="collapsed",
        required=True,
        key="knowledge.leg",
    )
    leg = legs.get(name or names[-1], legs[names[-1]])
    passages: list[Passage] = rankings.lit(found.question, leg.passages)
    components.evidence(
        trace_charts.evidence(passages),
        f"knowledge.evidence.{leg.name}",
        lambda index: select(Source(passage=passages[index])),
    )


def _happened(found: RetrievalTest) -> None:
    lines = [event_lines.event_line(event) for event in found.events]
    title = tn("{n:,} step of the gathering", "{n:,} steps of the gathering", len(lines))
    with st.expander(title, type="compact"):
        rows = [
            layout("1. **{label}** {text}", label=each.label, text=line(each.text, 300)) for each in lines
        ]
        st.markdown(join("\n", rows), anchors=False)
