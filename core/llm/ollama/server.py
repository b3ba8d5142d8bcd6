"""What an Ollama server is and offers: its address, version, models, and fetching new ones."""

import threading
import time
from collections.abc import Iterator, Mapping
from typing import get_args
from urllib.parse import urlsplit

import httpx
import ollama
from pydantic import ValidationError

from core.errors import LLMError, LLMUnavailable, ModelMissing, SettingsError
from core.llm.ollama.stream import open_client, tls, translate
from core.ports import ModelInfo, PullProgress
from core.tasks import ModelRole

DEFAULT_PORT = 11434
REFRESH_SECONDS = 30.0  # seconds for which the list of models is taken as it is
PULL_GAP = 120.0  # seconds a download may stand still
RETRY_SECONDS = 5.0  # seconds for which a server that did not answer is taken to be away

_STRANGERS = (httpx.HTTPError, httpx.StreamError, ollama.ResponseError, OSError, ValueError, TypeError)
_EMBEDDING_FAMILIES = ("bert", "nomic-bert", "xlm-roberta")
_VISION_FAMILIES = frozenset({"clip", "mllama"})


def address(host: str) -> str:
    """Return OLLAMA_HOST as a URL, read as Ollama itself reads it. Raises SettingsError.

    No scheme means http, no port 11434 (80 or 443 after a scheme), and a server that listens on 0.0.0.0
    is reached at 127.0.0.1.
    """
    scheme, parted, rest = host.strip().partition("://")
    if not parted:
        scheme, rest = "http", host.strip()
    default = {"http": 80, "https": 443}.get(scheme.lower()) if parted else DEFAULT_PORT
    try:
        split = urlsplit(f"//{rest}")
        name, port = split.hostname or "127.0.0.1", split.port or default
    except ValueError as error:
        raise SettingsError(f"OLLAMA_HOST: {host!r} is not an address ({error}).") from error
    if default is None or split.username or split.query or split.fragment:
        raise SettingsError(
            f"OLLAMA_HOST: {host!r} is not an address of Ollama.",
            hint="Give it as http://HOST:PORT or https://HOST:PORT, nothing else.",
        )
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)
    shown = f"[{name}]" if ":" in name else name
    path = split.path.rstrip("/")
    return f"{scheme.lower()}://{shown}:{port}{path}"


class OllamaServer:
    """An Ollama server, asked and never assumed: every answer is at most half a minute old."""

    def __init__(self, host: str, connect_timeout: float = 5.0, timeout: float = 10.0) -> None:
        self.host = address(host)
        self._connect, self._read = connect_timeout, timeout
        self._lock = threading.Lock()
        self._models: tuple[float, list[ModelInfo] | LLMError] | None = None
        self._shown: dict[str, ModelInfo] = {}  # by digest

    def alive(self) -> bool:
        """Say whether Ollama answers there."""
        try:
            return self._get("/").status_code == httpx.codes.OK
        except LLMUnavailable:
            return False

    def version(self) -> str:
        """Return the server's version. Raises LLMUnavailable."""
        response = self._get("/api/version")
        try:
            return str(response.raise_for_status().json()["version"])
        except (httpx.HTTPStatusError, ValueError, KeyError, TypeError) as error:
            raise LLMUnavailable(
                f"What answers at {self.host} is not Ollama.",
                hint="Check that OLLAMA_HOST is the address of Ollama itself.",
            ) from error

    @property
    def known(self) -> bool:
        """Say whether the models were listed lately, so that asking for them does not wait."""
        listed = self._models
        return listed is not None and time.monotonic() <= listed[0]

    def models(self, *, fresh: bool = True) -> list[ModelInfo]:
        """Return the models that are there, newest first. Raises LLMError.

        Unless `fresh`, what was listed lately is taken, a failure too: it must not cost a timeout each time.
        """
        with self._lock:
            if fresh or not self._models or time.monotonic() > self._models[0]:
                self._models = self._listed()
            found = self._models[1]
        if isinstance(found, LLMError):
            raise found
        return found

    def running(self) -> dict[str, int]:
        """Return the models in memory with their live context windows in tokens. Raises LLMError."""
        try:
            with open_client(self.host, self._connect, self._read) as client:
                loaded = client.ps().models
        except _STRANGERS as error:
            raise translate(error, self.host, "") from error
        return {model.model or model.name or "": model.context_length or 0 for model in loaded}

    def digest(self, model: str) -> str:
        """Return the digest of a model, "" while it is not known."""
        try:
            found = self.find(model)
        except LLMError:
            return ""
        return found.digest if found else ""

    def find(self, model: str) -> ModelInfo | None:
        """Return the model of that name ("llama3.2" also names "llama3.2:latest"). Raises LLMError."""
        return next((one for one in self.models(fresh=False) if one.name in (model, f"{model}:latest")), None)

    def choose(self, wanted: Mapping[ModelRole, str]) -> dict[ModelRole, str]:
        """Return a model for every role: what is wanted, else what is there.

        Unset roles of text take the model set for `generation`, else the newest that can chat; `vision` takes
        the newest that can see and stays away where none can. Raises LLMError where nothing answers.
        """
        chosen = {role: wanted[role] for role in get_args(ModelRole) if wanted.get(role)}
        if len(chosen) == len(get_args(ModelRole)):
            return chosen
        there = self.models(fresh=False)
        talker = chosen.get("generation") or next((m.name for m in there if m.can("completion")), "")
        for role in get_args(ModelRole):
            able = (
                next((m.name for m in there if m.can("completion") and m.can("vision")), "")
                if role == "vision"
                else talker
            )
            if able:
                chosen.setdefault(role, able)
        return chosen

    def pull(self, model: str) -> Iterator[PullProgress]:
        """Fetch a model, telling how far it is; closing the generator cancels. Raises LLMError."""
        try:
            with open_client(self.host, self._connect, PULL_GAP) as client:
                done = False
                for step in client.pull(model, stream=True):
                    done = step.status == "success"
                    yield PullProgress(
                        status=step.status or "", done=step.completed or 0, total=step.total or 0
                    )
        except ollama.ResponseError as error:
            if "file does not exist" in error.error:
                raise ModelMissing(
                    f"There is no model called {model} to fetch.",
                    hint="Look for its name at ollama.com/library, for example qwen3:4b-instruct.",
                ) from error
            raise LLMError(
                f"{model} could not be fetched: {error.error}.",
                hint="Fetching needs the server to reach the registry; press Pull again to go on from here.",
            ) from error
        except _STRANGERS as error:
            raise translate(error, self.host, model) from error
        finally:
            with self._lock:
                self._models = None
        if not done:
            raise LLMUnavailable(
                f"Fetching {model} ended before it was done.", hint="Press Pull again: it goes on from here."
            )

    def _get(self, path: str) -> httpx.Response:
        timeout = httpx.Timeout(self._read, connect=self._connect)
        try:
            return httpx.get(self.host + path, timeout=timeout, verify=tls(), trust_env=False)
        except (httpx.HTTPError, OSError) as error:
            raise LLMUnavailable(f"Nothing answers at {self.host}.") from error

    def _listed(self) -> tuple[float, list[ModelInfo] | LLMError]:
        """Return what the server says and until when to believe it."""
        try:
            found: list[ModelInfo] | LLMError = self._list()
        except LLMError as error:
            found = error
        rest = RETRY_SECONDS if isinstance(found, LLMError) else REFRESH_SECONDS
        return time.monotonic() + rest, found

    def _list(self) -> list[ModelInfo]:
        try:
            with open_client(self.host, self._connect, self._read) as client:
                try:
                    listed = client.list().models
                except ValidationError:  # an empty server may leave the list out
                    return []
                return [self._show(client, one) for one in listed if one.model]
        except _STRANGERS as error:
            raise translate(error, self.host, "") from error

    def _show(self, client: ollama.Client, listed: ollama.ListResponse.Model) -> ModelInfo:
        name, digest = listed.model or "", listed.digest or ""
        if digest and digest in self._shown:
            return self._shown[digest].model_copy(update={"name": name})
        details = listed.details
        family = (details.family if details else "") or ""
        card = (family, details.parameter_size, details.quantization_level) if details else ()
        capabilities: tuple[str, ...] | None = None
        window = 0
        try:
            shown = client.show(name)
            capabilities = None if shown.capabilities is None else tuple(shown.capabilities)
            facts = shown.modelinfo or {}
            window = int(facts.get(f"{facts.get('general.architecture')}.context_length") or 0)
        except (ValidationError, ollama.ResponseError):
            capabilities = None  # an old server, or a model whose card cannot be read
        families = set((details.families if details else None) or ()) | {family}
        info = ModelInfo(
            name=name,
            size=int(listed.size or 0),
            details=" ".join(part for part in card if part),
            digest=digest,
            capabilities=_guess(name, families) if capabilities is None else capabilities,
            context_length=window,
        )
        if digest:
            self._shown[digest] = info
        return info


def _guess(name: str, families: set[str]) -> tuple[str, ...]:
    """Return what a model can most likely do, for servers that do not say."""
    if any(family in _EMBEDDING_FAMILIES for family in families) or "embed" in name.lower():
        return ("embedding",)
    return ("completion", "vision") if families & _VISION_FAMILIES else ("completion",)
