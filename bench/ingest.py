"""How fast files come in, and where the time goes: `python -m bench.ingest`.

    --passages N       the corpus of the main measurement (6,000 give a steady figure; 0 leaves it out)
    --pdfs             a folder of real PDFs besides, read by the ordinary queue (OCR apart)
    --peers            the same texts through LlamaIndex + Chroma and txtai, with the same weights
    --growth N,N,...   a library that grows to so many passages, each size in its own process
    --stand-in         with --growth: word vectors instead of the model, to measure the rest at large sizes

Everything compared is measured in one run, one after another, on the same texts; what a process loads once
(models, libraries, two workers that read files) is loaded before, on every side. Corpus: the passages of
2WikiMultiHopQA (and, for growth, of HotpotQA, MuSiQue and SciFact) under STRATA_BENCH_DATA.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from bench.data import bench_data
from bench.growth import grow
from bench.peers import PEERS, absent, texts_of_pdfs
from bench.timed import Clock, TimedEmbedder, way_in
from core.ingest.chunked_file import ChunkedFile
from core.ingest.sandbox import parse_in_worker
from core.knowledge.stores.records import Job
from core.llm.encoders.embedders import PackagedEmbedder
from core.work.jobs.job_queue import JobQueue


def corpus(folder: Path, passages: int) -> Path:
    """Write the first passages as a JSON-lines file with titles."""
    path = folder / f"corpus-{passages}.jsonl"
    with (
        bench_data("2wiki", "corpus.jsonl").open(encoding="utf-8") as lines,
        path.open("w", encoding="utf-8") as out,
    ):
        for line, _ in zip(lines, range(passages), strict=False):
            out.write(line)
    return path


def warm(embedder: TimedEmbedder, file: Path) -> None:
    """Load the model, and in both workers that read files what they need for such a one."""
    embedder.embed(["warm", "up"])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda name: parse_in_worker(file, name), [file.name] * 2))


def stages(path: Path, embedder: TimedEmbedder) -> dict[str, float]:
    """Bring the file in, stage by stage; return seconds, shares and rates."""
    library = Path(tempfile.mkdtemp(prefix="strata-bench-"))
    into = way_in(library, embedder)
    clock = Clock()
    embedder.seconds = 0.0
    ready = into.parse_and_chunk(path, path.name, "bench", lambda stage: None)
    clock.lap("read and cut")
    if not isinstance(ready, ChunkedFile):
        raise SystemExit(ready.reason if ready else f"{path.name} is on its way in already")
    into.embed([ready], lambda *_: None)
    clock.lap("embed")
    into.store([ready])
    clock.lap("store")
    searchable, inside = clock.total, embedder.seconds
    for _ in into.enrich(ready.document.id):
        pass
    clock.lap("enrich")
    texts = [chunk.passage_text() for chunk in ready.cut.chunks]
    figures = {
        **clock.laps,
        "chunks": float(len(texts)),
        "searchable after": searchable,
        "share in the model until searchable (goal 0.85)": inside / searchable,
        "share in the model of all": embedder.seconds / clock.total,
        "enriching outside the model, per second of embedding": (
            (clock.laps["enrich"] - (embedder.seconds - inside)) / inside
        ),
    }
    into.knowledge.close()
    shutil.rmtree(library)
    start = time.perf_counter()
    PackagedEmbedder.encode(embedder, texts)
    bare = time.perf_counter() - start
    figures["bare embedding of the same texts"] = bare
    figures["our speed as a share of bare embedding"] = bare / searchable
    figures["chunks a second"] = len(texts) / searchable
    return figures


def queued(folder: Path, embedder: TimedEmbedder) -> tuple[float, int, int, float]:
    """Bring a folder in through the queue; return seconds until searchable, documents, chunks, share in the
    model."""
    library = Path(tempfile.mkdtemp(prefix="strata-bench-"))
    into = way_in(library, embedder)
    runner = JobQueue(into.knowledge, into)
    embedder.seconds = 0.0
    start = time.perf_counter()
    jobs = runner.submit([folder])
    while not all(_searchable(runner.get(job)) for job in jobs):
        time.sleep(0.02)
    seconds, inside = time.perf_counter() - start, embedder.seconds
    runner.wait(jobs)
    counts = into.knowledge.counts()
    for job in map(runner.get, jobs):
        if job.outcome != "read":
            print(f"  {job.name}: {job.outcome}, {job.reason}")
    runner.close()
    into.knowledge.close()
    shutil.rmtree(library)
    return seconds, counts["documents"], counts["chunks"], inside / seconds


def _searchable(job: Job) -> bool:
    return job.stage == "enrich" or job.status not in ("queued", "running")


def compare(
    what: str, texts: list[tuple[str, str]], documents: int, seconds: float, reading: float = 0.0
) -> None:
    """Bring the texts into each peer that is installed and print documents a second, ours and theirs, which
    took `reading` seconds to get the texts."""
    print(f"{what}: documents a second until searchable")
    print(f"  {'Strata':<24}{documents / seconds:>10.2f}")
    for peer in PEERS:
        if missing := absent(peer):
            print(f"  {peer.name:<24}not compared: {missing} is not installed (extra `bench`)")
            continue
        theirs = reading + peer.measure(texts)
        print(
            f"  {peer.name:<24}{documents / theirs:>10.2f}   Strata is {theirs / seconds:.2f} times as fast"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=1000)
    parser.add_argument("--pdfs", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--growth", default="")
    parser.add_argument("--stand-in", action="store_true")
    parser.add_argument("--one-size", type=int, default=0, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one_size:
        print(json.dumps(grow(chosen.one_size, chosen.stand_in)))
        return
    scratch = Path(tempfile.mkdtemp(prefix="strata-corpus-"))
    embedder = TimedEmbedder()
    if chosen.passages:
        warm(embedder, corpus(scratch, 1))
        path = corpus(scratch, chosen.passages)
        figures = stages(path, embedder)
        print(f"Strata, {chosen.passages} passages in one file")
        for name, value in figures.items():
            print(f"  {name:<55}{value:>10.3f}")
        if chosen.peers:
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            texts = [(row["title"], row["text"]) for row in rows]
            compare(f"{len(rows)} passages", texts, len(rows), figures["searchable after"])
    if chosen.pdfs:
        if find_spec("pypdf") is None:
            raise SystemExit("pypdf, which the peers read PDFs with, is not installed (extra `bench`)")
        texts, reading = texts_of_pdfs(bench_data("docs", "pdf"), scratch / "pdfs")
        warm(embedder, min((scratch / "pdfs").iterdir(), key=lambda path: path.stat().st_size))
        seconds, documents, chunks, share = queued(scratch / "pdfs", embedder)
        print(f"{documents} PDFs with text, {chunks} chunks: {seconds:.1f} s, {share:.2f} of it in the model")
        if chosen.peers:
            compare(f"{documents} PDFs", texts, documents, seconds, reading)
    shutil.rmtree(scratch)
    if chosen.growth:
        _print_growth([int(each) for each in chosen.growth.split(",")], chosen.stand_in)


def _print_growth(sizes: list[int], stand_in: bool) -> None:
    kind = "word vectors in place of the model" if stand_in else "the packaged model"
    print(f"Growth, {kind}; files of 1,000 passages each")
    print(
        "  passages  chunks   atoms  searchable s  distilled s  ms a chunk  peak MB  anonymous  folder MB"
        "  of it model s"
    )
    for size in sizes:
        command = [sys.executable, "-m", "bench.ingest", "--one-size", str(size)]
        process = subprocess.run(
            [*command, *(["--stand-in"] if stand_in else [])], stdout=subprocess.PIPE, text=True, check=True
        )
        row = json.loads(process.stdout.splitlines()[-1])
        print(
            f"  {size:>8}{row['chunks']:>8}{row['atoms']:>8}"
            f"{row['searchable']:>14.1f}{row['distilled']:>13.1f}"
            f"{1000 * row['distilled'] / row['chunks']:>12.2f}{row['peak']:>9.0f}{row['anonymous']:>11.0f}"
            f"{row['folder']:>11.0f}{row['model']:>15.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
