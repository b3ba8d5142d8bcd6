"""What served models are good for: their cards, the check that makes one, and the way to a first model."""

import pandas as pd

from core.evaluation.model_check import KIND_NAMES, KINDS, ModelCard, behaviour, strengths
from core.i18n.escaping import layout
from core.i18n.messages import mark, plain, say, say_plain, t
from core.ui.shared import display_text, session, st
from core.work.checks.health import CONNECT, RECOMMENDED, Health

CHECKED = "models.checked"
STEPS = (
    mark("Install Ollama from ollama.com/download and start it."),
    mark("Name its address and start Strata again:"),
    mark("Come back here: one press gets a model and checks it."),
)


def first_steps(health: Health) -> bool:
    """Show the way from no model to a working one, where there is none; say whether it is shown.

    A server that is named and does not answer is to be started: a finding says so.
    """
    if health.host and not health.server:
        return False
    if any(model.can("completion") for model in health.models):
        return False
    with st.container(border=True, gap="xsmall", key="strata_first_model"):
        st.markdown(t("**From no model to a working one**"), anchors=False)
        if health.server:
            pressed = st.button(
                t("Get {model} and check it", model=RECOMMENDED),
                key="models.first",
                type="primary",
                icon=":material/download:",
            )
            st.caption(t("About 2.5 GB. It follows instructions and does not think aloud."))
            if pressed:
                with session.Guard():
                    fetch(RECOMMENDED)
                    check(RECOMMENDED)
            return True
        for number, step in enumerate(STEPS, 1):
            st.markdown(layout("**{number}**\u2002{step}", number=number, step=say(step)), anchors=False)
            if step is STEPS[1]:
                st.code(CONNECT, language=None, wrap_lines=True)
    return True


def section(health: Health) -> None:
    """Show the cards there are, and a button to check a model of the server."""
    cards = session.assistant().admin.model_cards()
    able = [model.name for model in health.models if model.can("completion")]
    if not able and not cards:
        return
    st.subheader(t("What they are good for"), anchor=False, divider="gray")
    if cards:
        st.dataframe(table(cards), hide_index=True, width="stretch")
        for card in cards:
            details(card)
    else:
        st.caption(t("No model was checked yet. Forty small tasks take some minutes and show what it does."))
    if able:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            name = st.selectbox(t("Model"), able, key="models.checking", placeholder="", width=320)
            pressed = st.button(t("Check it"), key="models.check", icon=":material/fact_check:")
        if pressed and name:
            with session.Guard():
                check(name)


def table(cards: tuple[ModelCard, ...]) -> pd.DataFrame:
    """Return one row a card: right answers of each kind, and how fast."""
    rows = []
    for card in cards:
        probe = card.probe
        speed = f"{probe.read_speed:,.0f} / {probe.write_speed:,.0f}" if probe else ""
        right = [f"{card.right.get(kind, 0)}/{card.of.get(kind, 0)}" for kind in KINDS]
        rows.append([card.model, display_text.moment(card.at), *right, f"{card.seconds:.1f}", speed])
    names = [say_plain(KIND_NAMES[kind]) for kind in KINDS]
    columns = [plain("Model"), plain("Checked"), *names, plain("Seconds a task"), plain("Tokens/s in / out")]
    return pd.DataFrame(rows, columns=columns)


def details(card: ModelCard) -> None:
    """Say what a model is good for, how it behaves, and what it got wrong."""
    good = strengths(card)
    summary = (
        t("**{model}** is good for {roles}.", model=card.model, roles=good)
        if good
        else t("**{model}** is good for none of the roles.", model=card.model)
    )
    st.markdown(summary, anchors=False)
    if card.probe is not None:
        st.caption(t("It {does}.", does=behaviour(card.probe)))
    if card.wrong:
        with st.expander(t("Wrong: {n}", n=len(card.wrong)), type="compact"):
            for one in card.wrong:
                st.markdown(t("{question} — {why}", question=one.question, why=one.wrong), anchors=False)


def fetch(name: str) -> None:
    """Fetch a model with its progress."""
    bar = st.progress(0.0, text=t("Asking for {name}", name=name))
    st.caption(t("Stay on this page until it is there. If it breaks off, pulling again goes on from there."))
    for step in session.assistant().admin.pull(name):
        share = step.done / step.total if step.total else 0.0
        status = t("{status}", status=step.status)
        if step.total:
            done, total = display_text.size(step.done), display_text.size(step.total)
            status = t("{status}, {done} of {total}", status=step.status, done=done, total=total)
        bar.progress(min(1.0, share), text=status)


def check(name: str) -> None:
    """Check a model with its progress, then show the page anew."""
    bar = st.progress(0.0, text=t("Finding out what {name} does", name=name))
    for step in session.assistant().admin.check_model(name):
        progress = t("Task {done} of {of}", done=step.done, of=step.of)
        bar.progress(min(1.0, step.done / step.of), text=progress)
    st.session_state[CHECKED] = name
    st.rerun()
