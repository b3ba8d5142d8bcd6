"""What the interface uses of Streamlit: text that Streamlit reads as Markdown is `Safe`, the rest data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, NewType, NoReturn, ParamSpec, Protocol, TypedDict, TypeVar, Unpack, overload

import pandas as pd
import streamlit
from markupsafe import Markup
from streamlit.components.v2.types import ComponentRenderer as ComponentRenderer

from core.i18n.escaping import Safe

_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T")
_N = TypeVar("_N", int, float)
_F = TypeVar("_F", bound=Callable[..., object])

_Call = Callable[..., object]
_Change = _Call | Literal["ignore", "rerun"]
_Size = int | Literal["stretch", "content", "auto"]
_Type = Literal["primary", "secondary", "tertiary"]
_Color = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray", "grey", "primary"]
_Anchor = str | Literal[False] | None
_Query = Mapping[str, str]

SafeTable = NewType("SafeTable", pd.DataFrame)  # its cells and the names of its columns are Safe

class Page:
    title: str
    url_path: str
    def __init__(self, page: str, *, title: Safe, default: bool = False) -> None: ...
    def run(self) -> None: ...

class Upload(Protocol):
    file_id: str
    name: str
    size: int
    def getvalue(self) -> bytes: ...
    def read(self, size: int = -1, /) -> bytes: ...

class ChatValue(Protocol):
    text: str
    files: Sequence[Upload]

class _Text(TypedDict, total=False):
    help: Safe | None
    icon: str | None
    width: _Size
    text_alignment: Literal["left", "center", "right", "justify"]
    wrap: bool

class _Heading(_Text, total=False):
    divider: bool | str

class _MessageOptions(TypedDict, total=False):
    icon: str | None
    width: _Size
    title: Safe | None

class _Pressed(TypedDict, total=False):
    key: str | None
    help: Safe | None
    args: tuple[Any, ...] | None
    kwargs: dict[str, Any] | None
    type: _Type
    icon: str | None
    icon_position: Literal["left", "right"]
    disabled: bool
    width: _Size
    shortcut: str | None
    wrap: bool | None

class _Button(_Pressed, total=False):
    on_click: _Call | None

class _Download(_Pressed, total=False):
    on_click: _Change | None

class _Widget(TypedDict, total=False):
    key: str | None
    help: Safe | None
    on_change: _Change | None
    args: tuple[Any, ...] | None
    kwargs: dict[str, Any] | None
    disabled: bool
    label_visibility: Literal["visible", "hidden", "collapsed"]
    width: _Size

class _Field(_Widget, total=False):
    max_chars: int | None
    placeholder: str | None
    required: bool
    icon: str | None
    format: str | None

class _Choice(_Widget, total=False):
    placeholder: str | None
    required: bool
    icon: str | None
    accept_new_options: bool
    max_selections: int | None

class _Marked(_Widget, total=False):
    required: bool
    horizontal: bool
    captions: Sequence[Safe] | None
    wrap: bool | None

class _Files(_Widget, total=False):
    type: Sequence[str] | None
    max_upload_size: int | None

class _Chat(TypedDict, total=False):
    key: str | None
    max_chars: int | None
    disabled: bool
    submit_mode: Literal["submit", "disable", "stop"]
    on_submit: _Call | None
    args: tuple[Any, ...] | None
    width: _Size
    height: _Size

class _Placed(TypedDict, total=False):
    border: bool | None
    key: str | None
    width: _Size
    height: _Size
    horizontal: bool
    wrap: bool
    horizontal_alignment: Literal["left", "center", "right", "distribute"]
    vertical_alignment: Literal["top", "center", "bottom", "distribute"]
    gap: str | None
    autoscroll: bool | None

class _Columns(TypedDict, total=False):
    gap: str | None
    vertical_alignment: Literal["top", "center", "bottom"]
    border: bool
    width: _Size
    wrap: bool

class _Opened(TypedDict, total=False):
    key: str | None
    icon: str | None
    width: _Size
    on_change: _Change

class _Popover(_Opened, total=False):
    type: _Type
    help: Safe | None
    disabled: bool
    wrap: bool | None

class _Drawn(TypedDict, total=False):
    key: str | None
    width: _Size
    height: _Size
    alt: str | None
    on_select: _Change
    selection_mode: str | Iterable[str]

class _Frame(_Drawn, total=False):
    hide_index: bool | None
    column_order: Iterable[str] | None
    column_config: Mapping[str, Any] | None
    selection_default: Any
    row_height: int | None
    placeholder: str | None

class _Chart(_Drawn, total=False):
    theme: Literal["streamlit"] | None
    config: dict[str, Any] | None

class _Table(TypedDict, total=False):
    border: bool | Literal["horizontal"]
    width: _Size
    height: _Size
    hide_index: bool | None
    hide_header: bool | None
    alt: str | None

class _Metric(TypedDict, total=False):
    delta_color: str
    delta_arrow: str
    help: Safe | None
    icon: str | None
    border: bool
    width: _Size
    height: _Size
    chart_data: Sequence[float] | None
    chart_type: Literal["line", "bar", "area"]
    format: str | None

class Container(AbstractContextManager["Container"]):
    """What draws: the page itself, and each container, column, tab and message in it."""

    open: bool | None  # of an expander or popover that reports its changes

    def __exit__(self, *raised: object) -> Literal[False]: ...
    def title(self, body: Safe, anchor: _Anchor = None, **how: Unpack[_Text]) -> Container: ...
    def header(self, body: Safe, anchor: _Anchor = None, **how: Unpack[_Heading]) -> Container: ...
    def subheader(self, body: Safe, anchor: _Anchor = None, **how: Unpack[_Heading]) -> Container: ...
    def markdown(self, body: Safe, *, anchors: bool = True, **how: Unpack[_Text]) -> Container: ...
    def caption(self, body: Safe, **how: Unpack[_Text]) -> Container: ...
    def badge(self, label: Safe, *, color: _Color = "blue", **how: Unpack[_Text]) -> Container: ...
    def text(self, body: str, **how: Unpack[_Text]) -> Container: ...
    def code(
        self,
        body: str,
        language: str | None = "python",
        *,
        wrap_lines: bool = False,
        height: _Size | None = ...,
    ) -> Container: ...
    def html(self, body: Path | Markup) -> Container: ...
    def iframe(self, src: str, *, height: _Size = ..., alt: str | None = None) -> Container: ...
    def divider(self) -> Container: ...
    def space(self, size: str = "small") -> Container: ...
    def info(self, body: Safe, **how: Unpack[_MessageOptions]) -> Container: ...
    def success(self, body: Safe, **how: Unpack[_MessageOptions]) -> Container: ...
    def warning(self, body: Safe, **how: Unpack[_MessageOptions]) -> Container: ...
    def error(self, body: Safe, **how: Unpack[_MessageOptions]) -> Container: ...
    def toast(
        self,
        body: Safe,
        *,
        icon: str | None = None,
        duration: int | Literal["short", "long", "infinite"] = "short",
    ) -> Container: ...
    def progress(self, value: float, text: Safe | None = None, width: _Size = ...) -> Container: ...
    def dataframe(self, data: pd.DataFrame | Mapping[str, object], **how: Unpack[_Frame]) -> Any: ...
    def table(self, data: SafeTable, **how: Unpack[_Table]) -> Container: ...
    def plotly_chart(self, figure_or_data: Any, **how: Unpack[_Chart]) -> Any: ...
    def echarts_chart(
        self,
        spec: Mapping[str, object],
        *,
        width: _Size = ...,
        height: _Size = ...,
        key: str | None = None,
        on_select: _Change = "ignore",
        alt: str | None = None,
    ) -> Any: ...
    def pagination(
        self, num_pages: int, *, default: int = 1, key: str | None = None, width: _Size = ...
    ) -> int: ...
    def image(
        self,
        image: bytes | str | Path,
        caption: Safe | None = None,
        width: _Size = ...,
        *,
        alt: str | None = None,
    ) -> Container: ...
    def metric(
        self,
        label: Safe,
        value: Safe | float | None,
        delta: Safe | float | None = None,
        **how: Unpack[_Metric],
    ) -> Container: ...
    def container(self, **how: Unpack[_Placed]) -> Container: ...
    def columns(self, spec: int | Sequence[float], **how: Unpack[_Columns]) -> Sequence[Container]: ...
    def tabs(
        self, tabs: Sequence[Safe], *, default: Safe | None = None, **how: Unpack[_Opened]
    ) -> Sequence[Container]: ...
    def expander(
        self,
        label: Safe,
        expanded: bool = False,
        *,
        type: Literal["default", "compact"] = "default",
        **how: Unpack[_Opened],
    ) -> Container: ...
    def popover(self, label: Safe, **how: Unpack[_Popover]) -> Container: ...
    def form(self, key: str, clear_on_submit: bool = False, *, border: bool = True) -> Container: ...
    def chat_message(self, name: str, *, avatar: str | None = None) -> Container: ...
    def empty(self) -> Container: ...
    def button(self, label: Safe, **how: Unpack[_Button]) -> bool: ...
    def form_submit_button(self, label: Safe, **how: Unpack[_Button]) -> bool: ...
    def download_button(
        self,
        label: Safe,
        data: str | bytes | _Call,
        file_name: str | None = None,
        mime: str | None = None,
        **how: Unpack[_Download],
    ) -> bool: ...
    def page_link(
        self,
        page: str | Page,
        *,
        label: Safe | None = None,
        icon: str | None = None,
        help: Safe | None = None,
        disabled: bool = False,
        width: _Size = ...,
        query_params: _Query | None = None,
    ) -> Container: ...
    def toggle(self, label: Safe, value: bool = False, **how: Unpack[_Widget]) -> bool: ...
    def checkbox(self, label: Safe, value: bool = False, **how: Unpack[_Widget]) -> bool: ...
    def feedback(
        self, options: Literal["thumbs", "faces", "stars"] = "thumbs", *, key: str, default: int | None = None
    ) -> int | None: ...
    def text_input(
        self,
        label: Safe,
        value: str = "",
        *,
        type: Literal["default", "password", "search"] = "default",
        **how: Unpack[_Field],
    ) -> str: ...
    def text_area(
        self, label: Safe, value: str = "", height: _Size | None = None, **how: Unpack[_Field]
    ) -> str: ...
    @overload
    def number_input(
        self,
        label: Safe,
        min_value: _N,
        max_value: _N | None,
        value: None,
        step: _N = ...,
        **how: Unpack[_Field],
    ) -> _N | None: ...
    @overload
    def number_input(
        self,
        label: Safe,
        min_value: _N,
        max_value: _N | None,
        value: _N,
        step: _N = ...,
        **how: Unpack[_Field],
    ) -> _N: ...
    def slider(
        self, label: Safe, min_value: _N, max_value: _N, value: _N, step: _N = ..., **how: Unpack[_Widget]
    ) -> _N: ...
    # The options of these two are plain text, of the two after them Markdown.
    @overload
    def selectbox(
        self,
        label: Safe,
        options: Iterable[_T],
        index: int = 0,
        format_func: Callable[[_T], str] = ...,
        **how: Unpack[_Choice],
    ) -> _T: ...
    @overload
    def selectbox(
        self,
        label: Safe,
        options: Iterable[_T],
        index: int | None,
        format_func: Callable[[_T], str] = ...,
        **how: Unpack[_Choice],
    ) -> _T | None: ...
    def multiselect(
        self,
        label: Safe,
        options: Iterable[_T],
        default: Iterable[_T] | None = None,
        format_func: Callable[[_T], str] = ...,
        **how: Unpack[_Choice],
    ) -> list[_T]: ...
    def radio(
        self,
        label: Safe,
        options: Iterable[_T],
        index: int | None = 0,
        *,
        format_func: Callable[[_T], Safe],
        **how: Unpack[_Marked],
    ) -> _T | None: ...
    def segmented_control(
        self,
        label: Safe,
        options: Iterable[_T],
        *,
        default: _T | None = None,
        format_func: Callable[[_T], Safe],
        **how: Unpack[_Marked],
    ) -> _T | None: ...
    pills = segmented_control
    def menu_button(
        self,
        label: Safe,
        options: Iterable[_T],
        *,
        format_func: Callable[[_T], Safe],
        **how: Unpack[_Button],
    ) -> _T | None: ...
    def date_input(
        self, label: Safe, value: Any = ..., *, format: str = ..., **how: Unpack[_Widget]
    ) -> Any: ...
    @overload
    def file_uploader(
        self, label: Safe, *, accept_multiple_files: Literal[False] = False, **how: Unpack[_Files]
    ) -> Upload | None: ...
    @overload
    def file_uploader(
        self, label: Safe, *, accept_multiple_files: Literal[True, "directory"], **how: Unpack[_Files]
    ) -> list[Upload]: ...
    @overload
    def chat_input(self, placeholder: str, **how: Unpack[_Chat]) -> str | None: ...
    @overload
    def chat_input(
        self,
        placeholder: str,
        *,
        accept_file: Literal[True, "multiple", "directory"],
        file_type: Sequence[str] | None = None,
        max_upload_size: int | None = None,
        **how: Unpack[_Chat],
    ) -> ChatValue | None: ...

_page: Container
sidebar: Container
bottom: Container

title = _page.title
header = _page.header
subheader = _page.subheader
markdown = _page.markdown
caption = _page.caption
badge = _page.badge
text = _page.text
code = _page.code
html = _page.html
iframe = _page.iframe
divider = _page.divider
space = _page.space
info = _page.info
success = _page.success
warning = _page.warning
error = _page.error
toast = _page.toast
progress = _page.progress
dataframe = _page.dataframe
table = _page.table
plotly_chart = _page.plotly_chart
echarts_chart = _page.echarts_chart
image = _page.image
metric = _page.metric
container = _page.container
columns = _page.columns
tabs = _page.tabs
expander = _page.expander
popover = _page.popover
form = _page.form
chat_message = _page.chat_message
empty = _page.empty
button = _page.button
form_submit_button = _page.form_submit_button
download_button = _page.download_button
page_link = _page.page_link
toggle = _page.toggle
checkbox = _page.checkbox
feedback = _page.feedback
text_input = _page.text_input
text_area = _page.text_area
number_input = _page.number_input
slider = _page.slider
selectbox = _page.selectbox
multiselect = _page.multiselect
date_input = _page.date_input
menu_button = _page.menu_button
pagination = _page.pagination
radio = _page.radio
segmented_control = _page.segmented_control
file_uploader = _page.file_uploader
chat_input = _page.chat_input
pills = _page.pills

def spinner(text: Safe) -> AbstractContextManager[None]: ...
def dialog(
    title: Safe,
    *,
    width: Literal["small", "medium", "large"] = "small",
    icon: str | None = None,
    on_dismiss: _Change = "ignore",
) -> Callable[[_F], _F]: ...
@overload
def fragment(func: _F, *, run_every: float | None = None, key: str | None = None) -> _F: ...
@overload
def fragment(*, run_every: float | None = None, key: str | None = None) -> Callable[[_F], _F]: ...
def cache_data(
    *, ttl: float | None = None, max_entries: int | None = None, show_spinner: Literal[False]
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]: ...
def set_page_config(
    page_title: str, page_icon: str, layout: Literal["centered", "wide"], menu_items: Mapping[str, Safe]
) -> None: ...
def logo(image: str, *, size: Literal["small", "medium", "large"] = "medium", icon_image: str) -> None: ...
def navigation(
    pages: Sequence[Page], *, position: Literal["sidebar", "top", "hidden"] = "sidebar"
) -> Page: ...
def switch_page(page: str | Page, *, query_params: _Query | None = None) -> NoReturn: ...
def rerun(scope: Literal["app", "fragment"] = "app") -> NoReturn: ...
def stop() -> NoReturn: ...

App = streamlit.App
cache_resource = streamlit.cache_resource
column_config = streamlit.column_config
components = streamlit.components
context = streamlit.context
query_params = streamlit.query_params
session_state = streamlit.session_state
__version__ = streamlit.__version__
