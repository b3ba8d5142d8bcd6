"""Sound: what is said becomes passages with their time; where it cannot be heard the document says why."""

import math
import struct
import wave
from pathlib import Path

import pytest

from core.ingest.limits import Limits
from core.ingest.parsers import read
from core.ingest.parsers.media.speech import SpokenPassage, passages


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "shift-talk.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(i / 5))) for i in range(8000)))
    return path


def test_sound_without_a_model_is_a_document_that_says_what_to_get(recording: Path) -> None:
    parsed = read(recording, "shift-talk.wav")
    assert parsed.media_type == "audio/wav"
    assert "Length: 1 s" in parsed.blocks[-1].text
    assert parsed.skipped == (
        "Its sound was not transcribed: no speech model is set (extra `audio`, STRATA_INGEST__AUDIO_MODEL).",
    )


def test_what_a_camera_wrote_of_its_recording_is_read(tmp_path: Path) -> None:
    import av

    path = tmp_path / "walk.mov"
    with av.open(str(path), "w", options={"movflags": "use_metadata_tags"}) as container:
        container.metadata["com.apple.quicktime.camera.focal_length"] = "26 mm"
        container.metadata["com.apple.quicktime.creationdate"] = "2024-05-21T10:00:00+0200"
        container.add_stream("mpeg4", rate=10).width = 64
        container.streams[0].height = 64
        for packet in container.streams[0].encode(av.VideoFrame(64, 64, "yuv420p")):
            container.mux(packet)
        container.mux(container.streams[0].encode(None))
    parsed = read(path, path.name)
    assert parsed.date == "2024-05-21"
    assert parsed.metadata["camera focal length"] == "26 mm"
    assert "Camera focal length: 26 mm" in parsed.blocks[1].text
    assert not any("brand" in block.text.lower() for block in parsed.blocks)


def test_a_folder_without_a_model_is_named(recording: Path, tmp_path: Path) -> None:
    parsed = read(recording, "shift-talk.wav", Limits(audio_model=str(tmp_path / "nothing")))
    assert parsed.skipped == (
        f"Its sound was not transcribed: {tmp_path / 'nothing'} holds no faster-whisper model "
        "(STRATA_INGEST__AUDIO_MODEL).",
    )


def test_a_model_that_cannot_be_loaded_costs_the_transcript_not_the_document(
    recording: Path, tmp_path: Path
) -> None:
    (tmp_path / "model.bin").write_bytes(b"not weights")
    parsed = read(recording, "shift-talk.wav", Limits(audio_model=str(tmp_path)))
    assert parsed.blocks
    assert parsed.skipped[0].startswith("Its sound was not transcribed: ")


def test_what_is_said_without_a_pause_is_one_passage_with_its_time() -> None:
    heard = [
        SpokenPassage(0.0, 2.0, " The pump"),
        SpokenPassage(2.1, 4.0, " was replaced."),
        SpokenPassage(9.0, 11.5, " On Friday."),
    ]
    assert list(passages(heard)) == [
        SpokenPassage(0.0, 4.0, "The pump was replaced."),
        SpokenPassage(9.0, 11.5, "On Friday."),
    ]


def test_a_long_talk_is_parted_at_the_end_of_a_sentence() -> None:
    heard = [SpokenPassage(i, i + 1.0, "word " * 24 + ("end." if i % 3 == 2 else "on")) for i in range(18)]
    found = list(passages(heard))
    assert len(found) > 1
    assert all(passage.text.endswith("end.") for passage in found)
    assert [found[0].start, found[-1].end] == [0, 18.0]
    assert " ".join(passage.text for passage in found).count("word") == 18 * 24


def test_silence_says_nothing() -> None:
    assert list(passages([SpokenPassage(0.0, 1.0, "  ")])) == []
