"""Pictures described by a served model that sees, scenes by their time; a model that fails is a note."""

import json
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image

from core.bootstrap import build
from core.domain import Parsed
from core.ingest.limits import Limits
from core.ingest.parsers import read
from core.ingest.picture_descriptions import Describer
from core.llm.builtin import BuiltinLLM
from core.llm.ollama.client import OllamaLLM
from core.settings import LLMSettings, Settings, StoreSettings
from tests.ollama_brain import StrataBrain
from tests.ollama_double import OllamaDouble
from tests.ollama_protocol import Asked, Model


def picture(tmp_path: Path) -> Parsed:
    path = tmp_path / "pump.png"
    Image.new("RGB", (1200, 40), "grey").save(path)
    return read(path, "pump.png", Limits(pictures=4))


def test_a_picture_is_handed_on_only_where_a_model_sees(tmp_path: Path) -> None:
    assert len(picture(tmp_path).pictures) == 1
    assert read(tmp_path / "pump.png", "pump.png").pictures == ()


def test_a_description_becomes_a_figure_of_the_document(tmp_path: Path) -> None:
    seen: list[Asked] = []

    def look(asked: Asked) -> str:
        seen.append(asked)
        return '{"text": "A grey dry pump with two flanges."}'

    with OllamaDouble(brain=look) as double:
        reply = Describer(OllamaLLM(double.host, models={}, pause=0.01)).describe(picture(tmp_path))
    assert reply.pictures == ()
    assert reply.blocks[-1].kind == "figure"
    assert reply.blocks[-1].text == "pump. What it shows: A grey dry pump with two flanges."
    assert reply.blocks[-1].location.page == 0
    assert [len(asked.images) for asked in seen] == [1]
    assert "pump" in seen[0].user


def test_a_scene_is_described_at_its_time(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=1)
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = 64, 64, "yuv420p", 1
        for second, shade in enumerate((0, 250, 0, 250)):
            frame = av.VideoFrame.from_ndarray(np.full((64, 64, 3), shade, np.uint8), format="rgb24")
            frame.pts, frame.time_base = second, Fraction(1, 1)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    parsed = read(path, "clip.mp4", Limits(pictures=2))
    assert len(parsed.pictures) == 2
    with OllamaDouble(brain=lambda asked: '{"text": "A plain wall."}') as double:
        reply = Describer(OllamaLLM(double.host, models={}, pause=0.01)).describe(parsed)
    stated = [block for block in reply.blocks if "What it shows" in block.text]
    assert [block.kind for block in stated] == ["media", "media"]
    starts = [block.location.seconds[0] for block in stated if block.location.seconds]
    assert starts == sorted(starts)
    assert starts[0] == 0.0
    assert starts[1] > 0


def test_a_model_that_cannot_be_had_is_a_note_and_the_document_stays(tmp_path: Path) -> None:
    parsed = picture(tmp_path)
    with OllamaDouble(models=(Model("qwen3:4b"),)) as double:
        reply = Describer(OllamaLLM(double.host, models={}, pause=0.01)).describe(parsed)
    assert reply.blocks == parsed.blocks
    assert reply.skipped[-1].startswith("Pictures not described: 1 of 1 (")


def test_the_built_in_engine_has_no_eyes_and_the_document_says_so(tmp_path: Path) -> None:
    reply = Describer(BuiltinLLM()).describe(picture(tmp_path))
    assert reply.skipped[-1] == "Pictures not described: 1 of 1 (no model that sees answered)."


def test_a_picture_without_words_is_found_by_what_the_model_saw(tmp_path: Path) -> None:
    rules = StrataBrain()

    def look(asked: Asked) -> str:
        return '{"text": "A grey dry pump beside valve V-9."}' if asked.images else rules(asked)

    path = tmp_path / "pump.png"
    Image.new("RGB", (300, 200), "grey").save(path)
    with OllamaDouble(brain=look) as double:
        settings = Settings(
            store=StoreSettings(path=tmp_path / "library"),
            llm=LLMSettings(host=double.host, vision="llava:7b"),
        )
        assistant = build(settings, warm=False)
        try:
            job = assistant.library.wait(assistant.library.ingest([path]))[0]
            chunks = assistant.library.contents.chunks(job.document_id)
            found = assistant.library.contents.keyword("dry pump valve", 3)
        finally:
            assistant.close()
        models = {body.get("model") for _, body in double.requests if '"images": ["' in json.dumps(body)}
    assert job.counts["figures"] == 1
    assert [chunk.text for chunk in chunks] == ["pump. What it shows: A grey dry pump beside valve V-9."]
    assert (chunks[0].kind, chunks[0].location.page, len(chunks[0].location.boxes)) == ("figure", 0, 1)
    assert [hit.id for hit in found] == [chunks[0].id]
    assert models == {"llava:7b"}
