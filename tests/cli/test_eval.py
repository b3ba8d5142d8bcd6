"""strata eval: retrieval, gate and plan, answers."""

import json

from tests.flow.conftest import DOCUMENTS


def test_retrieval_is_scored_per_leg_and_compared_with_the_last_run(strata, filled, folder):
    metals = ["iron", "copper", "zinc", "tin", "lead", "silver", "gold", "nickel", "cobalt", "chromium"]
    kinds = ("melts", "is mined", "is traded")
    passages = [
        {
            "id": f"{metal}-{n}",
            "title": f"How {metal} {kind}",
            "text": f"{metal.title()} {kind} at place {n}.",
        }
        for metal in metals
        for n, kind in enumerate(kinds)
    ]
    corpus, questions, record = (folder / name for name in ("metals.jsonl", "asked.jsonl", "record.json"))
    corpus.write_text("\n".join(map(json.dumps, passages)), "utf-8")
    asked = [{"question": f"Where is {m} mined?", "gold_ids": [f"{m}-1"]} for m in metals]
    questions.write_text("\n".join(map(json.dumps, asked)), "utf-8")
    command = ("eval", "retrieval", "--corpus", str(corpus), "--questions", str(questions))
    result = json.loads(strata(*command, "--record", str(record), "--json").stdout)
    assert set(result) == {"questions", "legs"}
    assert result["questions"] == 10
    assert set(result["legs"]) == {"keyword", "semantic", "hybrid", "graph", "all"}
    everything = result["legs"]["all"]
    assert {"recall@1", "recall@2", "recall@5", "recall@10", "ndcg@10", "mrr", "p50_ms", "p95_ms"} == set(
        everything
    )
    assert everything["recall@5"] == 1
    assert 0 < everything["p50_ms"] <= everything["p95_ms"]
    output = strata(*command, "--limit", "2", "--record", str(record)).stdout
    assert "changed since the last run" in output and "not the same (10 then, 2 now)" in output
    assert json.loads(record.read_text("utf-8"))["questions"] == 2
    assert len(json.loads(strata("documents", "--json").stdout)) == len(DOCUMENTS)
    kept = json.loads(strata("eval", "records", "--json").stdout)
    assert [row["questions"] for row in kept] == [2, 10]
    assert kept[0]["corpus"] == "metals.jsonl"
    compared = json.loads(strata("eval", "compare", kept[1]["name"], str(record), "--json").stdout)
    assert set(compared["legs"]["all"]) == set(everything)
    assert compared["legs"]["all"]["recall@5"] == 0
    assert compared["warnings"] == ["The questions are not the same (10 then, 2 now)."]
    assert kept[1]["name"] in strata("eval", "records").stdout
    assert "there is no record yesterday" in strata("eval", "compare", "yesterday", "x", status=1).stderr
    record.write_text("[]", "utf-8")
    assert "no record" in strata(*command, "--limit", "1", "--record", str(record), status=1).stderr


def test_gate_and_plan_are_scored_per_data_set(strata, filled, folder):
    questions = folder / "gate.jsonl"
    rows = [
        {"question": "Who is responsible for SOP-112?", "label": "simple", "dataset": "a"},
        {"question": "Who leads the team and when was Norvac founded?", "label": "composite", "dataset": "b"},
    ]
    questions.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    gate = json.loads(strata("eval", "gate", "--questions", str(questions), "--json").stdout)
    assert set(gate["datasets"]) == {"a", "b"}
    assert 0 <= gate["accuracy"] <= 1
    rows = [
        {
            "question": "Who leads the team and when was Norvac founded?",
            "sub_questions": [
                {"id": 1, "question": "Who leads the team?", "depends_on": []},
                {"id": 2, "question": "When was Norvac founded?", "depends_on": []},
            ],
        }
    ]
    questions.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    plan = json.loads(strata("eval", "plan", "--questions", str(questions), "--json").stdout)
    assert plan["accuracy"] == 1
    assert plan["baseline_accuracy"] == 1


def test_answers_are_scored_over_a_corpus_of_its_own(strata, filled, folder):
    corpus = folder / "corpus.jsonl"
    corpus.write_text(
        json.dumps({"id": "p1", "title": "Norvac", "text": "Norvac was founded in 1987 by Ingrid Solheim."}),
        "utf-8",
    )
    questions = folder / "qa.jsonl"
    questions.write_text(
        json.dumps({"question": "Who founded Norvac?", "answer": "Ingrid Solheim", "type": "1hop"}), "utf-8"
    )
    result = json.loads(
        strata("eval", "qa", "--questions", str(questions), "--corpus", str(corpus), "--json").stdout
    )
    assert result["em"] == 1
    assert result["f1"] == 1
    assert "published" not in result
    assert len(json.loads(strata("documents", "--json").stdout)) == len(DOCUMENTS)


def test_beside_answers_on_a_public_set_stands_what_others_report(strata, filled, folder):
    questions = folder / "musique.jsonl"
    questions.write_text(json.dumps({"question": "Who founded Norvac?", "answer": "nobody"}), "utf-8")
    shown = strata("eval", "qa", "--questions", str(questions)).stdout
    assert "arXiv 2501.11551" in shown
    assert shown.splitlines()[-1].split() == ["PIKE-RAG", "em", "0.464", "f1", "0.566"]
    result = json.loads(strata("eval", "qa", "--questions", str(questions), "--json").stdout)
    assert result["published"]["Self-Ask w/ R"] == {"em": 0.284, "f1": 0.4254}


def test_a_file_that_is_no_jsonl_is_refused(strata, folder):
    bad = folder / "bad.jsonl"
    bad.write_text("{not json", "utf-8")
    assert "line 1" in strata("eval", "gate", "--questions", str(bad), status=1).stderr


def test_eval_answers_reads_the_documents_and_grades_what_is_told(strata, filled, folder):
    lines = [
        {
            "id": "q1",
            "question": "Who is responsible for SOP-112?",
            "answers": ["Mei Tanaka"],
            "kind": "fact",
        },
        {"id": "q2", "question": "What colour is the Eiffel tower?", "answers": [], "kind": "unanswerable"},
    ]
    questions = folder / "answers.jsonl"
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    given = ("--documents", str(filled), "--questions", str(questions))
    done = strata("eval", "answers", *given, "--details", str(folder / "rows.jsonl"), "--json")
    figures = json.loads(done.stdout)
    assert (figures["questions"], figures["right"], figures["refused_rightly"]) == (2, 1, 1)
    assert (figures["precision"], figures["coverage"], figures["not_read"]) == (1.0, 1.0, [])
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text("utf-8").splitlines()]
    assert [row["state"] for row in rows] == ["right", "refused_rightly"]
    searched = json.loads(
        strata("eval", "answers", *given, "--passages-only", "--parity", "odd", "--json").stdout
    )
    assert searched["questions"] == 1 and searched["passages"]["all"]["top1"] == 1.0
    assert "precision" not in searched
