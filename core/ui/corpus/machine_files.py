"""Machine files: a CIM mapping is chosen or written, tried on a sample, kept or taken away."""

import pandas as pd

from core.errors import StrataError
from core.i18n.escaping import layout
from core.i18n.messages import mark, plain, say, t
from core.i18n.recorded_messages import translated
from core.ingest.cim_mappings import EXAMPLE, SAMPLE_BYTES, MappingFile, MappingPreview
from core.ui.shared import session, st, widgets

_NEW = ""  # the choice of none that is there
_MAX_SAMPLE_ROWS = 50  # rows of a sample
_HELP = mark(
    "match: a file name pattern or several. Lines are cut by `delimiter`, by the groups of a `regex`, or "
    "with `fixed: true` by character positions (source: 1-8). A column has a source, a name and, where it "
    "applies, type, unit, entity and time."
)


def panel() -> None:
    """Offer the library's mappings for reading machine files."""
    if not session.may("add"):
        return
    mappings = session.assistant().library.mappings
    files = mappings.files()
    broken = [each for each in files if each.error]
    title = t("Machine files ({count})", count=len(files)) if files else t("Machine files")
    with st.expander(title, key="machine"):
        st.caption(
            t(
                "Logs and measurements of machines become typed tables by a mapping: a few lines of YAML "
                "that say which file names it is for, how a line is cut, and what each column is. Files "
                "added from then on are read by it; one that is here already is read again once it is "
                "deleted and added."
            )
        )
        for each in broken:
            st.error(translated(each.error), icon=":material/error:")
        _choose(files)
        written, sampled = st.columns(2, gap="medium")
        with written:
            written_before = st.session_state.setdefault(session.MAPPING_TEXT, EXAMPLE)
            text = st.text_area(
                t("Mapping"), written_before, key=_turned("text"), height=300, help=say(_HELP)
            )
            uploaded = st.file_uploader(
                t("Or take a mapping file"), type=["yaml", "yml"], key=_turned("yaml")
            )
            if uploaded is not None:
                _put(uploaded.getvalue().decode("utf-8", "replace"))
                st.rerun()
        with sampled:
            sample = st.file_uploader(t("Try it on a file"), key="machine.sample")
            if sample is None:
                st.caption(t("The table it would make of the file is shown here; nothing is added by that."))
            else:
                _try(text, sample.read(SAMPLE_BYTES + 1), sample.name)
        _actions(text, files)


def _choose(files: list[MappingFile]) -> None:
    offered = [_NEW, *(each.file for each in files)]
    before = st.session_state.get(session.MAPPING, _NEW)
    chosen = st.selectbox(
        t("Mappings of this library"),
        offered,
        index=offered.index(before) if before in offered else 0,
        key=_turned("choice"),
        placeholder="",
        format_func=lambda file: _called(file, files),
    )
    if chosen != before:
        _put(next((each.text for each in files if each.file == chosen), EXAMPLE), chosen)
        st.rerun()


def _called(file: str, files: list[MappingFile]) -> str:
    found = next((each.mapping for each in files if each.file == file), None)
    if found is not None:
        return f"{found.name}: {', '.join(found.match)}"
    return file or plain("A new mapping")


def _turned(name: str) -> str:
    """Return a widget's key that changes whenever another text is put in, so that no old one comes back."""
    return f"machine.{name}.{st.session_state.get(session.MAPPING_TURN, 0)}"


def _put(text: str, chosen: str = _NEW) -> None:
    st.session_state[session.MAPPING_TURN] = st.session_state.get(session.MAPPING_TURN, 0) + 1
    st.session_state[session.MAPPING_TEXT] = text
    st.session_state[session.MAPPING] = chosen


def _try(text: str, sample: bytes, name: str) -> None:
    """Show the table a mapping makes of a sample, or the line it goes wrong at."""
    try:
        tried = session.assistant().library.mappings.attempt(text, sample, name)
    except StrataError as error:
        st.error(widgets.complaint(error), icon=":material/error:")
        return
    st.dataframe(_columns(tried), hide_index=True, width="stretch", placeholder="")
    table = tried.parsed.tables[0]
    rows = pd.DataFrame(table.rows[:_MAX_SAMPLE_ROWS], columns=[column.name for column in table.columns])
    st.dataframe(rows, hide_index=True, width="stretch", placeholder="", height=min(300, 38 + 35 * len(rows)))
    if not tried.fits:
        names = ", ".join(tried.mapping.match)
        st.warning(t("{name} is no name this mapping is for ({names}).", name=name, names=names))
    for sentence in tried.parsed.skipped:
        st.caption(translated(sentence))
    if tried.cut:
        st.caption(t("Only the beginning of the file was looked at."))


def _columns(tried: MappingPreview) -> pd.DataFrame:
    made = tried.parsed.tables[0].columns
    return pd.DataFrame(
        {
            plain("Column"): [column.name for column in made],
            plain("Type"): [column.type for column in made],
            plain("Unit"): [column.unit for column in made],
            plain("Entity"): [column.entity for column in tried.columns],
            plain("Time"): [plain("says when") if column.time else "" for column in tried.columns],
        }
    )


def _actions(text: str, files: list[MappingFile]) -> None:
    mappings = session.assistant().library.mappings
    chosen = st.session_state.get(session.MAPPING, _NEW)
    with st.container(horizontal=True, gap="small"):
        if st.button(t("Save the mapping"), type="primary", key="machine.save"):
            try:
                file = mappings.save(text)
            except StrataError as error:
                st.error(widgets.complaint(error), icon=":material/error:")
            else:
                st.toast(t("{file} is kept and used from now on.", file=file))
                _put(text, file)
                st.rerun()
        if any(each.file == chosen for each in files) and st.button(t("Delete …"), key="machine.delete"):
            st.dialog(t("Delete this mapping?"))(_delete)(str(chosen))


def _delete(file: str) -> None:
    with session.Guard():
        st.markdown(layout("**{file}**", file=file), anchors=False)
        st.caption(t("What it has read stays in the library as it is."))
        with st.container(horizontal=True, gap="small"):
            if st.button(t("Delete"), type="primary", key="machine.really"):
                session.assistant().library.mappings.delete(file)
                _put(EXAMPLE)
                st.rerun()
            if st.button(t("Keep it"), key="machine.keep"):
                st.rerun()
