import numpy as np
import pytest

from core.errors import SettingsError
from core.llm.encoders.embedders import PackagedEmbedder
from core.llm.encoders.rerankers import (
    CrossEncoderReranker,
    LateInteractionReranker,
    NoReranker,
    token_weights,
)
from tests.making import passage

QUESTION = "How often is the etch chamber cleaned?"
PASSAGES = [
    passage("The canteen opens at eleven and serves noodles.", score=0.5),
    passage("Pumps are serviced by the vendor.", score=0.5),
    passage("The etch chamber is cleaned every 300 RF hours.", score=0.5),
]


@pytest.fixture(scope="module")
def embedder():
    return PackagedEmbedder(precision="float32")


class Tokens:
    """Token vectors as a library keeps them: int8, all with one scale, here without reduction."""

    def __init__(self, embedder, passages):
        self.rows = {
            p.chunk.id: np.rint(embedder.encode([p.chunk.text]).tokens[0] * 127).astype(np.int8)
            for p in passages
        }

    def read(self, ids):
        return [self.rows.get(i, np.zeros((0, 384), np.int8)) for i in ids]

    def project(self, tokens):
        return tokens

    def unit(self):
        return 1 / 127


def order(passages):
    return [PASSAGES.index(next(p for p in PASSAGES if p.chunk == each.chunk)) for each in passages]


def test_words_of_grammar_count_little(embedder):
    question = "How often is the Chamber-7 cleaned?"
    weights = token_weights(question, embedder, embedder.count(question) - 2)
    spans = embedder.token_spans(question)
    by_word = {question[a:b]: w for (a, b), w in zip(spans, weights, strict=True)}
    assert by_word["the"] == by_word["?"] < by_word["Chamber"] == by_word["7"]
    assert weights.sum() == pytest.approx(1)


def test_late_interaction_puts_the_passage_that_answers_first(embedder):
    ranked = LateInteractionReranker(embedder, Tokens(embedder, PASSAGES)).rerank(QUESTION, PASSAGES)
    assert order(ranked)[0] == 2
    assert (ranked[0].rank_before, ranked[0].rank_after) == (3, 1)
    assert [p.rank_after for p in ranked] == [1, 2, 3]
    assert ranked[0].scores["rerank"] > ranked[1].scores["rerank"]


def test_late_interaction_encodes_what_the_library_kept_no_tokens_of(embedder):
    with_tokens = LateInteractionReranker(embedder, Tokens(embedder, PASSAGES)).rerank(QUESTION, PASSAGES)
    without = LateInteractionReranker(embedder, Tokens(embedder, [])).rerank(QUESTION, PASSAGES)
    mixed = LateInteractionReranker(embedder, Tokens(embedder, PASSAGES[:2])).rerank(QUESTION, PASSAGES)
    assert order(without) == order(mixed) == order(with_tokens)
    assert without[0].scores["rerank"] == pytest.approx(with_tokens[0].scores["rerank"], abs=0.02)


def test_two_subjects_of_a_question_come_before_a_second_passage_about_one(embedder):
    texts = [
        "Sid Haig was an American actor, born in 1939.",
        "Sid Haig, the actor, also produced films and music.",
        "Vic Darchinyan is a boxer, born in 1976.",
    ]
    passages = [passage(text, score=score) for text, score in zip(texts, (1.0, 0.9, 0.8), strict=True)]
    ranked = LateInteractionReranker(embedder, Tokens(embedder, passages)).rerank(
        "Who is older, Sid Haig or Vic Darchinyan?", passages
    )
    assert {p.chunk.text for p in ranked[:2]} == {texts[0], texts[2]}


def test_late_interaction_keeps_what_the_search_found_far_ahead(embedder):
    passages = [PASSAGES[0].model_copy(update={"score": 1.0}), *PASSAGES[1:]]
    ranked = LateInteractionReranker(embedder, Tokens(embedder, []), weight=0.1).rerank(QUESTION, passages)
    assert ranked[0].chunk == PASSAGES[0].chunk


def test_the_second_hop_brings_what_the_first_passage_names_and_says_so(embedder):
    texts = [
        "The Long Night is a film directed by Ada Berg.",
        "The Longest Night is a film of 1936.",
        "She was born in Oslo and died in Rome.",
    ]
    first, other, person = (
        passage(text, score=score) for text, score in zip(texts, (1.0, 0.9, 0.7), strict=True)
    )
    question = "Where was the director of the film The Long Night born?"

    def ranked(hops):
        reranker = LateInteractionReranker(embedder, Tokens(embedder, []), weight=1.0, hops=hops)
        return reranker.rerank(question, [first, other, person])

    without = ranked(None)
    assert [p.chunk for p in without] == [first.chunk, other.chunk, person.chunk]
    found = ranked(lambda ids: {(first.chunk.id, person.chunk.id): (0.2, "Ada Berg")})
    assert [p.chunk for p in found] == [first.chunk, person.chunk, other.chunk]
    assert found[1].why[-1].startswith("second hop from") and found[1].why[-1].endswith("by Ada Berg")
    assert found[1].scores["hop"] == 1.0 and "hop" not in found[0].scores


def test_a_question_longer_than_the_window_is_reranked_by_its_beginning(embedder):
    ranked = LateInteractionReranker(embedder, Tokens(embedder, [])).rerank(
        QUESTION + " why" * 2000, PASSAGES
    )
    assert len(ranked) == 3


def test_no_reranker_keeps_the_order_of_the_search(embedder):
    passages = [p.model_copy(update={"score": s}) for p, s in zip(PASSAGES, (0.9, 0.7, 0.1), strict=True)]
    ranked = NoReranker().rerank(QUESTION, passages)
    assert [(p.chunk, p.rank_before, p.rank_after) for p in ranked] == [
        (p.chunk, n, n) for n, p in enumerate(passages, start=1)
    ]


@pytest.mark.parametrize("reranker", ["late", "none"])
def test_no_passages_stay_no_passages(embedder, reranker):
    made = {
        "late": LateInteractionReranker(embedder, Tokens(embedder, [])),
        "none": NoReranker(),
    }
    assert made[reranker].rerank(QUESTION, []) == []


def test_a_cross_encoder_that_is_not_there_says_how_to_name_one(tmp_path):
    with pytest.raises(SettingsError, match="could not be loaded") as caught:
        CrossEncoderReranker(str(tmp_path / "nothing")).rerank(QUESTION, PASSAGES)
    assert "STRATA_RERANK__MODEL" in caught.value.hint


def test_a_cross_encoder_reads_question_and_passage_together(tmp_path):
    torch = pytest.importorskip("torch")
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(0)
    words = sorted({w.lower() for p in PASSAGES for w in p.chunk.text.strip(".").split()} | {"etch", "how"})
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text(
        "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, ".", "?"]), "utf-8"
    )
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    model = BertForSequenceClassification(BertConfig(vocab_size=60, num_labels=1, **shape))
    model.save_pretrained(tmp_path)
    BertTokenizerFast(vocab_file=str(vocabulary)).save_pretrained(tmp_path)
    ranked = CrossEncoderReranker(str(tmp_path)).rerank(QUESTION, PASSAGES)
    scores = [p.scores["rerank"] for p in ranked]
    assert len(set(scores)) == 3 and scores == sorted(scores, reverse=True)
    assert sorted(p.rank_before for p in ranked) == [1, 2, 3]


def test_a_chinese_question_keeps_the_order_of_the_search_where_the_model_reads_english_only(embedder):
    ranked = LateInteractionReranker(embedder, Tokens(embedder, [])).rerank(
        "刻蚀腔室多久清洗一次？", PASSAGES
    )
    assert order(ranked) == [0, 1, 2]
