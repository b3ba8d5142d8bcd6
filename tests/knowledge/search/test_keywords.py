"""The keyword index against rank_bm25, and on corpora too small for it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from core.knowledge.search.keywords import NEXT_PASSAGE_WEIGHT, KeywordIndex
from core.knowledge.search.postings import Posting
from core.text.tokens import index_words, query_words

ENGLISH = [
    "The etch chamber is heated to 60 degrees before the plasma starts.",
    "Plasma etching removes the oxide layer; the chamber pressure is 5 mTorr.",
    "Resist is spun at 3000 rpm and baked on a hot plate.",
    "Yield fell in March because particles from the chamber wall reached the wafers.",
    "The 8D report names the chamber seal as root cause of the particles.",
    "Wafers are cleaned in a wet bench before every furnace step.",
    "Copper plating needs a seed layer of 50 nm.",
    "The furnace runs at 900 degrees for two hours.",
]
CHINESE = [
    "蚀刻腔体在等离子体启动之前加热到六十度。",
    "等离子体蚀刻去除氧化层,腔体压力为五毫托。",
    "光刻胶以每分钟三千转旋涂,然后在热板上烘烤。",
    "三月良率下降,因为腔体壁上的颗粒落到了晶圆上。",
    "报告指出腔体密封圈是颗粒的根本原因。",
    "晶圆在每次炉管步骤之前都要在湿法清洗台上清洗。",
    "铜电镀需要五十纳米的种子层。",
]


def index_of(texts: list[str]) -> KeywordIndex:
    index = KeywordIndex()
    index.add((f"c{n:03}", f"d{n:03}", text) for n, text in enumerate(texts))
    return index


def compare(index: KeywordIndex, texts: list[str], query: str) -> None:
    words = query_words(query)
    expected = BM25Okapi([index_words(text) for text in texts]).get_scores(words)
    scores, found = index.scores(words)
    assert np.abs(scores - expected).max() < 1e-4
    assert found.tolist() == [bool(set(words) & set(index_words(text))) for text in texts]


@pytest.mark.parametrize("query", ["chamber particles", "etching at 60 degrees", "the furnace", "wafer"])
def test_english_scores_are_those_of_rank_bm25(query: str) -> None:
    compare(index_of(ENGLISH), ENGLISH, query)


@pytest.mark.parametrize("query", ["腔体颗粒", "等离子体蚀刻", "晶圆清洗", "良率为什么下降"])
def test_chinese_scores_are_those_of_rank_bm25(query: str) -> None:
    compare(index_of(CHINESE), CHINESE, query)


def test_scores_stay_those_of_rank_bm25_while_passages_come_and_go() -> None:
    index = KeywordIndex()
    texts = ENGLISH * 3 + CHINESE
    for number, text in enumerate(texts):
        index.add([(f"c{number:03}", f"d{number:03}", text)])
    index.remove({f"d{number:03}" for number in range(0, 12, 2)})
    kept = [text for number, text in enumerate(texts) if number >= 12 or number % 2]
    expected = BM25Okapi([index_words(text) for text in kept]).get_scores(
        query_words("chamber particles 腔体")
    )
    found = dict(index.search("chamber particles 腔体", 100))
    living = [f"c{n:03}" for n in range(len(texts)) if n >= 12 or n % 2]
    for chunk_id, score in zip(living, expected, strict=True):
        assert found.get(chunk_id, 0.0) == pytest.approx(score, abs=1e-4)
    index.remove({f"d{number:03}" for number in range(30)})
    assert len(index) == 1 and len(index.search("种子层 chamber 颗粒 晶圆 铜", 100)) == 1


def test_words_of_one_stem_are_one_word() -> None:
    assert index_words("Etching etched etches") == ["etch"] * 3
    assert index_words("Zürich Beyoncé") == index_words("zurich beyonce")
    assert index_words("良率") == ["良", "率", "良率"] or "良率" in index_words("良率")


def test_a_dictionary_of_chinese_words_is_read_only_for_chinese() -> None:
    code = """
import sys
from core.text.tokens import index_words, query_words
assert query_words("真空泵", {"真空"}) == [] and query_words("真空泵 pump", {"真空", "pump"}) == []
print(index_words("압력계 ポンプ pump"), "jieba" in sys.modules)
print(index_words("真空泵"), "jieba" in sys.modules)
known = set(index_words("真空泵"))
assert query_words("真空泵", known) == query_words("真空泵") != []"""
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    first, second = output.splitlines()
    assert "'압력'" in first and "'ポン'" in first and "'pump'" in first and first.endswith("False")
    assert "'真空泵'" in second and second.endswith("True")


def test_an_empty_index_finds_nothing() -> None:
    assert KeywordIndex().search("anything", 5) == []
    assert index_of(["", "!!!"]).search("anything", 5) == []


def test_a_tiny_index_puts_the_better_passage_first() -> None:
    assert [hit[0] for hit in index_of(["only one passage"]).search("passage", 5)] == ["c000"]
    two = index_of(["alpha beta gamma", "alpha alpha delta"])
    assert [hit[0] for hit in two.search("alpha delta", 5)] == ["c001", "c000"]
    assert [hit[0] for hit in two.search("gamma", 5)] == ["c000"]


def test_passages_without_a_word_of_the_query_are_left_out() -> None:
    index = index_of(ENGLISH)
    assert [hit[0] for hit in index.search("copper", 8)] == ["c006"]
    assert index.search("zeppelin", 8) == []


def test_a_query_of_stop_words_only_still_finds_them() -> None:
    assert index_of(["to be or not to be", "something else"]).search("to be", 5)[0][0] == "c000"


def test_the_saved_index_is_the_same_after_loading(tmp_path: Path) -> None:
    index = index_of(ENGLISH)
    index.remove({"d003"})
    before = index.search("chamber particles", 10)
    index.save(tmp_path, {"last": 8})
    again = KeywordIndex()
    assert again.load(tmp_path) == {"last": 8}
    assert again.search("chamber particles", 10) == before
    again.add([("new", "new", "chamber chamber chamber")])
    assert "new" in dict(again.search("chamber", 10))


@pytest.mark.parametrize("spoilt", ["keywords.json", "keywords.npz"])
def test_a_spoilt_cache_loads_as_nothing(tmp_path: Path, spoilt: str) -> None:
    index_of(ENGLISH).save(tmp_path, {"last": 8})
    (tmp_path / spoilt).write_bytes(b"spoilt")
    again = KeywordIndex()
    assert again.load(tmp_path) == {} and len(again) == 0


def test_codes_and_figures_are_words_as_a_whole_and_in_parts() -> None:
    assert {"txn98765", "txn", "98765"} <= set(index_words("TXN-98765"))
    assert "txn98765" in index_words("txn98765")
    assert (
        "2%" in index_words("적립 2%") and "3.5" in index_words("3.5 mm") and "35" not in index_words("3.5")
    )
    assert index_words("1,519") == ["1519"]
    assert index_words("PetCare's profit") == index_words("PetCare profit")


def test_korean_and_kana_are_found_by_pairs_of_signs_alone() -> None:
    assert index_words("편의점은") == ["편의", "의점", "점은"]
    assert "は" not in index_words("書体は存在")
    index = index_of(["편의점 목록", "점포", "은행"])
    assert [hit[0] for hit in index.search("편의점은 어디인가요", 5)] == ["c000"]


def test_the_header_of_a_table_is_heard_in_the_passages_after_it(tmp_path: Path) -> None:
    index = KeywordIndex()
    rows = [
        ("head", "d", "Trading operating profit | 2023 | 2022", "s"),
        ("pets", "d", "PetCare | 1635 | 1519", "s"),
        ("else", "d", "PetCare | 12 | 13", "t"),
    ]
    index.add(Posting(*row) for row in rows)
    assert [hit[0] for hit in index.search("trading operating profit of PetCare", 3)][1:] == ["pets", "else"]
    weights, held = index.matches({"petcar": 1.0, "profit": 1.0}, ["pets", "else", "missing"])
    assert weights.sum() == pytest.approx(1.0)
    assert held.tolist() == [[1.0, NEXT_PASSAGE_WEIGHT], [1.0, 0.0], [0.0, 0.0]]
    before = index.search("trading profit PetCare", 3)
    index.save(tmp_path, {"last": 1})
    again = KeywordIndex()
    again.load(tmp_path)
    assert again.search("trading profit PetCare", 3) == before


def test_a_chinese_question_finds_english_passages_by_the_dictionary() -> None:
    index = index_of([*ENGLISH, "Vital signs: blood pressure 142/88 mmHg, elevated."])
    assert index.translated("病人的血压是多少？") == {"血压": ["blood pressure"]}
    assert index.search("病人的血压是多少？", 3)[0][0] == "c008"


def test_a_word_counts_by_how_rare_it_is_within_each_document() -> None:
    index = KeywordIndex()
    texts = ("committee minutes", "committee secretary", "committee")
    index.add((f"c{n}", "report", text) for n, text in enumerate(texts))
    index.add([("other", "letter", "secretary")])
    asked = index.weighted("the secretary of the committee")
    words, weights, within = index.within({**asked, "absent": 1.0}, ["report", "letter"])
    assert words == ["secretari", "committe"]
    assert len(weights) == 2
    assert 0 < within["report"][1] < within["report"][0]
    assert within["letter"][1] == 0 < within["letter"][0]


def test_a_number_is_found_within_a_longer_code() -> None:
    index = index_of([*ENGLISH, "Patent US06442728B1 on interleavers", "Lot 644 was scrapped"])
    assert index.search("专利 6442728 的发明人是谁", 1)[0][0] == "c008"
    assert "644" not in index.weighted("patent 6442728")


def test_a_usual_chinese_word_is_not_rare_because_few_passages_are_chinese() -> None:
    texts = [
        *(f"The report of pump {n} names the seal." for n in range(30)),
        *("腔体的报告。",) * 5,
        "颗粒的报告。",
    ]
    index = index_of(texts)
    weights = dict(zip(*index.within({"报告": 1.0, "颗粒": 1.0, "pump": 1.0}, [])[:2], strict=True))
    assert weights["报告"] < 0.5 < weights["颗粒"]


def test_two_words_are_found_where_the_library_writes_them_as_one() -> None:
    index = index_of([*ENGLISH, "Windspeed: 31 knots", "The speed of the pump and the wind."])
    (joined,) = query_words("windspeed")
    weights = index.weighted("what wind speed was shown")
    assert 0 < weights[joined] < weights["wind"] == weights["speed"]
    assert joined not in index.weighted("the wind, speed of a pump")
    assert "forth" not in index_of(["forthe pump"]).weighted("a seal for the pump")
