import pytest

from core.llm.extractive.deciding import amount, moment
from core.llm.extractive.nations import is_people, nation
from core.llm.extractive.spans import candidates
from core.tasks import Answered, AnswerPart, Evidence

ANN = Evidence(
    n=1,
    source="Ann Lee",
    text="Ann Lee (3 May 1950 – 12 June 2001) was a Norwegian writer. She was born in Oslo "
    "and died in Paris. "
    "She was the daughter of Karl Lee and Ida Moe. She married Bob Ray. She studied at Oslo University.",
)
FILM = Evidence(
    n=2,
    source="Cold Sea (1999 film)",
    text="Cold Sea is a 1999 Swedish drama film directed by Norwegian director Ann Lee. "
    "The music was composed by Nils Dahl.",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was Ann Lee born?", "3 May 1950"),
        ("When did Ann Lee die?", "12 June 2001"),
        ("Where was Ann Lee born?", "Oslo"),
        ("Where did Ann Lee die?", "Paris"),
        ("Who is Ann Lee's father?", "Karl Lee"),
        ("Who is Ann Lee's mother?", "Ida Moe"),
        ("Who is the husband of Ann Lee?", "Bob Ray"),
        ("Where did Ann Lee study?", "Oslo University"),
        ("What is the nationality of Ann Lee?", "Norwegian"),
        ("Who is the director of Cold Sea?", "Ann Lee"),
        ("Who composed Cold Sea?", "Nils Dahl"),
    ],
)
def test_set_phrases_are_read_and_a_nationality_is_not_taken_for_a_name(engine, question, answer):
    assert engine.run(AnswerPart(question=question, evidence=(ANN, FILM)), Answered).answer == answer


def test_the_unit_of_a_figure_is_no_name():
    found = candidates("Lock the RF generator and vent the chamber of ETCH-03 to 760 Torr.", "name")
    assert "ETCH-03" in {each.text for each in found} and "Torr" not in {each.text for each in found}


def test_what_no_phrase_says_is_not_guessed(engine):
    assert not engine.run(
        AnswerPart(question="Who is the producer of Cold Sea?", evidence=(FILM,)), Answered
    ).found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the owner of the 8D report?", "Mei Lin"),
        ("谁负责更换ETCH-05的静电吸盘？", "韦伯"),
        ("What is the target yield of A77?", "92 %"),
        ("氦气泄漏报警上限是多少？", "2.5 sccm"),
        ("What is the base pressure of the chamber?", ""),
    ],
)
def test_labels_and_figures_belong_to_what_stands_before_them(engine, question, answer):
    evidence = (
        Evidence(
            n=1,
            source="Minutes",
            text="1. Open an 8D report with the supplier. Owner: Mei Lin, due 19 March.",
        ),
        Evidence(n=2, source="Minutes", text="Yield of A77 fell to 84.1 % in week 11; the target is 92 %."),
        Evidence(
            n=3, source="纪要", text="5月10日前更换 ETCH-05 的静电吸盘，按 SOP-ETCH-015 执行。负责人：韦伯。"
        ),
        Evidence(n=4, source="纪要", text="4月1日起，氦气泄漏报警上限由 3.0 sccm 降为 2.5 sccm。"),
        Evidence(n=5, source="SOP", text="Wait until the chamber pressure has reached 760 Torr."),
    )
    assert engine.run(AnswerPart(question=question, evidence=evidence), Answered).answer == answer


def test_peoples_and_countries_agree():
    assert nation("a Norwegian writer") == nation("born in Norway") == "Norway"
    assert nation("New Zealand") == "New Zealand" and nation("nobody") == ""
    assert is_people("Italian-American") and not is_people("Italy Smith")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3 May 1950", (1950, 5, 3)),
        ("May 3, 1950", (1950, 5, 3)),
        ("2024-05-01", (2024, 5, 1)),
        ("2024年5月1日", (2024, 5, 1)),
        ("in 1999", (1999, 0, 0)),
        ("soon", None),
    ],
)
def test_dates_are_compared_as_dates(text, found):
    assert moment(text) == found


def test_numbers_are_compared_with_their_scale():
    assert (
        amount("2 million people") == 2_000_000
        and amount("1,234.5 kg") == 1234.5
        and amount("3万元") == 30_000
    )
    assert amount("none") is None
