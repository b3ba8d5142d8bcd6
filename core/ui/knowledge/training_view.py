"""The training of a decomposer as it goes: attempts, data, runs with their loss curves, what to type next."""

import time
from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.i18n.escaping import join, layout
from core.i18n.messages import Message, mark, plain, say, t, tn
from core.learning.context_sampling import PoolPassage, SamplingSummary
from core.learning.dataset import Card
from core.learning.training.training_runs import TrainingRun
from core.learning.trajectories import Coverage
from core.ui.shared import display_text, session, st

COLOURS = ("26, 100, 114", "180, 83, 9", "79, 70, 140", "100, 116, 139")
STATES: dict[str, tuple[display_text.Colour, Message]] = {
    "new": ("gray", mark("not begun")),
    "interrupted": ("orange", mark("not ended")),
    "done": ("green", mark("trained")),
}
METHODS = {"sft": mark("by example"), "dpo": mark("by preference")}
LIVE_SECONDS = 60.0  # seconds since the last point in which a run counts as going
MAX_RUNS = 8
MAX_PASSAGES = 300  # of a set that are listed with their bounds
COMMANDS = """strata train collect --questions QUESTIONS.jsonl
strata train data
strata train sft --base MODEL
strata train export RUN --from OLLAMA_MODEL"""


def render_training() -> None:
    """Show everything there is to training, or how to begin."""
    st.markdown(
        t(
            "A small model can learn to ask the next question from attempts over the library whose answer is "
            "known. It is trained from the terminal, in the extra `train`; nothing leaves this machine."
        )
    )
    runs = session.assistant().learning.training_workspace.training_runs()
    _stock()
    if not runs:
        st.caption(t("No model was trained yet. The four steps:"))
        st.code(COMMANDS, language=None)
        return
    st.fragment(_runs, run_every=3.0 if any(map(_going, runs)) else None)()


def _stock() -> None:
    """Say which attempts and training data there are."""
    training_workspace = session.assistant().learning.training_workspace
    cards = training_workspace.cards()
    sets = training_workspace.sets()
    parts = [
        tn("{n:,} set of attempts", "{n:,} sets of attempts", len(sets)),
        tn("{n:,} set of training data", "{n:,} sets of training data", len(cards)),
    ]
    st.caption(join("  ·  ", parts))
    if sets:
        with st.expander(t("Attempts"), type="compact"):
            for name in sets:
                _attempts(name)
    if cards:
        with st.expander(t("Training data"), type="compact"):
            st.dataframe(_cards(cards), hide_index=True, width="stretch")


def _attempts(name: str) -> None:
    """Say for how many questions one attempt found the right answer, and for how many any of them."""
    path = session.assistant().learning.training_workspace.trajectories(name)
    with session.Guard():
        with st.spinner(t("Reading the attempts …")):
            found = _coverage(name, path.stat().st_mtime)
        counted = tn("{n:,} question", "{n:,} questions", found.questions)
        one, many = f"{found.greedy_path:.0%}", f"{found.any_path:.0%}"
        st.markdown(
            t(
                "**{name}**\u2002{counted}. A path to the right answer or to all its passages: "
                "{one} by one greedy attempt, {many} by any of {attempts} attempts.",
                name=name,
                counted=counted,
                one=one,
                many=many,
                attempts=found.attempts + 1,
            ),
            anchors=False,
        )
        _sampling(_drawn(name, path.stat().st_mtime), name)


def _sampling(drawn: SamplingSummary, name: str) -> None:
    """Show the scores and visits the bandit kept: what of the nearly chosen was read besides, and why."""
    if not drawn.passages:
        return
    summary = tn(
        "{n:,} passage was nearly chosen; {draws} draws by upper confidence bounds read of them.",
        "{n:,} passages were nearly chosen; {draws} draws by upper confidence bounds read of them.",
        len(drawn.passages),
        draws=f"{drawn.draws:,}",
    )
    gold = t(
        "Gold: {drawn} of the draws, {held} of these passages.",
        drawn=f"{drawn.gold_draws:.0%}",
        held=f"{drawn.gold_passages:.0%}",
    )
    st.caption(join(" ", [summary, gold] if drawn.gold_passages else [summary]))
    st.dataframe(
        sampled_table(drawn.passages[:MAX_PASSAGES]),
        hide_index=True,
        width="stretch",
        height=240,
        column_config={
            plain("Question"): st.column_config.Column(width=260),
            plain("Passage, by what found it"): st.column_config.Column(width=340),
        },
        key=f"training.sampling.{name}",
    )
    if len(drawn.passages) > MAX_PASSAGES:
        left = len(drawn.passages) - MAX_PASSAGES
        st.caption(tn("{n:,} more passage", "{n:,} more passages", left))


def sampled_table(passages: Sequence[PoolPassage]) -> pd.DataFrame:
    """Return a row a passage: score, draws (visits less one) as exported, and the bound they give."""
    return pd.DataFrame(
        [
            {
                plain("Question"): one.question,
                plain("Passage, by what found it"): one.text,
                plain("Score"): one.score,
                plain("Drawn"): one.visits - 1,
                plain("Bound"): one.bound,
                plain("Gold"): one.gold,
            }
            for one in passages
        ]
    )


@st.cache_data(max_entries=16, show_spinner=False)
def _drawn(name: str, changed: float) -> SamplingSummary:
    """Read a set once for every state of its file, as `_coverage` does."""
    return session.assistant().learning.training_workspace.sampling(name)


@st.cache_data(max_entries=16, show_spinner=False)
def _coverage(name: str, changed: float) -> Coverage:
    """Read a set once for every state of its file; `changed` is when it was last written."""
    return session.assistant().learning.training_workspace.coverage(name)


def _cards(cards: Sequence[Card]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                plain("Name"): card.name,
                plain("Attempts"): card.trajectories,
                plain("To a right answer"): card.right,
                plain("Questions (train, valid, test)"): ", ".join(map(str, card.questions.values())),
                plain("Samples"): sum(n for file, n in card.files.items() if file.startswith("sft")),
                plain("Pairs"): sum(n for file, n in card.files.items() if file.startswith("dpo")),
                plain("Made by"): ", ".join(card.engines),
                plain("Digest"): card.digest,
            }
            for card in cards
        ]
    )


def _going(run: TrainingRun) -> bool:
    files = [seed.curve_file for seed in run.seeds if seed.curve_file.is_file()]
    last = max((file.stat().st_mtime for file in files), default=0.0)
    return run.state() != "done" and time.time() - last < LIVE_SECONDS


def _runs() -> None:
    runs = session.assistant().learning.training_workspace.training_runs()
    for run in runs[:MAX_RUNS]:
        _run(run)
    if len(runs) > MAX_RUNS:
        left = tn("{n:,} older run", "{n:,} older runs", len(runs) - MAX_RUNS)
        st.caption(t("{older}: `strata train runs` lists them.", older=left))


def _run(run: TrainingRun) -> None:
    colour, state = STATES[run.state()]
    if _going(run):
        colour, state = "blue", mark("being trained")
    numbers, base = run.recipe.numbers, run.recipe.base
    with st.container(border=True, gap="small", key=f"training_{run.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(say(state), color=colour)
            st.markdown(layout("**{id}**", id=run.id), anchors=False)
        weights = t("LoRA of rank {rank}", rank=numbers.rank) if numbers.rank else t("every weight")
        st.caption(
            t(
                "{method} · {base} ({described}) · {weights} · rate {rate:g} · data {digest}",
                method=say(METHODS[run.recipe.method]),
                base="/".join(base.name.split("/")[-2:]),
                described=base.described(),
                weights=weights,
                rate=numbers.learning_rate,
                digest=run.recipe.data_digest,
            )
        )
        left, right = st.columns([3, 2], gap="medium")
        with left:
            if any(seed.curve() for seed in run.seeds):
                st.plotly_chart(figure(run), config={"displayModeBar": False}, key=f"training.curve.{run.id}")
            else:
                st.caption(t("No step was taken yet."))
        with right:
            st.dataframe(table(run), hide_index=True, width="stretch")
            st.caption(
                t(
                    "Held out: loss on questions that are not trained on, before and now; dotted in the "
                    "drawing. Lower is better."
                )
            )
        _next(run)


def _next(run: TrainingRun) -> None:
    """Say what to type: continue, hand over, or what the exported model is called with."""
    if run.state() != "done":
        if not _going(run):
            st.caption(t("It was cut off. It goes on from its last whole checkpoint:"))
            st.code(f"strata train resume {run.id}", language=None)
        return
    made = run.exported()
    if made is None:
        st.caption(t("Hand it to Ollama; OLLAMA_MODEL is the same base model there:"))
        st.code(f"strata train export {run.id} --from OLLAMA_MODEL", language=None, wrap_lines=True)
        return
    st.caption(t("Exported. In a terminal:"))
    st.code("\n".join(made.commands), language=None, wrap_lines=True)
    with st.expander(t("Modelfile"), type="compact"):
        st.code(made.modelfile, language=None, wrap_lines=True)


def table(run: TrainingRun) -> pd.DataFrame:
    """Return a row a seed: steps, the training loss now, the held-out loss before and now."""
    rows = []
    for seed in run.seeds:
        curve, ended = seed.curve(), seed.ended()
        held_out = [point.loss for point in curve if point.held_out]
        losses = [point.loss for point in curve if not point.held_out]
        rows.append(
            {
                plain("Seed"): str(seed.number),
                plain("Steps"): str(curve[-1].step) if curve else "–",
                plain("Loss"): f"{losses[-1]:.3f}" if losses else "–",
                plain("Held out"): f"{held_out[0]:.3f} → {held_out[-1]:.3f}" if held_out else "–",
                plain("Time"): display_text.seconds(ended.seconds) if ended else "–",
            }
        )
    return pd.DataFrame(rows)


def figure(run: TrainingRun) -> go.Figure:
    """Draw the loss curves, a colour a seed: thin for the training data, dotted for the held-out."""
    drawn = go.Figure()
    for n, seed in enumerate(run.seeds):
        colour = COLOURS[n % len(COLOURS)]
        for held_out, name in ((False, plain("training")), (True, plain("held out"))):
            points = [point for point in seed.curve() if point.held_out == held_out]
            if not points:
                continue
            drawn.add_scatter(
                x=[point.step for point in points],
                y=[point.loss for point in points],
                mode="lines+markers" if held_out else "lines",
                name=plain("seed {number}", number=seed.number),
                legendgroup=str(seed.number),
                showlegend=held_out,
                cliponaxis=False,
                line={
                    "color": f"rgba({colour}, {1.0 if held_out else 0.45})",
                    "width": 2.5 if held_out else 1.25,
                    "dash": "dot" if held_out else "solid",
                },
                marker={"size": 7},
                hovertemplate=plain(
                    "seed {number}, {name}: {loss} at step {step}",
                    number=seed.number,
                    name=name,
                    loss="%{y:.4f}",
                    step="%{x}",
                )
                + "<extra></extra>",
            )
    drawn.update_layout(
        height=300,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"},
    )
    drawn.update_xaxes(title=plain("step"), rangemode="tozero")
    drawn.update_yaxes(title=plain("loss"))
    return drawn
