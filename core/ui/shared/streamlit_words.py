"""What Streamlit itself says, in English only, and how the reader's language says it: for assets/language.js.

What is not among it, or reads differently in another release, stays English.
"""

from core.i18n.messages import DEFAULT, language, mark, say_plain

VALUE = "{}"  # what is in a text of Streamlit's, and is kept
_PHRASES = (
    mark("Upload"),
    mark("Upload directories"),
    mark("{value} per file"),
    mark("Drag and drop a file here"),
    mark("Drag and drop files here"),
    mark("Drag and drop directories here"),
    mark("file upload"),
    mark("Upload files"),
    mark("Send message"),
    mark("Chat message from user"),
    mark("Chat message from assistant"),
    mark("Feedback rating"),
    mark("Thumbs up"),
    mark("Thumbs down"),
    mark("Skip to main content"),
    mark("Main menu"),
    mark("System"),
    mark("Light"),
    mark("Dark"),
    mark("Stop"),
    mark("Connecting"),
    mark("Connection error"),
    mark("Sidebar"),
    mark("Collapse sidebar"),
    mark("Expand sidebar"),
    mark("Navigate to home page"),
    mark("Open"),
    mark("Close"),
    mark("Clear all"),
    mark("Clear value"),
    mark("No results"),
    mark("Help for {value}"),
    mark("Decrement"),
    mark("Add files"),
    mark("Remove {value}"),
    mark("Stop script"),
    mark("Running..."),
    mark("Notifications"),
    mark("Theme"),
    mark("Selected values"),
    mark("Previous month"),
    mark("Next month"),
    mark("Clear dates"),
    mark("Previous Result"),
    mark("Next Result"),
    mark("Close Search"),
    mark("Scroll tabs left"),
    mark("Scroll tabs right"),
    mark("Dataframe column menu"),
    mark("Copy column name"),
    mark("Button action menu"),
    mark("Increment"),
    mark("Clear selection"),
    mark("Show/hide columns"),
    mark("Search"),
    mark("Fullscreen"),
    mark("Close fullscreen"),
    mark("Copy to clipboard"),
    mark("Copied"),
    mark("Sort ascending"),
    mark("Sort descending"),
    mark("Autosize"),
    mark("Pin column"),
    mark("Unpin column"),
    mark("Hide column"),
    mark("Choose date range"),
    mark("year, {value}"),
    mark("month, {value}"),
    mark("day, {value}"),
    mark("{value} start date"),
    mark("{value} end date"),
    mark("Pagination"),
    mark("Previous page"),
    mark("Next page"),
    mark("Page {value}"),
)


_ABOUT = mark("About Strata")  # "About" alone is said of a text


def words() -> dict[str, str]:
    """Return what Streamlit says and how the reader's language says it; nothing where that is English."""
    if language() == DEFAULT:
        return {}
    phrases = {phrase.format(value=VALUE): say_plain(phrase, value=VALUE) for phrase in _PHRASES}
    return {**phrases, "About": say_plain(_ABOUT)}
