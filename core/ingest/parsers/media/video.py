"""Video: what can be read in its pictures, scene by scene, and its subtitles, both with their time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.domain import Location, Parsed
from core.errors import DamagedFile
from core.ingest.limits import PATIENCE
from core.ingest.parsers.draft import Draft
from core.ingest.parsers.media.legibility import note_illegible
from core.ingest.parsers.media.mp4_boxes import missing_index
from core.ingest.parsers.media.ocr import PictureOcr, shown
from core.ingest.parsers.media.scenes import SIDE_PIXELS, Grey, differs, thinned
from core.ingest.parsers.media.speech import transcribe
from core.ingest.parsers.skipped_parts import Part
from core.runtime.work_clock import WorkClock

if TYPE_CHECKING:
    from PIL.Image import Image

_SHORT_SECONDS = 90.0  # seconds; of a longer recording only key frames are decoded
_SCENE_STEP_SECONDS = 0.4  # seconds from one scene to the next
_MOST_TORN = 1000  # packets that cannot be decoded
_DATES = ("creationdate", "creation_time", "date")
_CONTAINER_TAGS = frozenset(
    {"major_brand", "minor_version", "compatible_brands", *_DATES, "encoder", "duration"}
)
_DOMAIN = re.compile(r"^(?:com|org|net)\.[a-z0-9]+\.(?:quicktime\.)?")
_STYLE = re.compile(r"<[^>]+>|\{\\[^}]*\}")
_IN_BOXES = ("video/mp4", "video/quicktime", "audio/mp4")
_TEXTUAL = ("subrip", "srt", "ass", "ssa", "mov_text", "webvtt", "text")


class _Scene(NamedTuple):
    """A picture and the second it is first seen."""

    second: float
    picture: "Image"


@dataclass(frozen=True)
class VideoParser:
    """Reads .mp4, .avi, .mov, .mkv, .webm, .flv and sound through PyAV; speech where a model is on disk."""

    frames: int = 60
    ocr_seconds: float = 60.0
    pixels: int = 100_000_000
    pictures: int = 0  # to be described
    audio_model: str = ""  # folder of the model that transcribes
    media_types: tuple[str, ...] = (
        "video/mp4",
        "video/x-msvideo",
        "video/quicktime",
        "video/x-matroska",
        "video/webm",
        "video/x-flv",
        "audio/mpeg",
        "audio/mp4",
        "audio/wav",
        "audio/ogg",
        "audio/flac",
    )

    def parse(self, path: Path, name: str, media_type: str) -> Parsed:
        import av

        draft = Draft(name, media_type)
        if media_type in _IN_BOXES and (why := missing_index(path)):
            raise DamagedFile(
                f"{name} cannot be read: {why}, and without it no picture or sound can be found."
            )
        try:
            with av.open(str(path), metadata_errors="ignore") as container:
                length = float(container.duration or 0) / 1_000_000
                _about(draft, container, length)
                sound = bool(container.streams.audio)
                if container.streams.video or not sound:
                    with Part(draft, "A part of its pictures"):
                        self._pictures(draft, container, length)
            with (
                Part(draft, "A part of its subtitles"),
                av.open(str(path), metadata_errors="ignore") as container,
            ):
                _subtitles(draft, container)
        except av.FFmpegError as error:
            raise DamagedFile(
                f"{name} is a damaged or unknown recording ({error.strerror or error})."
            ) from error
        if sound:
            with Part(draft, "A part of its sound"):
                transcribe(draft, path, self.audio_model, self.ocr_seconds)
        return draft.parsed()

    def _pictures(self, draft: Draft, container: Any, length: float) -> None:
        if not container.streams.video:
            draft.skipped.append("It holds neither pictures nor sound.")
            return
        torn: list[float] = []
        scenes: list[_Scene] = []
        if container.streams.video[0].codec_context is not None:  # else what says how to decode is damaged
            scenes = _scenes(container, self.frames, self.ocr_seconds / 2, torn)
        if not scenes:
            draft.lost("None of its pictures could be decoded.")
        elif torn:
            draft.skipped.append(f"Its pictures are damaged from second {torn[0]:.1f} on, in part or wholly.")
        picture_ocr = PictureOcr(self.frames, self.pixels, self.ocr_seconds)
        described = _spread(len(scenes), self.pictures)
        before, read_any = "", False
        for index, scene in enumerate(scenes):
            end = scenes[index + 1].second if index + 1 < len(scenes) else max(length, scene.second)
            place = Location(seconds=(round(scene.second, 2), round(end, 2)))
            if index in described:
                draft.pictures.append(
                    shown(scene.picture, f"{Path(draft.name).stem}, scene {index + 1}", place)
                )
            text = "\n".join(line.text for line in picture_ocr.lines_of(scene.picture))
            if text and text != before:
                draft.add("media", text, place)
                read_any = True
            before = text or before
        count, unread = len(scenes), picture_ocr.unread
        draft.skipped.append("1 scene was looked at." if count == 1 else f"{count} scenes were looked at.")
        if unread:
            draft.skipped.append(f"Scenes whose text was not read, since the limit was reached: {unread}.")
        note_illegible(draft, picture_ocr.illegible)
        if count > unread and not read_any:
            draft.skipped.append("No text could be read in its scenes.")


def _spread(count: int, most: int) -> set[int]:
    """Return `most` of `count` places at most, evenly spread."""
    if count <= most:
        return set(range(count))
    return {round(i * (count - 1) / max(1, most - 1)) for i in range(most)}


def _about(draft: Draft, container: Any, length: float) -> None:
    tags = {str(key).lower(): str(value) for key, value in container.metadata.items()}
    own = {_DOMAIN.sub("", key): value for key, value in tags.items()}
    draft.title = own.get("title", "")
    draft.date = next((own[key][:10] for key in _DATES if key in own), "")
    named_tags = {name: value for key, value in tags.items() if (name := _spoken_tag(key))}
    draft.metadata.update(named_tags)
    kinds = [
        f"{stream.type} ({stream.codec_context.name})" for stream in container.streams if stream.codec_context
    ]
    facts = [f"Length: {length:.0f} s" if length else "", f"Streams: {', '.join(kinds)}" if kinds else ""]
    facts += [f"{name.capitalize()}: {value}" for name, value in named_tags.items()]
    draft.heading(draft.title or Path(draft.name).stem, 1)
    draft.add("media", "\n".join(filter(None, facts)), Location(seconds=(0.0, round(length, 2))))


def _spoken_tag(key: str) -> str:
    """Return what a tag is called without its maker's domain, "" for one of the container itself."""
    if key in _CONTAINER_TAGS:
        return ""
    return _DOMAIN.sub("", key).replace(".", " ").replace("_", " ").replace("-", " ").strip()


def _scenes(container: Any, most: int, seconds: float, torn: list[float]) -> list[_Scene]:
    """Return the pictures at which something new is seen, `most` at most, spread over the length.

    In a short recording pictures a moment apart are compared, for key frames may be rare; after `seconds`,
    and in a long one, only key frames are decoded.
    """
    stream = container.streams.video[0]
    length = float(container.duration or 0) / 1_000_000
    clock = WorkClock(patience=PATIENCE)
    context = stream.codec_context
    context.skip_frame = "NONKEY" if length > _SHORT_SECONDS else "DEFAULT"
    scenes: list[_Scene] = []
    before: Grey | None = None
    for frame in _frames(container, stream, torn):
        second = float(frame.time or 0.0)
        if clock.seconds() > seconds:
            context.skip_frame = "NONKEY"
        if scenes and 0 <= second - scenes[-1].second < _SCENE_STEP_SECONDS:
            continue
        grey = frame.reformat(width=SIDE_PIXELS, height=SIDE_PIXELS, format="gray").to_ndarray() / np.float32(
            255
        )
        if before is None or differs(grey, before):
            scenes.append(_Scene(second, frame.to_image()))
            before = grey
            if len(scenes) >= 2 * most:
                scenes = _spread_out(scenes, most)
    return _spread_out(scenes, most)


def _frames(container: Any, stream: Any, torn: list[float]) -> Iterator[Any]:
    """Yield the pictures of a recording that can be decoded; `torn` gets the seconds of those that cannot."""
    import av

    packets = container.demux(stream)
    second = 0.0
    while True:
        try:
            packet = next(packets, None)
            if packet is None:
                return
            if packet.pts is not None and packet.time_base is not None:
                second = float(packet.pts * packet.time_base)
            if packet.is_corrupt:
                torn.append(second)
            for frame in packet.decode():
                if frame.is_corrupt:
                    torn.append(second)
                yield frame
        except av.EOFError:
            return
        except av.FFmpegError:
            torn.append(second)
            if len(torn) > _MOST_TORN:
                return


def _spread_out(scenes: list[_Scene], most: int) -> list[_Scene]:
    return thinned(scenes, [scene.second for scene in scenes], most)


def _subtitles(draft: Draft, container: Any) -> None:
    for stream in container.streams.subtitles:
        if stream.codec_context.name not in _TEXTUAL:
            draft.skipped.append(
                f"Subtitles in the picture format {stream.codec_context.name} were not read."
            )
            continue
        for packet in container.demux(stream):
            if packet.pts is None or packet.time_base is None:
                continue
            start = float(packet.pts * packet.time_base)
            end = start + float((packet.duration or 0) * packet.time_base)
            for text in _spoken(packet):
                draft.add("media", text, Location(seconds=(round(start, 2), round(end, 2))))
        container.seek(0)


def _spoken(packet: Any) -> Iterator[str]:
    """Yield the words of a subtitle packet, styling dropped."""
    for subtitle in packet.decode():
        raw = (
            getattr(subtitle, "dialogue", None)
            or getattr(subtitle, "ass", None)
            or getattr(subtitle, "text", b"")
        )
        text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)
        if text.count(",") >= 8 and re.match(r"(Dialogue:\s*)?\d+,", text):
            text = text.split(",", 8)[-1]
        yield _STYLE.sub("", text.replace("\\N", "\n").replace("\\n", "\n"))
