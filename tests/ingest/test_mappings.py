"""CIM mappings in the library's folder: kept, used at ingestion, tried on a sample, errors by their line."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.bootstrap.ingest_wiring import mappings_of
from core.domain import Parsed
from core.errors import LimitExceeded, MappingError, NotFound, ParseError
from core.ingest.cim_mappings import EXAMPLE, Mappings
from core.ingest.parsers import read
from core.ingest.parsers.fab import Mapping
from core.settings import IngestSettings, Settings, StoreSettings

SAMPLE = "ts,T1,eqp\n2025-03-18 10:00:00,60.5,ETCH-03\n2025-03-18 10:00:05,61,ETCH-03\n"


@pytest.fixture
def mappings(tmp_path: Path) -> Mappings:
    def by(path: Path, name: str, chosen: Sequence[Mapping]) -> Parsed:
        return read(path, name, mappings=chosen)

    return Mappings(tmp_path / "mappings", by)


def test_the_example_is_a_mapping(mappings: Mappings) -> None:
    assert mappings.check(EXAMPLE).columns[1].unit == "°C"


def test_a_saved_mapping_is_used_and_a_deleted_one_is_not(mappings: Mappings) -> None:
    assert mappings.files() == []
    file = mappings.save(EXAMPLE)
    assert [(each.file, each.text, each.error) for each in mappings.files()] == [(file, EXAMPLE, "")]
    assert [each.name for each in mappings.usable()] == ["Etcher sensor log"]
    mappings.delete(file)
    assert mappings.usable() == ()
    with pytest.raises(NotFound):
        mappings.delete(file)


def test_saving_a_mapping_of_the_same_name_replaces_it(mappings: Mappings) -> None:
    first = mappings.save(EXAMPLE)
    again = mappings.save(EXAMPLE.replace("unit: °C", "unit: K"))
    other = mappings.save(EXAMPLE.replace("name: Etcher sensor log", "name: 刻蚀机 日志"))
    assert first == again == "etcher-sensor-log.yaml"
    assert other == "刻蚀机-日志.yaml"
    assert [each.columns[1].unit for each in mappings.usable()] == ["K", "°C"]


def test_no_name_leads_out_of_the_folder(mappings: Mappings, tmp_path: Path) -> None:
    file = mappings.save(EXAMPLE.replace("name: Etcher sensor log", "name: ../../etc/passwd"))
    assert [path.name for path in (tmp_path / "mappings").iterdir()] == [file]
    outside = tmp_path / "kept.yaml"
    outside.write_text("kept")
    with pytest.raises(NotFound):
        mappings.delete("../kept.yaml")
    assert outside.exists()


def test_a_broken_file_in_the_folder_says_its_line_and_harms_no_other(mappings: Mappings) -> None:
    mappings.save(EXAMPLE)
    (mappings.folder / "broken.yaml").write_text(EXAMPLE.replace("type: real", "type: number"))
    assert [each.name for each in mappings.usable()] == ["Etcher sensor log"]
    broken = next(each for each in mappings.files() if each.error)
    assert broken.error.startswith("broken.yaml, line 8: column 2, type")


def test_a_broken_mapping_is_not_saved(mappings: Mappings) -> None:
    with pytest.raises(MappingError, match="line 5: expected"):
        mappings.save(EXAMPLE.replace('delimiter: ","', "delimiter: [", 1))
    assert mappings.files() == []


def test_a_mapping_is_tried_on_a_sample_before_it_is_used(mappings: Mappings) -> None:
    tried = mappings.attempt(EXAMPLE, SAMPLE.encode(), "etch_03.log")
    assert tried.fits
    assert not tried.cut
    table = tried.parsed.tables[0]
    assert [(c.name, c.type, c.unit) for c in table.columns] == [
        ("Time", "datetime", ""),
        ("Chuck temperature", "real", "°C"),
        ("Equipment", "text", ""),
    ]
    assert table.rows[1] == ("2025-03-18 10:00:05", 61.0, "ETCH-03")
    assert not mappings.attempt(EXAMPLE, SAMPLE.encode(), "pump.txt").fits


def test_of_a_long_sample_only_the_beginning_is_read(mappings: Mappings) -> None:
    tried = mappings.attempt(EXAMPLE, (SAMPLE + SAMPLE.split("\n")[1] + "\n" * 1000).encode(), "etch_1.log")
    assert tried.cut


def test_a_sample_the_mapping_does_not_fit_says_why(mappings: Mappings) -> None:
    with pytest.raises(ParseError, match="wants a column “ts”; the file has a, b"):
        mappings.attempt(EXAMPLE, b"a,b\n1,2\n", "etch_1.log")


def test_a_knob_of_the_settings_bounds_what_a_parser_may_give(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("A line of some words.\n\n" * 60_000)
    held = Settings(store=StoreSettings(path=tmp_path / "library"), ingest=IngestSettings(output_mb=1))
    with pytest.raises(LimitExceeded, match=r"long\.txt unfolds to 10 MB of text, more than 1"):
        mappings_of(held).read(path, "long.txt", ())
