"""Two engines run the same networks: they read the same words, and the faster one is taken."""

import os
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from core.ingest.parsers.media.ocr import lines_of, text_in
from core.ingest.parsers.media.ocr_networks import (
    THREADS,
    OcrEngine,
    OnnxRuntime,
    OpenVino,
    best_engine,
    models,
    side_by_side,
)
from core.ingest.parsers.media.text_finder import Corners, Pixels, in_order, parts_of

LINES = ("Lot 4711 was held at station 9", "because", "the chamber pressure rose to 35 mTorr")


@pytest.fixture(scope="module", params=[OpenVino, OnnxRuntime])
def engine(request: pytest.FixtureRequest) -> OcrEngine:
    if request.param is OpenVino:
        pytest.importorskip("openvino")
    made: OcrEngine = request.param(models())
    return made


def written(*lines: str) -> Image.Image:
    picture = Image.new("RGB", (900, 60 + 90 * len(lines)), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(36)
    for number, line in enumerate(lines):
        draw.text((40, 40 + 90 * number), line, fill="black", font=font)
    return picture


def test_each_engine_reads_every_line(engine: OcrEngine) -> None:
    assert [line.text for line in lines_of(written(*LINES[:3]), engine)] == list(LINES[:3])


def test_each_engine_is_sure_of_clear_words_and_finds_none_in_noise(engine: OcrEngine) -> None:
    line = np.asarray(written(LINES[0]).crop((20, 30, 700, 90)), dtype=np.uint8)
    text, sure = text_in(line, engine)
    assert (text, sure) == (LINES[0], pytest.approx(0.99, abs=0.02))
    assert text_in(np.full((40, 300, 3), 255, dtype=np.uint8), engine) == ("", 0.0)


def boxes_of(pixels: Pixels, engine: OcrEngine) -> list[Corners]:
    return in_order([box for part in parts_of(pixels, engine) for box in part])


def test_each_engine_finds_a_line_in_the_same_place(engine: OcrEngine) -> None:
    pixels = np.ascontiguousarray(np.asarray(written(*LINES[:3]))[:, :, ::-1])
    found = boxes_of(pixels, engine)
    assert [box[0].tolist() for box in found] == [
        pytest.approx(box[0].tolist(), abs=4) for box in boxes_of(pixels, OnnxRuntime(models()))
    ]


def test_an_engine_may_be_used_by_more_threads_than_it_has(engine: OcrEngine) -> None:
    line = np.asarray(written(LINES[0]).crop((20, 30, 700, 90)), dtype=np.uint8)
    assert {text for text, _ in side_by_side(lambda _: text_in(line, engine), range(4 * THREADS))} == {
        LINES[0]
    }


def test_openvino_is_taken_where_it_computes_in_bfloat16_of_its_own_accord() -> None:
    pytest.importorskip("openvino")
    assert isinstance(best_engine(), OpenVino if OpenVino(models()).gains() else OnnxRuntime)


def in_a_process(code: str, **environment: str) -> str:
    command = [sys.executable, "-c", code]
    env = os.environ | environment
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, env=env)
    assert done.stderr == ""
    return done.stdout.strip()


def test_without_openvino_pictures_are_read_by_onnx_runtime() -> None:
    code = """
import sys; sys.modules["openvino"] = None
from core.ingest.parsers.media.ocr_networks import best_engine
print(type(best_engine()).__name__)"""
    assert in_a_process(code) == "OnnxRuntime"


def test_where_openvino_cannot_run_the_networks_after_all_onnx_runtime_reads() -> None:
    code = """
from core.ingest.parsers.media.ocr_networks import best_engine
print(type(best_engine()).__name__)"""
    assert in_a_process(code, ONEDNN_MAX_CPU_ISA="AVX2") == "OnnxRuntime"  # no bfloat16 with these


def test_without_either_the_error_says_what_to_install() -> None:
    code = """
import sys; sys.modules["openvino"] = sys.modules["onnxruntime"] = None
from core.errors import ParseError
from core.ingest.parsers.media.ocr_networks import best_engine
try: best_engine()
except ParseError as error: print(error, error.hint)"""
    assert in_a_process(code) == (
        "Pictures cannot be read: ONNX Runtime is not installed. Install it with `pip install onnxruntime`."
    )


def test_reading_says_nothing_starts_nothing_and_opens_no_connection_within_a_worker_s_limits() -> None:
    """OpenVINO's package brings one that reports on its use, in a process that it starts."""
    code = """
import sys
heard = []
sys.addaudithook(lambda event, _: heard.append(event) if event in (
    "socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.posix_spawn", "os.fork") else None)
from core.ingest.limits import USUAL
from core.ingest.parsers.media.ocr import PictureOcr
from core.ingest.parser_worker import _bound
from tests.ingest.parsers.test_engines import LINES, written
_bound(USUAL)
assert [line.text for line in PictureOcr(1, 4_000_000).lines_of(written(LINES[0]))] == [LINES[0]]
print(heard)"""
    assert in_a_process(code) == "[]"
