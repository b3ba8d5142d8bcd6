"""Files that are handed on, opened in a browser: hostile text asks for nothing and runs nothing."""

from pathlib import Path

from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page

from core.bootstrap import build
from core.export.graph_page import GraphLook, graph_page
from core.export.run_export import Exporter
from core.knowledge.stores.records import Edge, Neighbourhood, Node
from core.settings import Settings, StoreSettings
from tests.browser.hostile_runs import hostile_runs

HOSTILE = (
    "<img src=https://evil.example/i.png onerror=window.ran=1> ![x](https://evil.example/p.png) "
    "</title></style></script><script>window.ran=1;fetch('https://evil.example')</script> "
    "<svg onload=window.ran=1> <a href=javascript:window.ran=1>go</a> \\u003cscript\\u003ewindow.ran=1 "
    "--></textarea></pre><meta http-equiv=refresh content='0;url=https://evil.example'> "
    "<base href=https://evil.example> "
    "<style>@import 'https://evil.example/c';body{background:url(https://evil.example/b)}</style> "
    "<div style=\"background:url('https://evil.example/d')\"> <iframe srcdoc='<script>top.ran=1</script>'> "
    "[d](data:text/html,<script>window.ran=1</script>) <object data=data:text/html;base64,PHNjcmlwdD4=> "
    "<form action=https://evil.example><input autofocus onfocus=window.ran=1> "
    "<math href=javascript:window.ran=1>"
)
KINDS = ("commonmark", "default")  # of Markdown
MADE = (
    "img, svg, math, a[href^='javascript'], a[href^='data'], a[href*='evil'], iframe, object, link, base, "
    "form, input, meta[http-equiv='refresh'], [style*='evil'], [onload], [onerror], [onfocus]"
)


def opened(chromium: Browser, path: Path) -> tuple[Page, list[str]]:
    """Open the file; return the page and the addresses it asked for beside its own."""
    asked: list[str] = []
    page = chromium.new_page()
    page.on("request", lambda request: asked.append(request.url) if request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    return page, asked


def test_a_run_over_a_hostile_library_is_exported_as_text(chromium: Browser, tmp_path: Path) -> None:
    source = tmp_path / "pump.md"
    source.write_text(f"# Pump {HOSTILE}\n\nThe pump of ETCH-07 was made by Edwards {HOSTILE} in 2019.\n")
    assistant = build(Settings(store=StoreSettings(path=tmp_path / "library")), warm=False)
    try:
        assistant.library.wait(assistant.library.ingest([source]), timeout=120)
        report = assistant.questions.wait(assistant.questions.ask(f"Who made the pump of ETCH-07? {HOSTILE}"))
        assert report.passages
        markdown = assistant.questions.export_markdown(report.run)
        exported = tmp_path / "run.html"
        exported.write_text(assistant.questions.export_html(report.run), encoding="utf-8")
    finally:
        assistant.close()
    page, asked = opened(chromium, exported)
    assert "made by Edwards" in page.inner_text("body") and "window.ran=1" in page.inner_text("blockquote")
    assert page.locator(MADE).count() == 0 and page.locator("script").count() == 0
    assert asked == [] and page.evaluate("window.ran") is None
    drawn = tmp_path / "drawn.html"  # as a reader of Markdown draws it that lets HTML through
    drawn.write_text(MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown), "utf-8")
    page.close()
    page, asked = opened(chromium, drawn)
    assert "window.ran=1" in page.inner_text("body")
    assert page.locator(MADE).count() == 0 and page.locator("script, style").count() == 0
    assert asked == [] and page.evaluate("window.ran") is None
    page.close()


def test_every_text_of_a_run_is_text_in_its_exports(chromium: Browser, tmp_path: Path) -> None:
    held = 0
    for run, events in hostile_runs(HOSTILE):
        html, markdown = Exporter().html(run, events), Exporter().markdown(run, events)
        held += html.count("window.ran=1") + markdown.count("window.ran=1")
        rendered = [MarkdownIt(kind, {"html": True}).enable("table").render(markdown) for kind in KINDS]
        for text in (html, *rendered):
            written = tmp_path / "exported.html"
            written.write_text(text, encoding="utf-8")
            page, asked = opened(chromium, written)
            assert page.locator(MADE).count() == 0 and page.locator("script").count() == 0
            assert asked == [] and page.evaluate("window.ran") is None
            page.close()
    assert held > 500


def test_a_graph_of_hostile_names_is_drawn_as_text(chromium: Browser, tmp_path: Path) -> None:
    nodes = (
        Node(id="a", kind="entity", label=HOSTILE),
        Node(id="b</script><script>window.ran=1</script>", kind="tag", label="Pump"),
    )
    near = Neighbourhood(nodes=nodes, edges=(Edge(a="a", b=nodes[1].id, kind=HOSTILE),))
    look = GraphLook(
        called=lambda node: node.label,
        colour=lambda _: "#123456",
        label_of=lambda edge: edge.kind,
        kinds=((HOSTILE, "#123456"),),
        lines=HOSTILE,
        dashed=(),
        line="#888888",
        ink="#000000",
        paper="#ffffff",
    )
    drawn = tmp_path / "graph.html"
    drawn.write_bytes(graph_page(near, HOSTILE, look))
    page, asked = opened(chromium, drawn)
    page.wait_for_function("typeof network !== 'undefined' && network.getPositions().a")
    for node in nodes:
        at = page.evaluate("id => network.canvasToDOM(network.getPositions([id])[id])", node.id)
        page.mouse.move(at["x"] + 8, at["y"] + 8, steps=3)
        page.wait_for_timeout(400)  # a tooltip would be drawn
        page.mouse.down()
        page.mouse.up()
        assert page.evaluate("id => network.body.nodes[id].options.label", node.id) == node.label
    page.evaluate(  # no handler of an element runs even if one came in
        "document.body.insertAdjacentHTML('beforeend', '<b id=late onclick=window.ran=1>x</b>'); late.click()"
    )
    assert page.locator(MADE).count() == 0
    assert asked == [] and page.evaluate("window.ran") is None
    page.close()
