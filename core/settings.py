"""Every knob, typed, prefix STRATA_, from the environment or a file `.env` beside `app.py`.

Read by bootstrap, the terminal, the sign-in page and doctor; nothing is read on import.
"""

import os
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings import SettingsError as UnreadSource

from core.errors import SettingsError, mark

ENV_FILE = Path(__file__).parent.parent / ".env"  # not that of the working folder, which may be a stranger's
LOOPBACK = ("127.0.0.1", "localhost", "::1")  # the names under which only this machine reaches itself


class Group(BaseModel):
    """A group of settings: frozen, and without names it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class StoreSettings(Group):
    path: Path = Field(default=Path("data"), description="the library's folder; one process owns it")
    chroma_url: str | None = Field(
        default=None, description="a Chroma server to keep the vectors in, for more than one machine"
    )


class LLMSettings(Group):
    backend: Literal["auto", "ollama", "built-in"] = Field(
        default="auto", description="auto: Ollama where a host is set"
    )
    host: str | None = Field(
        default=None, description="Ollama's address; OLLAMA_HOST is read where this is unset"
    )
    routing: str | None = Field(
        default=None, description="small model for routing and planning; unset: the first chat model"
    )
    extraction: str | None = Field(default=None, description="model that enriches and reviews")
    generation: str | None = Field(default=None, description="model that writes answers")
    vision: str | None = Field(default=None, description="model that describes pictures")
    decomposer: str | None = Field(
        default=None, description="trained decomposer: an Ollama model, or the folder of an adapter"
    )
    num_ctx: int = Field(
        default=8192, ge=512, description="context window asked for, the same for every call"
    )
    num_predict: int = Field(default=1024, ge=16, description="longest reply in tokens")
    temperature: float = Field(default=0.0, ge=0, description="of sampling; 0 is greedy")
    seed: int = Field(default=7, description="of sampling, the same for every call")
    keep_alive: str = Field(
        default="30m", description="how long Ollama keeps a model loaded, as it writes it"
    )
    connect_timeout: float = Field(default=5.0, gt=0, description="seconds")
    load_timeout: float = Field(default=300.0, gt=0, description="seconds until the first piece of a reply")
    gap_timeout: float = Field(default=90.0, gt=0, description="seconds between two pieces of a reply")
    parallel: int = Field(default=2, ge=1, description="calls at once (OLLAMA_NUM_PARALLEL of the server)")
    retries: int = Field(
        default=1, ge=0, description="further tries of a call to a server that was away for a moment"
    )
    cooldown: float = Field(
        default=15.0, ge=0, description="seconds a server that is away or silent is left alone"
    )


class EmbeddingSettings(Group):
    backend: Literal["packaged", "sentence-transformers", "ollama"] = Field(
        default="packaged", description="what computes vectors; a change re-embeds the library"
    )
    model: str | None = Field(default=None, description="model id or path, for the other two backends")
    batch: int = Field(default=32, ge=1, description="texts embedded at once")


class RerankSettings(Group):
    backend: Literal["late-interaction", "learnt-path", "cross-encoder", "none"] = Field(
        default="late-interaction", description="what orders the candidates of both legs"
    )
    model: str | None = Field(default=None, description="cross-encoder's id or path")


class IngestSettings(Group):
    target_tokens: int = Field(default=160, ge=16, description="length a chunk is packed to")
    max_tokens: int = Field(default=250, ge=32, description="never over the embedder's window")
    seconds: float = Field(default=120.0, gt=0, description="longest a parser may work on one file")
    memory_mb: int = Field(default=2048, ge=128, description="most memory a parser may take")
    output_mb: int = Field(default=256, ge=1, description="largest result a parser may give")
    file_mb: int = Field(default=512, ge=1, description="largest file that is read")
    pages: int = Field(default=3000, ge=1, description="most pages of a PDF")
    ocr_pages: int = Field(default=40, ge=0, description="pictures and scanned pages of a file that are read")
    frames: int = Field(default=60, ge=1, description="scenes of a video that are looked at")
    described: int = Field(
        default=8, ge=0, description="pictures of a file the vision model describes, where one is set"
    )
    audio_model: Path | None = Field(
        default=None, description="folder of a faster-whisper model, to transcribe speech (extra `audio`)"
    )
    pixels: int = Field(default=100_000_000, ge=1, description="largest picture that is opened")
    unpacked_mb: int = Field(
        default=1024, ge=1, description="most an archive may unpack to, and LibreOffice may write over a file"
    )
    nesting: int = Field(default=4, ge=1, description="archives within archives")
    workers: int = Field(default=2, ge=1, description="parsers at once")
    enrich: bool = Field(
        default=False, description="a model enriches every collection at leisure, not only those switched on"
    )


class ScaleSettings(Group):
    dask: str | None = Field(
        default=None,
        description="address of a Dask scheduler; files are read and enriched there (extra `scale`)",
    )
    at_once: int = Field(default=16, ge=1, description="files on the cluster at the same time")


class RetrievalSettings(Group):
    candidates: int = Field(default=10, ge=1, description="per leg, before reranking")
    keyword: int = Field(default=3, ge=0, description="best of the keyword leg that are always kept")
    semantic: int = Field(default=3, ge=0, description="best of the semantic leg that are always kept")
    reranked: int = Field(default=3, ge=0, description="best of both after reranking")
    damping: float = Field(default=0.8, gt=0, lt=1, description="of the personalised PageRank")
    min_cosine: float = Field(
        default=0.25,
        description="bar of the confidence of a search, a cosine; higher is stricter",
    )
    evidence: int = Field(default=12, ge=1, description="passages handed to synthesis")
    reading: int = Field(
        default=1100, ge=200, description="tokens of them a model reads in quick and balanced effort"
    )
    feedback_weight: float = Field(
        default=0.1, ge=0, le=0.5, description="most a passage moves by what readers said of it"
    )


class LoopSettings(Group):
    rounds: int = Field(default=5, ge=1, description="N of Algorithm 1: most rounds of the loop")
    proposals: int = Field(default=3, ge=1, description="atomic questions proposed a round")
    top_k: int = Field(default=4, ge=1, description="K of Algorithm 1: candidates per proposal")
    threshold: float = Field(default=0.4, description="delta of Algorithm 1")
    exploration: float = Field(default=0.2, ge=0, description="c of UCB")
    wide_k: int = Field(default=12, ge=2, description="K' of Algorithm 2, over top_k: for trajectories only")
    wide_threshold: float = Field(default=0.25, description="delta' of Algorithm 2, under threshold")


class PlanSettings(Group):
    most: int = Field(default=5, ge=1, le=5, description="parts that a question is split into, at most")
    second_round: bool = Field(default=True, description="one more search where the answer leaves a gap")
    effort: Literal["quick", "balanced", "thorough"] = Field(
        default="balanced", description="what reading and answering a question may cost, where none is chosen"
    )
    examples: int = Field(default=3, ge=1, description="accepted plans shown to a model, the nearest first")


class TrainSettings(Group):
    learning_rate: float = Field(default=1.5e-5, gt=0, description="as in PIKE-RAG")
    seeds: tuple[int, ...] = Field(
        default=(11, 23, 47), min_length=1, description="a model is trained for each"
    )
    epochs: float = Field(default=3.0, gt=0, description="passes over the training data")
    batch: int = Field(default=2, ge=1, description="samples at once, per device")
    accumulate: int = Field(default=8, ge=1, description="batches between two updates")
    warmup: float = Field(default=0.03, ge=0, lt=1, description="share of the steps the rate rises in")
    schedule: Literal["linear", "cosine", "constant", "constant_with_warmup"] = Field(
        default="cosine", description="of the learning rate"
    )
    weight_decay: float = Field(default=0.0, ge=0, description="of AdamW")
    max_grad_norm: float = Field(default=1.0, gt=0, description="gradients are clipped to this norm")
    max_length: int = Field(default=4096, ge=64, description="tokens of a sample; longer ones are refused")
    rank: int = Field(default=16, ge=0, description="r of LoRA; 0 trains every weight of the model")
    alpha: int = Field(default=32, ge=1, description="alpha of LoRA")
    dropout: float = Field(default=0.05, ge=0, lt=1, description="of LoRA")
    modules: tuple[str, ...] = Field(
        default=(), description="layers with an adapter; none: every linear layer"
    )
    beta: float = Field(default=0.1, gt=0, description="of DPO")
    log_steps: int = Field(default=5, ge=1, description="steps between two lines of the log")
    save_steps: int = Field(default=25, ge=1, description="steps between two checkpoints")
    eval_steps: int = Field(default=25, ge=1, description="steps between two looks at the held-out data")
    checkpoints: int = Field(default=2, ge=1, description="kept per seed")
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        default="auto", description="auto: bfloat16 on a GPU that has it, else float32"
    )
    recompute: bool = Field(default=False, description="gradient checkpointing: less memory, more time")


class BudgetSettings(Group):
    calls: int = Field(default=60, ge=1, description="most calls to a model for one question")
    tokens: int = Field(default=200_000, ge=1, description="most tokens in and out for one question")
    seconds: float = Field(default=600.0, gt=0, description="longest one question may take")


class AccountSettings(Group):
    mode: Literal["auto", "on", "off"] = Field(
        default="auto", description="auto: people sign in where the library has accounts"
    )
    idle_minutes: float = Field(default=120.0, gt=0, description="a session that is not used ends")
    longest_hours: float = Field(default=12.0, gt=0, description="a session ends, used or not")
    openid_metadata: str | None = Field(
        default=None, description="…/.well-known/openid-configuration of a provider to sign in at"
    )
    openid_client_id: str = Field(default="", description="the provider's name for this application")
    openid_client_secret: SecretStr | None = Field(default=None, description="the secret that goes with it")
    openid_scope: str = Field(default="openid email profile", description="what the provider is asked for")
    openid_label: str = Field(default="", description="the provider's name on the button to sign in")
    openid_claim: str = Field(default="email", description="the claim that is the account's name")
    openid_groups: str | None = Field(default=None, description="the claim that lists a person's groups")
    openid_role: Literal["reader", "editor", "admin"] | None = Field(
        default=None, description="role of people who have no account yet; unset: they are refused"
    )
    openid_address: str | None = Field(
        default=None, description="https://… under which people reach Strata, where a proxy stands before it"
    )


class Settings(BaseSettings):
    """The whole tree. `Settings.load()` turns a wrong value into a SettingsError."""

    model_config = SettingsConfigDict(
        env_prefix="STRATA_", env_nested_delimiter="__", env_file=ENV_FILE, frozen=True, extra="ignore"
    )

    store: StoreSettings = StoreSettings()
    llm: LLMSettings = LLMSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    rerank: RerankSettings = RerankSettings()
    ingest: IngestSettings = IngestSettings()
    scale: ScaleSettings = ScaleSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    loop: LoopSettings = LoopSettings()
    plan: PlanSettings = PlanSettings()
    train: TrainSettings = TrainSettings()
    budget: BudgetSettings = BudgetSettings()
    accounts: AccountSettings = AccountSettings()

    @classmethod
    def load(cls) -> "Settings":
        """Read the environment. Raises SettingsError with the name of the first setting that is wrong."""
        try:
            return cls()
        except ValidationError as error:
            first = error.errors()[0]
            knob = "STRATA_" + "__".join(str(part) for part in first["loc"]).upper()
            hint = mark("Correct or unset it, in the environment or in the file `.env` beside `app.py`.")
            raise SettingsError(f"{knob}: {first['msg']}", hint=hint) from error
        except UnreadSource as error:
            hint = mark("A group is set by its parts, as in STRATA_STORE__PATH; a list is written as JSON.")
            raise SettingsError(str(error), hint=hint) from error
        except UnicodeDecodeError as error:
            hint = mark("Save it as UTF-8.")
            raise SettingsError(f"{cls.model_config['env_file']}: {error}", hint=hint) from error

    def ollama_host(self) -> str | None:
        """Return the address of Ollama, or None to work without a model."""
        if self.llm.backend == "built-in":
            return None
        host = self.llm.host or os.environ.get("OLLAMA_HOST")
        return host or ("http://127.0.0.1:11434" if self.llm.backend == "ollama" else None)


def unknown_names() -> list[str]:
    """Return the STRATA_ names of the environment that no setting answers to."""
    known = {"STRATA_BENCH_DATA"}
    for group, field in Settings.model_fields.items():
        known |= {f"STRATA_{group.upper()}__{knob.upper()}" for knob in field.annotation.model_fields}  # type: ignore[union-attr]
    return sorted(name for name in os.environ if name.startswith("STRATA_") and name.upper() not in known)
