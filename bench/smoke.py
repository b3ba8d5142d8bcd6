"""Start-up, ingestion, question latency and memory on the demo library: `make bench-smoke`.

No model, no network. Ratios are taken within one run; seconds are this machine's, idle or not.
"""

import argparse
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core.assistant import Assistant
from core.bootstrap import build
from core.domain import Level, Scope
from core.llm.cache import InMemoryCachedLLM
from core.retrieval.search_cache import CachingRetriever
from core.settings import Settings, StoreSettings

ROOT = Path(__file__).resolve().parent.parent
FAB = ROOT / "examples" / "fab"
SINGLE = (
    "What raises alarm E-217?",
    "How long does the wet clean of a PE-300 chamber take?",
    "What was the root cause in 8D-2025-003?",
    "What is the lead time of part PN-4410?",
    "Who leads the 8D report 8D-2025-003?",
    "At which helium leak is the wafer stopped?",
    "Which lots were put on hold in March 2025?",
    "What does yttrium in the particles point to?",
    "密封带多久检查一次？",
    "更换静电吸盘需要几个人？",
)
COMPOSITE = (
    "Who supplies the electrostatic chuck and when is ETCH-05 to be exchanged?",
    "How long does the wet clean take and who wrote the defect report DR-2025-041?",
    "What is the price of the focus ring and what is its interval in RF hours?",
    "Compare the warning and the alarm limit of the backside helium leak.",
    "Who chaired the yield meeting and what was decided about A77?",
)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def timed(call: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """Return the milliseconds a call takes; what `before` does is not counted."""
    before()
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def ingestion(assistant: Assistant) -> dict[str, float]:
    """Read the demo documents; compare chunks a second until searchable with embedding them alone."""
    files = len([path for path in FAB.iterdir() if path.is_file()])
    assistant.questions.steps().directory.retriever.vector("warm up")
    began = time.perf_counter()
    jobs = assistant.library.ingest([FAB])
    while len(assistant.library.contents.documents()) < files and time.perf_counter() - began < 300:
        time.sleep(0.005)
    searchable = time.perf_counter() - began
    assistant.library.wait(jobs)
    everything = time.perf_counter() - began
    texts = [chunk.passage_text() for chunk in assistant.library.contents.chunks()]
    embedder = assistant.questions.steps().directory.retriever.embedder
    bare = timed(lambda: embedder.encode(texts)) / 1000
    return {
        "documents": len(assistant.library.contents.documents()),
        "chunks": len(texts),
        "seconds_until_searchable": searchable,
        "seconds_until_distilled": everything,
        "chunks_per_second": len(texts) / searchable,
        "bare_embedding_chunks_per_second": len(texts) / bare,
        "share_of_bare_embedding": bare / searchable,
    }


def answered(assistant: Assistant, question: str, **how: Any) -> None:
    """Ask a question and wait for its answer."""
    assistant.questions.wait(assistant.questions.ask(question, **how))


def questions(assistant: Assistant, rounds: int) -> dict[str, float]:
    """Ask every question `rounds` times through the whole house, events saved and all."""
    nodes = assistant.questions.steps()
    retriever, rules = nodes.directory.retriever, nodes.gatherer.llm
    assert isinstance(retriever, CachingRetriever)
    memory = retriever.memory

    def forget() -> None:
        """Let no search and no rule be answered from the question before."""
        memory.forget()
        if isinstance(rules, InMemoryCachedLLM):
            rules.forget()

    times: dict[str, list[float]] = {"gate": [], "gather": [], "L1": [], "L2": []}
    for number in range(rounds + 1):
        for question in SINGLE:
            gate = timed(partial(assistant.questions.read, question))
            gather = timed(partial(nodes.gatherer.gather, question, Scope(), lambda event: None), forget)
            whole = timed(
                partial(answered, assistant, question, level=Level.FACTUAL),
                forget,
            )
            if number:  # the first round loads dictionaries and caches
                times["gate"].append(gate)
                times["gather"].append(gather)
                times["L1"].append(whole)
        for question in COMPOSITE:
            whole = timed(
                partial(answered, assistant, question, strategy="plan"),
                forget,
            )
            if number:
                times["L2"].append(whole)
    found = {
        f"{name}_{label}_ms": quantile(values, share)
        for name, values in times.items()
        for label, share in (("p50", 0.5), ("p95", 0.95))
    }
    return {**found, "L2_of_L1_p50": found["L2_p50_ms"] / found["L1_p50_ms"]}


def launch(store: Path) -> dict[str, float]:
    """Start the app on a filled library; return seconds until a question can be typed (needs Chromium)."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "STRATA_STORE__PATH": str(store), "HF_HUB_OFFLINE": "1"}
    began = time.perf_counter()
    command = [sys.executable, "-c", "from core.cli import main; main()", "run", "--port", str(port)]
    flags = {"STREAMLIT_SERVER_HEADLESS": "true"}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment | flags,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        answered = _until_answered(f"{url}/_stcore/health", began)
        return {"seconds_to_server": answered, **_until_interactive(url, began)}
    finally:
        os.killpg(process.pid, 15)
        process.wait(20)


def _until_answered(url: str, began: float) -> float:
    while time.perf_counter() - began < 120:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return time.perf_counter() - began
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
    return float("nan")


def _until_interactive(url: str, began: float) -> dict[str, float]:
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        return {}
    chromium = next((p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(p).exists()), None)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        except Error:
            return {}
        page = browser.new_page()
        page.goto(url)
        page.locator("[data-testid=stChatInput] textarea").first.wait_for(timeout=120_000)
        seconds = time.perf_counter() - began
        browser.close()
    return {"seconds_to_first_interactive_page": seconds}


def main() -> None:
    """Measure and print, with the goal beside each figure that has one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    parser.add_argument("--no-launch", action="store_true", help="leave the browser out")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="strata-smoke-") as folder:
        store = Path(folder) / "data"
        began = time.perf_counter()
        assistant = build(Settings(store=StoreSettings(path=store)))
        figures: dict[str, float] = {"build_seconds": time.perf_counter() - began}
        try:
            figures |= ingestion(assistant)
            figures |= questions(assistant, given.rounds)
        finally:
            assistant.close()
        figures["peak_memory_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        if not given.no_launch:
            figures |= launch(store)
    if given.json:
        print(json.dumps(figures, indent=2))
        return
    goals = {
        "gate_p50_ms": "<= 10", "L1_p50_ms": "<= 300", "L2_of_L1_p50": "<= 2", "peak_memory_gb": "<= 1.5",
        "share_of_bare_embedding": ">= 0.85",
    }  # fmt: skip
    for name, value in figures.items():
        print(f"{name:36} {value:10.2f}  {goals.get(name, '')}")


if __name__ == "__main__":
    main()
