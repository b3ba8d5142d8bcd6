"""LawBench's metrics and the statutes its answers quote."""

import pytest

from core.evaluation.law_scores import articles, law_scores, rouge_l, statutes


def test_a_choice_is_right_only_where_no_other_letter_is_named():
    assert law_scores("1-2", "[正确答案]A<eoa>", "正确答案：A。")["score"] == 1
    assert law_scores("3-6", "A或B", "正确答案:A。")["score"] == 0
    assert law_scores("3-6", "", "正确答案:A。")["score"] == 0


def test_articles_of_a_charge_are_compared_as_numbers():
    found = law_scores("3-1", "[法条]刑法第三百零二条第二款、刑法第265条<eoa>", "法条:刑法第302、264条")
    assert found["precision"] == found["recall"] == found["score"] == 0.5
    assert articles("刑法第385条、第386条") == {385, 386}
    assert articles("不知道") == frozenset()


def test_rouge_counts_the_longest_common_subsequence_of_words():
    assert rouge_l("当事人 可以 仲裁", "当事人 可以 仲裁") == 1
    assert rouge_l("a b c d", "a x c y") == 0.5
    assert rouge_l("c a", "a c") == 0.5
    assert rouge_l("", "a") == 0


def test_statutes_are_taken_from_the_answers_that_quote_them():
    rows = [
        {
            "task": "1-1",
            "question": "商法第八条的内容是什么？",
            "answer": "答案:商人应当诚实守信地经营业务。",
        },
        {
            "task": "3-2",
            "question": "场景",
            "answer": "根据《灯塔法》第三条的规定，灯塔每年五月必须检修一次。因此，他应当检修。",
        },
        {
            "task": "3-8",
            "question": "?",
            "answer": "回答:可以。法律依据:《渡船法》第四条渡船应当在日落以前停航。"
            "第五条渡船必须配备足够的救生衣。"
            "律师解答不要担心。",
        },
        {"task": "1-2", "question": "?", "answer": "正确答案：A。"},
    ]
    book = {row["title"]: row["text"] for row in statutes(rows)}
    assert book == {
        "商法第八条": "商人应当诚实守信地经营业务。",
        "灯塔法第三条": "灯塔每年五月必须检修一次。",
        "渡船法第四条": "渡船应当在日落以前停航。",
        "渡船法第五条": "渡船必须配备足够的救生衣。",
    }


def test_a_task_that_is_not_known_is_an_error():
    with pytest.raises(KeyError):
        law_scores("9-9", "a", "b")
