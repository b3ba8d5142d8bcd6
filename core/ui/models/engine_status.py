"""The models page: which engine does what, what the server offers, what is missing, what mends it."""

import pandas as pd
import streamlit as st

from core.ui.models import embedding_status
from core.ui.shared import display_text, safe, session
from core.work.health import Finding, Health

ROLES = {
    "routing": "chooses the level, plans",
    "extraction": "enriches, reviews",
    "generation": "writes the answer",
    "vision": "reads pictures",
}
PULLED = "models.pulled"
MARKS: dict[str, tuple[display_text.Colour, str]] = {
    "ok": ("green", "in order"),
    "note": ("gray", "note"),
    "warning": ("orange", "warning"),
    "error": ("red", "mend"),
}


def page() -> None:
    """Show everything the doctor knows."""
    health = session.assistant().admin.health()
    st.title("Models", anchor=False)
    if pulled := st.session_state.pop(PULLED, ""):
        st.toast(f"{safe.line(pulled)} is there.", icon=":material/check:")
    _summary(health)
    _findings(health.findings, serves=bool(health.server))
    _roles(health)
    embedding_status.section()
    _server(health)
    _settings(health)
    _house(health)


def _summary(health: Health) -> None:
    engine = "The built-in engine" if health.engine == "built-in" else safe.line(health.engine)
    served = (
        f"Ollama {safe.line(health.server)} answers at {safe.line(health.host)}."
        if health.server
        else (
            f"Nothing answers at {safe.line(health.host)}."
            if health.host
            else "No model server is set, and none is needed."
        )
    )
    st.markdown(f"**{engine}** answers now. {served}", anchors=False)


def _findings(findings: tuple[Finding, ...], *, serves: bool) -> None:
    if not findings:
        st.badge("Everything is in order", color="green")
        return
    for n, finding in enumerate(findings):
        if finding.command.startswith("strata reembed"):
            continue  # a section of its own says more, and has the buttons
        colour, word = MARKS[finding.severity]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(word, color=colour)
            st.markdown(safe.escape(finding.message), anchors=False, width="stretch")
        model = finding.command.removeprefix("ollama pull ")
        if finding.command:
            st.code(finding.command, language=None)
        if (
            serves
            and model != finding.command
            and st.button(f"Pull {safe.line(model)}", key=f"models.pull.{n}", icon=":material/download:")
        ):
            with session.Guard():
                _pull(model)


def _roles(health: Health) -> None:
    st.subheader("Who does what", anchor=False, divider="gray")
    rows = [
        {"Role": role, "Does": does, "Engine": health.roles.get(role) or "built-in"}
        for role, does in ROLES.items()
    ]
    rows += [
        {"Role": "embedding", "Does": "turns text into vectors", "Engine": health.embedder},
        {"Role": "reranking", "Does": "puts passages in order", "Engine": health.reranker},
    ]
    st.table(safe.cells(pd.DataFrame(rows)), border="horizontal", hide_index=True)


def _server(health: Health) -> None:
    st.subheader("What the model server offers", anchor=False, divider="gray")
    if health.models:
        frame = pd.DataFrame(
            {
                "Model": [model.name for model in health.models],
                "Size": [display_text.size(model.size) for model in health.models],
                "Details": [model.details for model in health.models],
                "Used for": [", ".join(model.roles) for model in health.models],
            }
        )
        st.dataframe(frame, hide_index=True, width="stretch")
    elif not health.host:
        st.markdown("Set `OLLAMA_HOST` and start Strata again to let served models do the work.")
        return
    else:
        st.markdown("It offers nothing yet.")
    with st.form("models.pull", border=False):
        name = st.text_input("Get a model", placeholder="A name as in ollama pull", key="models.name")
        pressed = st.form_submit_button("Pull")
    if pressed and name.strip():
        with session.Guard():
            _pull(name.strip())


def _pull(name: str) -> None:
    """Fetch a model with its progress, then show the page anew."""
    bar = st.progress(0.0, text=f"Asking for {safe.line(name)}")
    st.caption("Stay on this page until it is there. If it breaks off, pulling again goes on from there.")
    for step in session.assistant().admin.pull(name):
        share = step.done / step.total if step.total else 0.0
        size = f", {display_text.size(step.done)} of {display_text.size(step.total)}" if step.total else ""
        bar.progress(min(1.0, share), text=f"{safe.line(step.status)}{size}")
    st.session_state[PULLED] = name
    st.rerun()


def _settings(health: Health) -> None:
    st.subheader("Settings in effect", anchor=False, divider="gray")
    changed = [held for held in health.settings if held.value != held.default]
    said = (
        display_text.count(len(changed), "setting differs", "settings differ")
        if changed
        else "All are at their defaults"
    )
    st.caption(f"{said}. Each is set by an environment variable or in a .env file.")
    frame = pd.DataFrame(
        {
            "Name": [held.name for held in health.settings],
            "Value": [held.value for held in health.settings],
            "Default": [held.default for held in health.settings],
            "Meaning": [held.description for held in health.settings],
        }
    )
    if changed:
        st.dataframe(frame[frame["Value"] != frame["Default"]], hide_index=True, width="stretch")
    with st.expander(f"All {len(health.settings)} settings", type="compact"):
        st.dataframe(frame, hide_index=True, width="stretch")
    for name in health.unknown:
        st.warning(f"{safe.line(name)} is set, but no setting has that name.", icon=":material/help:")


def _house(health: Health) -> None:
    st.subheader("The library and what it stands on", anchor=False, divider="gray")
    st.caption(f"Kept in {safe.line(health.folder)}")
    left, right = st.columns(2, gap="large")
    counts = pd.DataFrame(
        {"Holds": list(health.counts), "How many": [f"{n:,}" for n in health.counts.values()]}
    )
    versions = pd.DataFrame({"Package": list(health.versions), "Version": list(health.versions.values())})
    left.table(counts, border="horizontal", hide_index=True)
    right.table(versions, border="horizontal", hide_index=True)
