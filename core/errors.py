"""Every error a reader may see, as one tree of exceptions.

StrataError                     message, hint for the reader, retryable
├── SettingsError               a knob is wrong or contradicts another
├── ParseError                  a file gave no document
│   ├── UnsupportedFormat       no parser for what the bytes are
│   ├── EncryptedFile           a password is needed
│   ├── EmptyFile               nothing in it
│   ├── DamagedFile             nothing in it can be read, or it is not what its name says
│   ├── MappingError            a CIM mapping cannot be used
│   └── LimitExceeded           time, memory, pages, pixels or nesting
├── KnowledgeError              the store could not be read or written
│   ├── LibraryBusy             another process owns the data folder
│   ├── DiskFull                no room left
│   ├── Unwritable              no right to write there
│   ├── Unlockable              locks fail in the library's folder
│   ├── ServerAway              the Chroma server does not answer
│   └── NotFound                no such document, run, job or table
├── AccountError                an account cannot be read, made or changed
├── NotAllowed                  the person's role does not allow it
├── ClusterError                the Dask cluster does not answer
├── QueryError                  a table query was refused or failed
├── LLMError                    a model did not do its task
│   ├── LLMUnavailable          nothing answers at the address
│   │   └── LLMInterrupted      it is there, but this reply was refused or broke off
│   ├── ModelMissing            the server does not have the model
│   ├── LLMTimeout              it went silent
│   └── MalformedReply          it answered, but not what was asked
├── ForecastError               a series could not be forecast
├── TrainingError               training data, a run or an adapter cannot be used
├── FeedbackError               feedback that says nothing, or the opposite of what was said before
├── QuestionError               the question cannot be asked (empty, too long)
├── BudgetExceeded              calls, tokens or seconds of the run are used up
└── Stopped                     the user stopped the run

A wrong argument in our own code is a ValueError; "nothing in the library answers this" is a
Report, not an error.
"""


def mark(message: str) -> str:
    """Mark a message for the catalogues and return it unchanged; it is translated where it is shown."""
    return message


class StrataError(Exception):
    """Base of every error a reader may see."""

    hint: str = mark("Look at the message above; `strata doctor` tells what is missing.")
    retryable: bool = False
    passing: bool = False  # a service is away: what came upon it resumes by itself when the service is back

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint


class SettingsError(StrataError):
    hint = mark("Run `strata doctor`: it prints the effective settings and the names it does not know.")


class ParseError(StrataError):
    hint = mark("Open the file with the program that made it and save it again, then add it once more.")


class UnsupportedFormat(ParseError):
    hint = mark("Convert it to PDF, Office, HTML, CSV or plain text, then add it once more.")


class EncryptedFile(ParseError):
    hint = mark("Remove the password in the program that set it, save a copy and add that.")


class EmptyFile(ParseError):
    hint = mark("The file has no content; check that the copy or export was complete.")


class DamagedFile(ParseError):
    """Nothing in the file can be read, or it is not what its name says."""


class MappingError(ParseError):
    hint = mark("Mend the mapping at that line; the README shows a whole one.")


class LimitExceeded(ParseError):
    hint = mark("Split the file, or raise the limit under STRATA_INGEST__ (see `strata doctor`).")


class KnowledgeError(StrataError):
    hint = mark("Run `strata doctor --repair`: it compares the stores and mends what differs.")


class LibraryBusy(KnowledgeError):
    hint = mark("Close that one and try again, or set STRATA_STORE__PATH to another folder.")
    retryable = True


class DiskFull(KnowledgeError):
    hint = mark("Free some disk space and press Retry; nothing that was stored is lost.")
    retryable = True


class Unwritable(KnowledgeError):
    hint = mark(
        "Give yourself the right to write there, or set STRATA_STORE__PATH to another folder; "
        "`strata doctor` reads it as it is."
    )


class Unlockable(KnowledgeError):
    hint = mark(
        "A library needs a disk of this machine: network folders without locks lose data. "
        "Set STRATA_STORE__PATH to one, and copy the library there."
    )


class ServerAway(KnowledgeError):
    hint = mark(
        "Start it again, or see whether its address (STRATA_STORE__CHROMA_URL) is right; nothing is lost."
    )
    retryable = True
    passing = True


class NotFound(KnowledgeError):
    hint = mark("It may have been deleted; reload the page or list what there is.")


class AccountError(StrataError):
    hint = mark("`strata accounts list` lists the accounts there are.")


class NotAllowed(StrataError):
    hint = mark("Ask an admin of this library: `strata accounts list` names them.")


class ClusterError(StrataError):
    hint = mark(
        "Start one with `dask scheduler` and `dask worker ADDRESS`, or unset STRATA_SCALE__DASK to work on "
        "this machine."
    )
    retryable = True
    passing = True


class QueryError(StrataError):
    hint = mark("Only a single read-only SELECT over the library's tables is run.")


class LLMError(StrataError):
    hint = mark("The built-in engine answers meanwhile. `strata doctor` shows what the model server offers.")
    failed: int = 0  # conversations with the server that came to nothing


class LLMUnavailable(LLMError):
    hint = mark("Start it with `ollama serve`, or unset OLLAMA_HOST to work with the built-in engine.")
    retryable = True


class LLMInterrupted(LLMUnavailable):
    hint = mark("The server was busy or its model stopped; its own log says why. Ask again in a moment.")


class ModelMissing(LLMError):
    hint = mark("Get it with `ollama pull MODEL`, or choose one that is there on the Models page.")


class LLMTimeout(LLMError):
    hint = mark("The model went silent. Use a smaller one, or raise STRATA_LLM__GAP_TIMEOUT.")
    retryable = True


class MalformedReply(LLMError):
    hint = mark("The model did not keep to the form asked for; a larger or instruction-tuned model helps.")
    retryable = True


class ForecastError(StrataError):
    hint = mark("Give more points, or ask for another grouping of the data.")


class TrainingError(StrataError):
    hint = mark(
        "`strata train runs` shows what there is; `strata train resume RUN` goes on with an interrupted run."
    )


class FeedbackError(StrataError):
    hint = mark("Say right, wrong, or corrected together with what it should have said.")


class QuestionError(StrataError):
    hint = mark("Ask one question in words, up to 10,000 characters.")


class BudgetExceeded(StrataError):
    hint = mark("Raise STRATA_BUDGET__CALLS, __TOKENS or __SECONDS, or ask for less at once.")


class Stopped(StrataError):
    hint = mark("Ask again to start over; what was found so far is in the trace.")
