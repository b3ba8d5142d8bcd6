"""What who may not see a collection learns by adding files, and from the list of what was added: no name."""

import io

import pytest

from core.errors import NotAllowed
from core.knowledge.stores.records import Job
from tests.accounts.closed_library import CLOSED, MARK, Place, ingested
from tests.accounts.curious_calls import serialised


def test_bytes_that_lie_in_a_closed_collection_are_known_but_not_by_their_name(place: Place) -> None:
    name = "zyxomarq plan.md"
    queued = place.rita.library.upload("mine.md", io.BytesIO(CLOSED[name].encode()))
    place.whole.library.wait([queued], timeout=60)
    job = next(job for job in place.rita.library.jobs() if job.id == queued)
    assert job.outcome == "known" and job.reason == "the same content as a file of another collection"
    assert name not in serialised(job) and MARK not in serialised(job)


def test_bytes_of_the_same_collection_are_known_by_their_name(place: Place) -> None:
    text = next(each.text for each in place.rita.library.contents.chunks(_pump(place)))
    assert "PE-300" in text
    original = place.whole.library.knowledge.original(_pump(place))
    assert original is not None
    queued = place.rita.library.upload("again.md", io.BytesIO(original.read_bytes()))
    place.whole.library.wait([queued], timeout=60)
    job = next(job for job in place.rita.library.jobs() if job.id == queued)
    assert job.reason.startswith("the same content as ") and job.reason.endswith("pump.md")


def _pump(place: Place) -> str:
    return next(d.id for d in place.rita.library.contents.documents() if d.title == "Pump PE-300")


def test_a_name_that_is_tried_does_not_tell_whether_a_closed_collection_bears_it(place: Place) -> None:
    refused = []
    for name in ("hr", "no such one"):
        with pytest.raises(NotAllowed) as error:
            place.rita.library.upload("mine.md", io.BytesIO(b"text"), name)
        refused.append(f"{error.value} {error.value.hint}".replace(name, "…"))
    assert refused[0] == refused[1]
    assert not place.rita.library.takes_new_collections() and place.anna.library.takes_new_collections()
    before = {job.id for job in place.rita.library.jobs()}
    for assistant, name in ((place.rita, "default"), (place.anna, "a new one")):
        queued = assistant.library.upload("note.md", io.BytesIO(f"# {name}\n\nText.".encode()), name)
        assert place.whole.library.wait([queued], 60)[0].outcome == "read"
        place.whole.library.delete_permanently(place.whole.library.wait([queued])[0].document_id)
        place.whole.library.dismiss(queued)
    assert {job.id for job in place.rita.library.jobs()} == before


def test_what_is_added_to_a_closed_collection_takes_no_place_in_the_list(place: Place, tmp_path) -> None:
    before = [job.id for job in place.rita.library.jobs()]
    ingested(
        place.whole, tmp_path / "more", {f"note {n}.md": f"# Note {n}\n\nText.\n" for n in range(3)}, "hr"
    )
    for limit in (1, 2, 100):
        assert [job.id for job in place.rita.library.jobs(limit)] == before[:limit]


def test_who_ends_all_files_ends_none_of_a_closed_collection(place: Place) -> None:
    waiting = Job(
        id="hers", path="late.md", name="late.md", collection="hr", status="paused", created=1.0, updated=1.0
    )
    place.whole.library.knowledge.jobs.put(
        waiting, waiting.model_copy(update={"id": "mine", "collection": "default"})
    )
    status = place.whole.library.queue.get
    place.rita.library.cancel_all(["hers", "mine", "gone"])
    assert (status("hers").status, status("mine").status) == ("paused", "cancelled")
    place.anna.library.cancel_all(["hers"])
    assert status("hers").status == "cancelled"
