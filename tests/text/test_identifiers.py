"""Names of columns and files as a reader would write them."""

import pytest

from core.text.identifiers import as_words, file_words


@pytest.mark.parametrize(
    "name, words", [("MediaType", "Media Type"), ("media_type", "media type"), ("kWh", "kWh")]
)
def test_a_name_is_its_words(name: str, words: str) -> None:
    assert as_words(name) == words


@pytest.mark.parametrize(
    "name, text",
    [
        ("olympics2014.json", {"olympics", "2014"}),
        ("exonerations-20150828.csv", {"exonerations", "August", "2015"}),
        ("FY09_EDU_Recipients.csv", {"2009", "EDU", "Recipients"}),
        ("report_2016-02.pdf", {"February", "2016"}),
    ],
)
def test_a_file_is_called_by_its_parts_too(name: str, text: set[str]) -> None:
    assert text <= set(file_words(name).split())
    assert file_words(name).startswith(name)


def test_a_number_that_is_no_date_is_none() -> None:
    assert file_words("part-20151399.txt") == "part-20151399.txt part txt"
