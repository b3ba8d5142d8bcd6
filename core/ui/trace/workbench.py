"""The workbench: change the plan, pin and ban passages, and let only what that touches work again."""

from core.domain import Level
from core.flow.preview import Preview
from core.i18n.escaping import line, shorten
from core.i18n.messages import Message, mark, plain, plain_n, say_plain, t, tn
from core.i18n.recorded_messages import translated, translated_plain
from core.knowledge.stores.records import Run
from core.ui.shared import display_text, session, st
from core.ui.trace import pending_edits
from core.ui.trace.pending_edits import TYPES, EditedRow, PendingEdits
from core.ui.trace.run_trace import RunTrace

STRATEGIES: dict[str, Message] = {
    "": mark("as before"),
    "auto": mark("automatic"),
    "plan": mark("plan first"),
    "loop": mark("step by step"),
}


def opener(run: Run) -> None:
    """Offer the workbench, or put it away."""
    opened = _opened(run.id)
    label = t("Close the workbench") if opened else t("Change the plan and run again")
    st.button(label, icon=":material/edit_note:", key=f"bench_{run.id}", on_click=_toggle, args=(run.id,))


def _toggle(run: str) -> None:
    st.session_state[session.BENCH] = "" if _opened(run) else run


def _opened(run: str) -> bool:
    return bool(st.session_state.get(session.BENCH) == run)


def show(run: Run, trace: RunTrace) -> None:
    """Draw the plan as a list that can be edited, with what is pinned and banned, once it is opened."""
    if not _opened(run.id):
        return
    pending = pending_edits.of(run.id, trace)
    st.caption(
        t(
            "Change what you like; pin or ban passages where they are shown below. "
            "Only what a change can reach is worked on again."
        )
    )
    if any("#" in row.question for row in pending.rows):
        st.caption(t("In a part, #1 stands for the answer of part 1."))
    for row in list(pending.rows):
        _part(run.id, pending, row)
    most = session.assistant().questions.max_parts()
    full = len(pending.rows) >= most
    st.button(
        t("Add a sub-question"),
        icon=":material/add:",
        type="tertiary",
        disabled=full,
        help=tn("A plan has at most {n} part.", "A plan has at most {n} parts.", most) if full else None,
        key=f"add_{run.id}",
        on_click=pending.add,
    )
    _marks(run.id, pending)
    _strategy(run.id, pending, trace)


def _part(run: str, pending: PendingEdits, row: EditedRow) -> None:
    """Draw one part: its words, its type, what it needs, and the way out."""
    numbers = {other.uid: n for n, other in enumerate(pending.rows, 1)}
    key = f"{run}_{pending.version}_{row.uid}"
    with st.container(border=True, gap="xsmall", key=f"bench_{key}"):
        row.question = st.text_area(
            t("Part {numbers}", numbers=numbers[row.uid]),
            value=row.question,
            height=68,
            max_chars=2000,
            placeholder=plain("A question that stands alone; #1 stands for the answer of part 1"),
            key=f"bench_text_{key}",
        )
        left, middle, right = st.columns([4, 6, 3], vertical_alignment="bottom")
        with left:
            row.type = st.selectbox(
                t("Type"),
                TYPES,
                index=TYPES.index(row.type),
                format_func=lambda kind: say_plain(display_text.PART_TYPES[kind]),
                key=f"bench_type_{key}",
                placeholder="",
            )
        with middle:
            others = [uid for uid in numbers if uid != row.uid]
            # The key names the parts there are, so that a part that went is no longer chosen.
            row.needs = st.multiselect(
                t("Needs the answer of"),
                others,
                default=[uid for uid in row.needs if uid in others],
                format_func=lambda uid: plain("part {numbers}", numbers=numbers[uid]),
                placeholder=plain("nothing"),
                key=f"bench_needs_{key}_{'_'.join(map(str, others))}",
            )
        with right:
            st.button(
                t("Remove"),
                icon=":material/delete:",
                key=f"bench_out_{key}",
                width="stretch",
                help=t("Take part {numbers} out of the plan", numbers=numbers[row.uid]),
                on_click=pending.remove,
                args=(row.uid,),
            )


def _marks(run: str, pending: PendingEdits) -> None:
    """Show what is pinned and banned; what is taken out of the box is so no longer."""
    for way, label, marked in (
        ("pinned", t("Pinned: always evidence"), pending.pinned),
        ("banned", t("Banned: never evidence"), pending.banned),
    ):
        if not marked:
            continue
        names = list(marked)
        labels = display_text.distinct({n: shorten(str(pending.names.get(n, "")), 60) for n in names})
        selected = st.multiselect(
            label,
            names,
            default=names,
            format_func=labels.__getitem__,
            placeholder=plain("nothing"),
            key=f"bench_{way}_{run}_{pending.version}_{'_'.join(n[:6] for n in names)}",
        )
        for number in set(names) - set(selected):
            del marked[number]


def _strategy(run: str, pending: PendingEdits, trace: RunTrace) -> None:
    left, right = st.columns(2)
    before = trace.route.level if trace.route is not None else None
    levels: list[Level | None] = [None, *Level]
    with left:
        pending.level = st.selectbox(
            t("Level"),
            levels,
            index=levels.index(pending.level),
            format_func=lambda level: (
                say_plain(display_text.LEVELS[level][0])
                if level
                else (
                    plain("as before ({level})", level=say_plain(display_text.LEVELS[before][0]))
                    if before
                    else plain("as before")
                )
            ),
            key=f"bench_level_{run}_{pending.version}",
            placeholder="",
        )
    strategies = list(STRATEGIES)
    with right:
        chosen = st.selectbox(
            t("Way of working"),
            strategies,
            index=strategies.index(pending.strategy),
            format_func=lambda way: say_plain(STRATEGIES[way]),
            key=f"bench_way_{run}_{pending.version}",
            placeholder="",
        )
        pending.strategy = next(way for way in ("auto", "plan", "loop", "") if way == chosen)


def bar(run: Run, trace: RunTrace) -> None:
    """Say what would be worked on again, and do it; the bar stays in sight while anything is changed."""
    pending = pending_edits.of(run.id, trace)
    changed = pending.changed()
    if not changed and not _opened(run.id):
        return
    assistant = session.assistant()
    edits = pending.edits()
    seen = assistant.questions.preview(run.id, edits)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"bench_go_{run.id}"):
        pressed = st.button(t("Run again"), type="primary", icon=":material/replay:", key=f"again_{run.id}")
        st.button(
            t("Discard changes"),
            type="tertiary",
            disabled=not changed,
            key=f"discard_{run.id}",
            on_click=pending_edits.forget,
            args=(run.id, trace),
        )
        st.caption(line(display_text.sentence(foreseen(seen, changed=changed))))
    for repair in seen.plan.repairs if seen.plan is not None and changed else ():
        st.caption(t("Repaired: {repair}", repair=translated(repair)))
    if pressed:
        again = assistant.questions.rerun(run.id, edits)
        pending_edits.forget(run.id, trace)
        session.go(run=again)
        st.rerun(scope="app")


def foreseen(seen: Preview, *, changed: bool) -> str:
    """Say in one line what the changes would do."""
    if seen.stale:
        return plain("Everything is worked on again, because {stale}.", stale=translated_plain(seen.stale))
    if seen.plan is None:
        return (
            plain("The plan is made anew.")
            if seen.planned_anew
            else plain("The question is asked as it stands.")
        )
    if not seen.again:
        return (
            plain("No part is touched; the answer is written again.")
            if changed
            else plain("Nothing is changed yet.")
        )
    works = plain_n("{parts} works again", "{parts} work again", len(seen.again), parts=_parts(seen.again))
    if not seen.kept:
        return f"{works}."
    stays = plain_n(
        "{parts} stays as found", "{parts} stay as found", len(seen.kept), parts=_parts(seen.kept)
    )
    return f"{works}; {stays}."


def _parts(numbers: tuple[int, ...]) -> str:
    names = [str(number) for number in sorted(numbers)]
    if len(names) == 1:
        return plain("part {number}", number=names[0])
    return plain("parts {first} and {last}", first=", ".join(names[:-1]), last=names[-1])
