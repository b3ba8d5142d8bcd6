"""Foreign text in Streamlit calls, for mypy alone: each line it must refuse is marked, and `make lint` fails
where it stops refusing one ("unused type: ignore") or refuses what is right."""

from core.i18n.messages import t
from core.ui.shared import st


def wrong(title: str) -> None:
    st.markdown(title)  # type: ignore[arg-type]
    st.toast(f"{t('Deleted.')} {title}")  # type: ignore[arg-type]
    st.toast(t("Deleted.") + title)  # type: ignore[arg-type]
    st.columns(2)[0].caption(title)  # type: ignore[arg-type]
    st.dialog(title)(wrong)(title)  # type: ignore[arg-type]
    st.button(t("Open"), help=title)  # type: ignore[arg-type]
    st.tabs([title])  # type: ignore[list-item]
    st.radio(t("Which?"), [title], format_func=str)  # type: ignore[arg-type]
    st.sidebar.error(title)  # type: ignore[arg-type]
    st.markdown(t("Open"), unsafe_allow_html=True)  # type: ignore[call-arg]


def right(title: str) -> None:
    st.toast(t("Deleted {title}.", title=title))
    st.code(title)
    st.text_input(t("Name"), title)
