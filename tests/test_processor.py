"""Few compute at the same time, first come first served, and who waits for something else holds up nobody."""

import threading
import time

import pytest

from core.errors import Stopped
from core.processor import FairSemaphore, RunSlot, aside


def _never() -> None:
    """Nothing ends the wait."""


def _place(gate: FairSemaphore) -> RunSlot:
    return gate.place(_never, lambda ahead: None, (Stopped,))


def _until(condition) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_the_first_to_come_computes_first_and_no_more_than_there_are_places():
    gate = FairSemaphore(2)
    tickets = [gate.ticket() for _ in range(8)]
    order, most = [], []

    def compute(ticket: int) -> None:
        with gate.turn(ticket, _never, lambda ahead: None):
            order.append(ticket)
            most.append(gate.taken)
            time.sleep(0.02)

    held = [gate.place(_never, lambda ahead: None) for _ in range(2)]
    with held[0].step(), held[1].step():
        threads = [threading.Thread(target=compute, args=(ticket,)) for ticket in reversed(tickets)]
        for thread in threads:
            thread.start()
        _until(lambda: len(gate._waiting) == 8)
    for place in held:
        place.leave()
    for thread in threads:
        thread.join(5)
    assert [sorted(order[n : n + 2]) for n in range(0, 8, 2)] == [tickets[n : n + 2] for n in range(0, 8, 2)]
    assert max(most) == 2
    assert gate.taken == 0


def test_a_place_is_kept_between_steps_and_given_up_while_every_thread_waits():
    gate = FairSemaphore(1)
    place = _place(gate)
    with place.step():
        pass
    assert gate.taken == 1, "kept from step to step"
    computes, waits, over = threading.Event(), threading.Event(), threading.Event()

    def other() -> None:
        with place.step():
            computes.set()
            waits.wait(5)
            with aside():
                over.wait(5)

    thread = threading.Thread(target=other)
    with place.step():
        thread.start()
        assert computes.wait(5)
        with aside(), aside():  # waiting within waiting is one
            assert gate.taken == 1, "another thread of the run computes"
            waits.set()
            _until(lambda: gate.taken == 0)
            with gate.turn(gate.ticket(), _never, lambda ahead: None):
                pass
        assert gate.taken == 1
        over.set()
        thread.join(5)
    place.leave()
    assert gate.taken == 0


def test_who_came_first_goes_before_others_again_after_a_pause():
    gate = FairSemaphore(1)
    first, second, third = _place(gate), _place(gate), _place(gate)
    order: list[str] = []
    answered, begun = threading.Event(), threading.Event()

    def asks() -> None:
        with first.step():
            with aside():
                begun.set()
                answered.wait(5)
            order.append("first")
        first.leave()

    def computes() -> None:
        with third.step():
            order.append("third")
        third.leave()

    threads = [threading.Thread(target=asks)]
    threads[0].start()
    assert begun.wait(5)
    with second.step():
        threads.append(threading.Thread(target=computes))
        threads[1].start()
        _until(lambda: len(gate._waiting) == 1)
        answered.set()
        _until(lambda: len(gate._waiting) == 2)
    second.leave()
    for thread in threads:
        thread.join(5)
    assert order == ["first", "third"]


@pytest.mark.parametrize("where", ["waiting for its turn", "in a step", "waiting aside", "coming back"])
def test_a_run_that_is_ended_leaves_its_place_to_the_next(where):
    gate, stop = FairSemaphore(1), threading.Event()

    def check() -> None:
        if stop.is_set():
            raise Stopped("The run was stopped.")

    place, blocker = gate.place(check, lambda ahead: None, (Stopped,)), _place(gate)

    def run() -> None:
        with place.step():
            if where == "in a step":
                raise Stopped("The run was stopped.")
            with aside():
                if where == "waiting aside":
                    raise Stopped("The run was stopped.")
                with blocker.step():  # somebody else takes the place meanwhile
                    stop.set()

    if where == "waiting for its turn":
        stop.set()
        with blocker.step(), pytest.raises(Stopped):
            run()
    else:
        with pytest.raises(Stopped):
            run()
    place.leave()
    blocker.leave()
    with gate.turn(gate.ticket(), _never, lambda ahead: None):
        assert gate.taken == 1
    assert (gate.taken, gate._waiting) == (0, [])
