"""A row of views of which the address names the one that is shown."""

from collections.abc import Mapping

from core.i18n.escaping import Safe
from core.i18n.messages import Message, say
from core.ui.shared import session, st


def choose_view(
    label: Safe,
    offered: Mapping[str, Message],
    parameter: str,
    named: str,
    usual: str,
    *,
    key: str,
    small: bool = False,
    **address: str,
) -> str:
    """Return the view that is chosen, `usual` where the address names none that is offered.

    Another one goes into the address under `parameter`, beside `address`, and the page runs anew.
    """
    shown = named if named in offered else usual
    control = st.pills if small else st.segmented_control
    chosen = control(
        label,
        list(offered),
        default=shown,
        format_func=lambda view: say(offered[view]),
        label_visibility="collapsed",
        required=True,
        key=f"{key}.{named}",
    )
    view = chosen or usual
    if view != shown:
        session.go(**address | {parameter: view})
        st.rerun()  # the next press belongs to what the address names now
    return view
