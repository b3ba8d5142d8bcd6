"""Speech as text with times, by a faster-whisper model on disk; without one a note says what to install."""

import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from core.domain import Location
from core.ingest.limits import PATIENCE
from core.ingest.parsers.draft import Draft
from core.runtime.work_clock import WorkClock

_PASSAGE_LETTERS = 600  # letters from which a passage ends with its sentence
_PAUSE_SECONDS = 2.5  # seconds of silence that part passages


class SpokenPassage(NamedTuple):
    """A stretch of speech, in seconds from the start."""

    start: float
    end: float
    text: str


class SpeechLost(Exception):
    """Sound cannot be read here; the message says why and what helps."""


def transcribe(draft: Draft, path: Path, model: str, seconds: float) -> None:
    """Put what is said in a recording into the draft, or a note on why it could not be transcribed.

    `model` is the folder of a faster-whisper model, "" for none; what does not fit in `seconds` is left out.
    """
    try:
        clock = WorkClock(patience=PATIENCE)
        spoken: list[SpokenPassage] = []
        for stretch in _transcribed(path, model):
            spoken.append(stretch)
            if clock.seconds() > seconds:
                draft.skipped.append(
                    f"Its sound was transcribed up to second {stretch.end:.0f}: time was up."
                )
                break
    except SpeechLost as error:
        draft.skipped.append(f"Its sound was not transcribed: {error}")
        return
    for passage in passages(spoken):
        place = Location(seconds=(round(passage.start, 2), round(passage.end, 2)))
        draft.add("media", passage.text, place)
    if not spoken:
        draft.skipped.append("No speech was heard in its sound.")


def passages(spoken: Iterable[SpokenPassage]) -> Iterator[SpokenPassage]:
    """Join stretches of speech to passages: parted by a pause, or at a sentence's end once long enough."""
    pending: list[SpokenPassage] = []
    for stretch in spoken:
        if pending and (stretch.start - pending[-1].end > _PAUSE_SECONDS or _long_enough(pending)):
            yield _joined(pending)
            pending = []
        if stretch.text.strip():
            pending.append(stretch)
    if pending:
        yield _joined(pending)


def _long_enough(passages: list[SpokenPassage]) -> bool:
    letters = sum(len(passage.text) for passage in passages)
    return letters > 2 * _PASSAGE_LETTERS or (
        letters > _PASSAGE_LETTERS and passages[-1].text.rstrip().endswith((".", "!", "?", "。"))
    )


def _joined(passages: list[SpokenPassage]) -> SpokenPassage:
    return SpokenPassage(
        passages[0].start, passages[-1].end, " ".join(passage.text.strip() for passage in passages)
    )


def _transcribed(path: Path, model: str) -> Iterator[SpokenPassage]:
    """Yield what the model transcribes. Raises SpeechLost."""
    if not model:
        raise SpeechLost("no speech model is set (extra `audio`, STRATA_INGEST__AUDIO_MODEL).")
    if not (Path(model) / "model.bin").is_file():
        raise SpeechLost(f"{model} holds no faster-whisper model (STRATA_INGEST__AUDIO_MODEL).")
    try:
        whisper: Any = importlib.import_module("faster_whisper")
    except ImportError as error:
        raise SpeechLost("faster-whisper is not installed (`pip install strata[audio]`).") from error
    try:
        loaded = whisper.WhisperModel(model, device="cpu", compute_type="int8", local_files_only=True)
        segments, _ = loaded.transcribe(str(path), beam_size=1, condition_on_previous_text=False)
        for segment in segments:
            yield SpokenPassage(float(segment.start), float(segment.end), str(segment.text))
    except (RuntimeError, ValueError, OSError) as error:
        raise SpeechLost(f"the speech model failed ({' '.join(str(error).split())[:160]}).") from error
