"""The models page: which engine does what, what the server offers, what is missing, its remedy."""

import pandas as pd

from core.domain import BUILT_IN
from core.i18n.escaping import layout, line
from core.i18n.messages import Message, mark, plain, say, say_plain, t, tn
from core.i18n.recorded_messages import translated, translated_plain
from core.tasks import ModelRole
from core.ui.models import cards_view, embedding_status
from core.ui.shared import display_text, session, st, widgets
from core.work.checks.health import NAME_HOST, RECOMMENDED, Health, HealthFinding

ROLES: dict[ModelRole, Message] = {
    "routing": mark("chooses the level, plans"),
    "extraction": mark("enriches, reviews"),
    "generation": mark("writes the answer"),
    "vision": mark("reads pictures"),
}
PULLED = "models.pulled"
MARKS: dict[str, tuple[display_text.Colour, Message]] = {
    "ok": ("green", mark("in order")),
    "note": ("gray", mark("note")),
    "warning": ("orange", mark("warning")),
    "error": ("red", mark("mend")),
}


def page() -> None:
    """Show everything the doctor knows."""
    health = session.assistant().admin.health()
    st.title(t("Models"), anchor=False)
    if pulled := st.session_state.pop(PULLED, ""):
        st.toast(t("{pulled} is there.", pulled=pulled), icon=":material/check:")
    if checked := st.session_state.pop(cards_view.CHECKED, ""):
        st.toast(t("{model} was checked.", model=checked), icon=":material/check:")
    _summary(health)
    first_commands = (NAME_HOST, f"ollama pull {RECOMMENDED}") if cards_view.first_steps(health) else ()
    left = tuple(
        one for one in health.findings if not (first_commands and one.command.startswith(first_commands))
    )
    if left or not first_commands:
        _findings(left, serves=bool(health.server))
    _roles(health)
    embedding_status.section()
    _server(health)
    cards_view.section(health)
    _settings(health)
    _library_and_versions(health)


def _summary(health: Health) -> None:
    engine = t("The built-in engine") if health.engine == BUILT_IN else line(health.engine)
    served = line("")  # a server that does not answer is a finding, with its remedy
    if health.server:
        served = t("Ollama {version} answers at {host}.", version=health.server, host=health.host)
    elif not health.host:
        served = t("No model server is set, and none is needed.")
    st.markdown(t("**{engine}** answers now. {served}", engine=engine, served=served), anchors=False)


def _findings(findings: tuple[HealthFinding, ...], *, serves: bool) -> None:
    if not findings:
        st.badge(t("Everything is in order"), color="green")
        return
    for n, finding in enumerate(findings):
        if finding.command.startswith("strata reembed"):
            continue  # a section of its own says more, and has the buttons
        colour, word = MARKS[finding.severity]
        with st.container(horizontal=True, vertical_alignment="top", gap="small", wrap=False):
            st.badge(say(word), color=colour)
            st.markdown(translated(finding.message), anchors=False, width="stretch")
        model = finding.command.removeprefix("ollama pull ")
        if finding.command:
            st.code(finding.command, language=None)
        if (
            serves
            and model != finding.command
            and st.button(t("Pull {model}", model=model), key=f"models.pull.{n}", icon=":material/download:")
        ):
            with session.Guard():
                _pull(model)


def _roles(health: Health) -> None:
    st.subheader(t("Who does what"), anchor=False, divider="gray")
    served = [
        (role, say_plain(does), health.roles.get(role) or plain("built-in")) for role, does in ROLES.items()
    ]
    found = [
        ("embedding", plain("turns text into vectors"), health.embedder),
        ("reranking", plain("puts passages in order"), health.reranker),
    ]
    rows = pd.DataFrame([*served, *found], columns=[plain("Role"), plain("Does"), plain("Engine")])
    st.table(widgets.cells(rows), border="horizontal", hide_index=True)
    if health.models:
        _role_choices(health)


def _role_choices(health: Health) -> None:
    """Let a model be chosen for each role that no setting names."""
    admin = session.assistant().admin
    named, chosen = admin.roles_named(), admin.roles_chosen()
    with st.expander(t("Choose the models"), type="compact"), st.container(horizontal=True):
        for role, does in ROLES.items():
            able = [
                model.name
                for model in health.models
                if model.can("completion") and (role != "vision" or model.can("vision"))
            ]
            key = f"models.role.{role}"
            now = named.get(role) or chosen.get(role)
            st.session_state.setdefault(key, now)
            st.selectbox(
                layout("{role}: {does}", role=role, does=say(does)),
                able if now is None or now in able else [now, *able],
                index=None,
                key=key,
                placeholder=plain("Automatic"),
                disabled=role in named,
                help=t("Set by {name}", name=f"STRATA_LLM__{role.upper()}") if role in named else None,
                on_change=_choose,
                args=(role, key),
                width=320,
            )


def _choose(role: ModelRole, key: str) -> None:
    with session.Guard():
        session.assistant().admin.choose_role(role, st.session_state[key] or "")


def _server(health: Health) -> None:
    if health.host and not health.server:
        return
    st.subheader(t("What the model server offers"), anchor=False, divider="gray")
    if health.models:
        frame = pd.DataFrame(
            {
                plain("Model"): [model.name for model in health.models],
                plain("Size"): [display_text.size(model.size) for model in health.models],
                plain("Details"): [model.details for model in health.models],
                plain("Used for"): [", ".join(model.roles) for model in health.models],
            }
        )
        st.dataframe(frame, hide_index=True, width="stretch")
    elif not health.host:
        st.markdown(t("Set `OLLAMA_HOST` and start Strata again to let served models do the work."))
        return
    else:
        st.markdown(t("It offers nothing yet."))
    with st.form("models.pull", border=False):
        name = st.text_input(
            t("Get a model"), placeholder=plain("A name as in ollama pull"), key="models.name"
        )
        pressed = st.form_submit_button(t("Pull"))
    if pressed and name.strip():
        with session.Guard():
            _pull(name.strip())


def _pull(name: str) -> None:
    """Fetch a model, then show the page anew."""
    cards_view.fetch(name)
    st.session_state[PULLED] = name
    st.rerun()


def _settings(health: Health) -> None:
    st.subheader(t("Settings in effect"), anchor=False, divider="gray")
    changed = [setting for setting in health.settings if setting.value != setting.default]
    summary = (
        tn("{n:,} setting differs", "{n:,} settings differ", len(changed))
        if changed
        else t("All are at their defaults")
    )
    st.caption(t("{said}. Each is set by an environment variable or in a .env file.", said=summary))
    frame = pd.DataFrame(
        {
            plain("Name"): [setting.name for setting in health.settings],
            plain("Value"): [setting.value for setting in health.settings],
            plain("Default"): [setting.default for setting in health.settings],
            plain("Meaning"): [translated_plain(setting.description) for setting in health.settings],
        }
    )
    if changed:
        st.dataframe(frame[frame.iloc[:, 1] != frame.iloc[:, 2]], hide_index=True, width="stretch")
    with st.expander(t("All {settings} settings", settings=len(health.settings)), type="compact"):
        st.dataframe(frame, hide_index=True, width="stretch")
    for name in health.unknown:
        st.warning(t("{name} is set, but no setting has that name.", name=name), icon=":material/help:")


def _library_and_versions(health: Health) -> None:
    st.subheader(t("The library and what it stands on"), anchor=False, divider="gray")
    st.caption(t("Kept in {folder}", folder=health.folder))
    left, right = st.columns(2, gap="large")
    counts = pd.DataFrame(
        {
            plain("Holds"): [display_text.thing(what) for what in health.counts],
            plain("How many"): [f"{n:,}" for n in health.counts.values()],
        }
    )
    versions = pd.DataFrame(
        {plain("Package"): list(health.versions), plain("Version"): list(health.versions.values())}
    )
    left.table(widgets.cells(counts), border="horizontal", hide_index=True)
    right.table(widgets.cells(versions), border="horizontal", hide_index=True)
