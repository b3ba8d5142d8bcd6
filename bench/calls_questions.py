"""The questions of `bench.calls`: their kind, their language, and how a model would take them apart."""

from typing import NamedTuple

DOCUMENTS = (  # of the public documents, beside the demo library
    "csv/csv-comma.csv",
    "docx/test.docx",
    "docx/textbox.docx",
    "pdf/RECEIPT-2024-TXN-98765_retail_purchase.pdf",
    "pdf/layout-parser-paper-fast.pdf",
    "pdf/movie-theater-booking-2024.pdf",
    "semiconductor/Wafer_README.md",
    "xlsx/2023-half-year-analyses-by-segment.xlsx",
    "xml/test_rss.xml",
)


class Asked(NamedTuple):
    """A question. `parts`: (question, numbers of the parts it needs)."""

    kind: str  # simple, composite, forecast, ideas
    language: str
    text: str
    parts: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def waves(self) -> int:
        """Return how many waves other parts wait for."""
        depth: list[int] = []
        for _, needs in self.parts:
            depth.append(1 + max((depth[n - 1] for n in needs), default=0))
        return max(depth, default=1) - 1


QUESTIONS = (
    Asked("simple", "en", "How long does the wet clean of a PE-300 chamber take?"),
    Asked("simple", "en", "What is the root cause in 8D report 8D-2025-003?"),
    Asked("simple", "en", "Who supplies the electrostatic chuck PN-4410?"),
    Asked("simple", "en", "What does alarm E-217 mean?"),
    Asked("simple", "en", "Which institution is Zejiang Shen of LayoutParser from?"),
    Asked("simple", "en", "Who was the cashier on TechMart transaction TXN-98765?"),
    Asked("simple", "zh", "密封带多久检查一次？"),
    Asked("simple", "zh", "静电吸盘的交货期是多长？"),
    Asked(
        "composite",
        "en",
        "Who leads the 8D report on the edge particles, and what did the excursion cost in all?",
        (
            ("Who leads the 8D report on the edge particles?", ()),
            ("What did the excursion of the edge particles cost in all?", ()),
        ),
    ),
    Asked(
        "composite",
        "en",
        "What is the lead time of the part that has to be replaced when alarm E-217 is raised and the"
        " seal band is cracked?",
        (
            ("Which part has to be replaced when alarm E-217 is raised and the seal band is cracked?", ()),
            ("What is the lead time of #1?", (1,)),
        ),
    ),
    Asked(
        "composite",
        "en",
        "Compare the helium leak limits of revision B and revision C, and say since when C is valid.",
        (
            ("What is the helium leak limit of revision B?", ()),
            ("What is the helium leak limit of revision C?", ()),
            ("Since when is revision C valid?", ()),
        ),
    ),
    Asked(
        "composite",
        "en",
        "Which tool carries a chuck of the same batch as ETCH-03, by when is it to be exchanged, by"
        " which procedure, and how long does the exchange take?",
        (
            ("Which tool carries a chuck of the same batch as ETCH-03?", ()),
            ("By when is the chuck of #1 to be exchanged?", (1,)),
            ("By which procedure is the chuck of #1 to be exchanged?", (1,)),
            ("How long does the exchange of an electrostatic chuck take?", ()),
        ),
    ),
    Asked(
        "composite",
        "en",
        "Who wrote the defect report that led to the 8D report on edge particles, and in which department"
        " does that person work?",
        (
            ("Who wrote the defect report that led to the 8D report on edge particles?", ()),
            ("In which department does #1 work?", (1,)),
        ),
    ),
    Asked(
        "composite",
        "en",
        "Which movies are in the Starlight Cinemas holiday marathon package, and who is its primary contact?",
        (
            ("Which movies are in the Starlight Cinemas holiday marathon package?", ()),
            ("Who is the primary contact of the Starlight Cinemas holiday marathon booking?", ()),
        ),
    ),
    Asked(
        "composite",
        "zh",
        "4月15日的良率周会决定由谁更换 ETCH-05 的静电吸盘，按哪份规程执行，更换需要多长时间？",
        (
            ("4月15日的良率周会决定由谁更换 ETCH-05 的静电吸盘？", ()),
            ("更换 ETCH-05 的静电吸盘按哪份规程执行？", ()),
            ("#2规定的更换需要多长时间？", (2,)),
        ),
    ),
    Asked(
        "composite",
        "zh",
        "氦气泄漏报警上限降到了多少，ETCH-05 目前的泄漏量是多少？",
        (("氦气泄漏报警上限降到了多少？", ()), ("ETCH-05 目前的氦气泄漏量是多少？", ())),
    ),
    Asked("forecast", "en", "What will the yield of A77 be in the next three months?"),
    Asked("forecast", "en", "Forecast the yield of product B12 for the next half year."),
    Asked("forecast", "en", "How many wafers of A77 will be started next month?"),
    Asked("forecast", "zh", "预测未来三个月 A77 的良率。"),
    Asked("ideas", "en", "Propose ways to reduce edge particles on product A77."),
    Asked("ideas", "en", "How could we shorten the wet clean of a chamber without losing quality?"),
    Asked("ideas", "en", "Suggest improvements to how chuck batches are checked before they reach a tool."),
    Asked("ideas", "zh", "请提出减少边缘颗粒的改进方案。"),
)
