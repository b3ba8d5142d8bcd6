"""Few compute at the same time, first come first served, and who waits for something else holds up nobody."""

import threading
import time

import pytest

from core.errors import Stopped
from core.runtime.run_slots import FairSemaphore, RunSlot, slot_released


def _never() -> None:
    """Nothing ends the wait."""


def _slot(semaphore: FairSemaphore) -> RunSlot:
    return semaphore.slot(_never, lambda ahead: None, (Stopped,))


def _until(condition) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_the_first_to_come_computes_first_and_no_more_than_there_are_slots():
    semaphore = FairSemaphore(2)
    positions = [semaphore.queue_position() for _ in range(8)]
    order, most = [], []

    def compute(position: int) -> None:
        with semaphore.held(position, _never, lambda ahead: None):
            order.append(position)
            most.append(semaphore.taken)
            time.sleep(0.02)

    held = [semaphore.slot(_never, lambda ahead: None) for _ in range(2)]
    with held[0].step(), held[1].step():
        threads = [threading.Thread(target=compute, args=(position,)) for position in reversed(positions)]
        for thread in threads:
            thread.start()
        _until(lambda: len(semaphore._waiting) == 8)
    for slot in held:
        slot.release()
    for thread in threads:
        thread.join(5)
    assert [sorted(order[n : n + 2]) for n in range(0, 8, 2)] == [
        positions[n : n + 2] for n in range(0, 8, 2)
    ]
    assert max(most) == 2
    assert semaphore.taken == 0


def test_a_slot_is_kept_between_steps_and_given_up_while_every_thread_waits():
    semaphore = FairSemaphore(1)
    slot = _slot(semaphore)
    with slot.step():
        pass
    assert semaphore.taken == 1, "kept from step to step"
    computes, waits, over = threading.Event(), threading.Event(), threading.Event()

    def other() -> None:
        with slot.step():
            computes.set()
            waits.wait(5)
            with slot_released():
                over.wait(5)

    thread = threading.Thread(target=other)
    with slot.step():
        thread.start()
        assert computes.wait(5)
        with slot_released(), slot_released():  # waiting within waiting is one
            assert semaphore.taken == 1, "another thread of the run computes"
            waits.set()
            _until(lambda: semaphore.taken == 0)
            with semaphore.held(semaphore.queue_position(), _never, lambda ahead: None):
                pass
        assert semaphore.taken == 1
        over.set()
        thread.join(5)
    slot.release()
    assert semaphore.taken == 0


def test_who_came_first_goes_before_others_again_after_a_pause():
    semaphore = FairSemaphore(1)
    first, second, third = _slot(semaphore), _slot(semaphore), _slot(semaphore)
    order: list[str] = []
    answered, begun = threading.Event(), threading.Event()

    def asks() -> None:
        with first.step():
            with slot_released():
                begun.set()
                answered.wait(5)
            order.append("first")
        first.release()

    def computes() -> None:
        with third.step():
            order.append("third")
        third.release()

    threads = [threading.Thread(target=asks)]
    threads[0].start()
    assert begun.wait(5)
    with second.step():
        threads.append(threading.Thread(target=computes))
        threads[1].start()
        _until(lambda: len(semaphore._waiting) == 1)
        answered.set()
        _until(lambda: len(semaphore._waiting) == 2)
    second.release()
    for thread in threads:
        thread.join(5)
    assert order == ["first", "third"]


@pytest.mark.parametrize("where", ["waiting for its turn", "in a step", "waiting aside", "coming back"])
def test_a_run_that_is_ended_leaves_its_slot_to_the_next(where):
    semaphore, stop = FairSemaphore(1), threading.Event()

    def check() -> None:
        if stop.is_set():
            raise Stopped("The run was stopped.")

    slot, blocker = semaphore.slot(check, lambda ahead: None, (Stopped,)), _slot(semaphore)

    def run() -> None:
        with slot.step():
            if where == "in a step":
                raise Stopped("The run was stopped.")
            with slot_released():
                if where == "waiting aside":
                    raise Stopped("The run was stopped.")
                with blocker.step():  # somebody else takes the slot meanwhile
                    stop.set()

    if where == "waiting for its turn":
        stop.set()
        with blocker.step(), pytest.raises(Stopped):
            run()
    else:
        with pytest.raises(Stopped):
            run()
    slot.release()
    blocker.release()
    with semaphore.held(semaphore.queue_position(), _never, lambda ahead: None):
        assert semaphore.taken == 1
    assert (semaphore.taken, semaphore._waiting) == (0, [])
