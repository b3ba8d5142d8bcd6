"""What a browser session holds: the shared assistant, the keys of session state and the address bar.

Nothing of value lives in session state: conversations, runs and jobs are in the library, and the address
names what is shown, so a reload, a new tab or a restart loses nothing.
"""

import logging
import platform
import traceback
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from urllib.parse import unquote

from core.accounts.person import Person, Right
from core.accounts.sign_in_policy import SignInPolicy
from core.assistant import Assistant
from core.bootstrap import build
from core.errors import NotFound, StrataError
from core.i18n import messages
from core.i18n.escaping import layout
from core.i18n.messages import t
from core.i18n.recorded_messages import translated
from core.settings import Settings
from core.ui.serving.login import HEADER
from core.ui.shared import st

# Names in the address bar.
RUN = "run"
CONVERSATION = "conversation"
DOCUMENT = "document"
CHUNK = "chunk"
NODE = "node"
VIEW = "view"
LEARN = "learn"
CHANGE = "change"
WITH = "with"  # the run to compare with
AT = "at"  # what is chosen in the run's tree
ASKED = "ask"

# Keys of session state, each written by the page named first.
QUESTION = "chat.question"
SCOPE_COLLECTIONS = "chat.collections"
SCOPE_DOCUMENTS = "chat.documents"
LEVEL = "chat.level"
ROLES = "chat.roles"
STRATEGY = "chat.strategy"
EFFORT = "chat.effort"
MODEL = "chat.model"
UPLOADS = "corpus.uploads"
COLLECTION = "corpus.collection"
MAPPING = "corpus.mapping"
MAPPING_TEXT = "corpus.mapping_text"
MAPPING_TURN = "corpus.mapping_turn"
SEARCH = "knowledge.search"
WAY = "knowledge.way"
TESTED = "knowledge.tested"

DRAFTS = "trace.drafts"
BENCH = "trace.bench"
SHARES = "trace.shares"

LANGUAGE = "language"  # the frame

_PAGES = Path(__file__).parents[3] / "pages"
CHAT = str(_PAGES / "chat.py")
CORPUS = str(_PAGES / "corpus.py")
KNOWLEDGE = str(_PAGES / "knowledge.py")
TRACE = str(_PAGES / "trace.py")
EVALUATION = str(_PAGES / "evaluation.py")
MODELS = str(_PAGES / "models.py")


@st.cache_resource(show_spinner=False)
def sign_in_policy() -> SignInPolicy:
    """Return what lets people in."""
    return SignInPolicy(Settings.load())


def person() -> Person:
    """Return who looks at the page, as the server found out before it. Raises NotAllowed, AccountError."""
    return sign_in_policy().person(unquote(st.context.headers.get(HEADER, "")))


@st.cache_resource(show_spinner=False, on_release=lambda assistant: assistant.close())
def whole() -> Assistant:
    """Return the one assistant of this process, shared by every session."""
    return build(Settings.load())


def assistant() -> Assistant:
    """Return the assistant as whoever looks at the page may use it. Raises NotAllowed, AccountError."""
    return whole().of(person())


def language() -> str:
    """Return the language the reader chose, else that of the browser, English where it names none."""
    return str(st.session_state.get(LANGUAGE) or messages.choose([st.context.locale or ""]))


messages.add_language_source(language)


def may(right: Right, *, whole: bool = False) -> bool:
    """Say whether whoever looks at the page may do it, to the whole library if asked so; pages leave out
    what a person may not do."""
    who = person()
    return who.may(right) and not (whole and sign_in_policy().book().hidden(who))


def param(name: str) -> str:
    """Return what the address says, or ""."""
    return st.query_params.get(name, "")


def go(**names: str) -> None:
    """Put these names into the address and drop all others."""
    st.query_params.from_dict({name: value for name, value in names.items() if value})


class Guard:
    """Shows what went wrong instead of a page that breaks: a known error with its hint, a bug as a report."""

    def __enter__(self) -> None:
        """Errors are waited for from here."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, StrataError):
            problem(error)
            return True
        if isinstance(error, Exception):
            _report(error)
            return True
        return False  # Streamlit's own Stop and Rerun are BaseExceptions and pass


def problem(error: StrataError) -> None:
    """Show a known error: what happened and what to do."""
    box = st.info if isinstance(error, NotFound) else st.error
    box(
        layout("**{what}**  \n{hint}", what=translated(str(error)), hint=translated(error.hint)),
        icon=":material/error:",
    )


def _report(error: Exception) -> None:
    logging.getLogger(__name__).error("a page failed", exc_info=error)
    st.error(
        t(
            "**Something went wrong in Strata itself.** Nothing that was stored is lost. "
            "Reload the page; if it happens again, copy this report to whoever looks after it."
        ),
        icon=":material/bug_report:",
    )
    heading = f"Strata {version('strata')}, Streamlit {st.__version__}, Python {platform.python_version()}"
    st.code(f"{heading}\n{''.join(traceback.format_exception(error))}", language=None, wrap_lines=True)
