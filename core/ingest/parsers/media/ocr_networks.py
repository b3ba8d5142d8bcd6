"""What runs RapidOCR's two networks, the one that finds lines of text and the one that reads them.

OpenVINO where it is installed and the processor computes in bfloat16 by itself: it then takes about
half the time, and differs from single precision only in what can hardly be read. Everywhere else ONNX
Runtime, which is the faster of the two in single precision. Both are safe for threads.
"""

import importlib.util
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import ParseError
from core.runtime.inference_runtime import openvino, openvino_core

THREADS = 2  # threads
Floats = NDArray[np.float32]
_Given = TypeVar("_Given")
_Got = TypeVar("_Got")


class Models(NamedTuple):
    """The networks' files."""

    finder: Path
    recogniser: Path


class OcrEngine(Protocol):
    """Runs both networks. Networks are loaded when they are first needed."""

    at_once: int  # pages that are best looked at side by side

    def find(self, page: Floats) -> Floats:
        """Return how likely each pixel (height, width) of a page (1, 3, height, width) is text."""
        ...

    def read(self, line: Floats) -> tuple[NDArray[np.int64], Floats]:
        """Return the likeliest class at each step along a line (1, 3, 48, width), and how likely it is.

        For the class that stands for nothing, and for one that continues the step before, it may be left
        at 0.
        """
        ...

    @property
    def characters(self) -> Callable[[], list[str]]:
        """The character of each class; the first is the blank."""
        ...


class OpenVino:
    """OpenVINO: two threads for a page, one for a line and two lines side by side."""

    at_once = 1

    def __init__(self, models: Models) -> None:
        self._core = openvino_core()
        self._models = models
        self._finder = _Once(self._load_finder)
        self._recogniser = _Once(self._load_recogniser)
        self.characters = _Once(self._load_characters)

    def gains(self) -> bool:
        """Say whether it would choose bfloat16 by itself, as it does where that is fast."""
        hint = self._core.get_property("CPU", "INFERENCE_PRECISION_HINT")
        return str(hint.to_string()) == "bf16"

    def load(self) -> None:
        """Load both networks. Raises RuntimeError where this processor cannot run them after all."""
        self._finder()
        self._recogniser()

    def find(self, page: Floats) -> Floats:
        return self._run(self._finder(), page, lambda found: found[0].copy())

    def read(self, line: Floats) -> tuple[NDArray[np.int64], Floats]:
        return self._run(self._recogniser(), line, _best)

    def _load_characters(self) -> list[str]:
        framework = self._core.read_model(self._models.recogniser).get_rt_info()["framework"]
        return _classes(str(framework["character"].value))

    @staticmethod
    def _run(requests: "SimpleQueue[Any]", inputs: Floats, take: Callable[[Floats], _Got]) -> _Got:
        """Return what is taken out of the network's answer, which the next run overwrites."""
        request = requests.get()
        try:
            request.infer([inputs], share_inputs=True)
            return take(request.output_tensors[0].data[0])
        finally:
            requests.put(request)

    def _load_finder(self) -> "SimpleQueue[Any]":
        return self._compiled(self._core.read_model(self._models.finder), 1)

    def _load_recogniser(self) -> "SimpleQueue[Any]":
        """Load the recogniser without its last step, which makes probabilities out of 18,000 marks a step."""
        whole = self._core.read_model(self._models.recogniser)
        last = whole.outputs[0].get_node().input_value(0).get_node()
        assert last.get_type_name() == "Softmax", last
        marks = openvino().Model([last.input_value(0)], whole.get_parameters(), "recogniser")
        return self._compiled(marks, THREADS)

    def _compiled(self, model: Any, streams: int) -> "SimpleQueue[Any]":
        own = {
            "INFERENCE_PRECISION_HINT": "bf16" if self.gains() else "f32",
            "INFERENCE_NUM_THREADS": THREADS,
            "NUM_STREAMS": streams,
            "ENABLE_CPU_PINNING": False,
        }
        compiled = self._core.compile_model(model, "CPU", own)
        requests: SimpleQueue[Any] = SimpleQueue()
        for _ in range(streams):
            requests.put(compiled.create_infer_request())
        return requests


def _best(marks: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return the class with the highest mark at each step and its probability, 0 where it is nothing new.

    Most steps are: the probabilities of 18,000 classes are not worked out for them.
    """
    best = marks.argmax(axis=1)
    likely = np.zeros(len(best), dtype=np.float32)
    for step in np.flatnonzero(new_in(best)):
        likely[step] = 1 / np.exp(marks[step] - marks[step, best[step]]).sum()
    return best, likely


def new_in(classes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the steps with a new class: neither the blank nor the class of the step before."""
    new = classes > 0
    new[1:] &= classes[1:] != classes[:-1]
    return new


class OnnxRuntime:
    """ONNX Runtime: one thread for a page or a line, and two of them side by side."""

    at_once = THREADS

    def __init__(self, models: Models) -> None:
        import onnxruntime

        own = onnxruntime.SessionOptions()
        own.log_severity_level = 4
        own.intra_op_num_threads = 1
        own.enable_cpu_mem_arena = False  # 300 MB for a twenty-fifth of the time

        def loaded(model: Path) -> Any:
            return onnxruntime.InferenceSession(str(model), own, providers=["CPUExecutionProvider"])

        self._finder = _Once(lambda: loaded(models.finder))
        self._recogniser = _Once(lambda: loaded(models.recogniser))
        self.characters = _Once(self._load_characters)

    def find(self, page: Floats) -> Floats:
        return np.asarray(self._run(self._finder(), page)[0, 0], dtype=np.float32)

    def read(self, line: Floats) -> tuple[NDArray[np.int64], Floats]:
        classes = self._run(self._recogniser(), line)[0]
        best = classes.argmax(axis=1)
        return best, np.take_along_axis(classes, best[:, None], axis=1)[:, 0]

    def _load_characters(self) -> list[str]:
        return _classes(self._recogniser().get_modelmeta().custom_metadata_map["character"])

    @staticmethod
    def _run(session: Any, inputs: Floats) -> Floats:
        (found,) = session.run(None, {session.get_inputs()[0].name: inputs})
        return np.asarray(found)


class _Once(Generic[_Got]):
    """Makes something when it is first asked for, whoever asks at the same time."""

    def __init__(self, make: Callable[[], _Got]) -> None:
        self._make = make
        self._made: _Got | None = None
        self._lock = Lock()

    def __call__(self) -> _Got:
        with self._lock:
            if self._made is None:
                self._made = self._make()
        return self._made


def _classes(characters: str) -> list[str]:
    """Return the classes of a recogniser whose file holds these characters, a line each."""
    return ["", *characters.splitlines(), " "]


def models() -> Models:
    """Return where RapidOCR keeps its networks, without loading it. Raises ParseError where it is not."""
    found = importlib.util.find_spec("rapidocr")
    for folder in found.submodule_search_locations or () if found else ():
        finders, recognisers = (
            sorted(Path(folder, "models").glob(f"*_{kind}_*.onnx")) for kind in ("det", "rec")
        )
        if finders and recognisers:
            return Models(finders[-1], recognisers[-1])
    raise ParseError(
        "Pictures cannot be read: RapidOCR is not installed.",
        hint="Install it with `pip install rapidocr onnxruntime`.",
    )


@lru_cache(maxsize=1)
def best_engine() -> OcrEngine:
    """Return the faster engine of those that are installed. Raises ParseError where there is none."""
    with suppress(ImportError, RuntimeError):  # it is not for this system, or not for its processor
        fast = OpenVino(models())
        if fast.gains():
            fast.load()
            return fast
    try:
        return OnnxRuntime(models())
    except ImportError as error:
        raise ParseError(
            "Pictures cannot be read: ONNX Runtime is not installed.",
            hint="Install it with `pip install onnxruntime`.",
        ) from error


def side_by_side(
    do: Callable[[_Given], _Got], items: Iterable[_Given], workers: int = THREADS
) -> Iterator[_Got]:
    """Yield the result of each, in order, as soon as it is ready; `workers` are computed at a time."""
    return map(do, items) if workers == 1 else pool().map(do, items)


@lru_cache(maxsize=1)
def pool() -> ThreadPoolExecutor:
    """Return the threads that pictures are read in."""
    return ThreadPoolExecutor(THREADS, thread_name_prefix="ocr")
