"""The training of a decomposer as it goes: walks, data, runs with their loss curves, what to type next."""

import time
from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.learning.dataset import Card
from core.learning.training.training_runs import Run
from core.learning.trajectories import Coverage
from core.ui.shared import display_text, safe, session

COLOURS = ("26, 100, 114", "180, 83, 9", "79, 70, 140", "100, 116, 139")
STATES: dict[str, tuple[display_text.Colour, str]] = {
    "new": ("gray", "not begun"),
    "interrupted": ("orange", "not ended"),
    "done": ("green", "trained"),
}
METHODS = {"sft": "by example", "dpo": "by preference"}
LIVE = 60.0  # seconds since the last point in which a run counts as going
SHOWN = 8
COMMANDS = """strata train collect --questions QUESTIONS.jsonl
strata train data
strata train sft --base MODEL
strata train export RUN --from OLLAMA_MODEL"""


def render_training() -> None:
    """Show everything there is to training, or how to begin."""
    st.markdown(
        "A small model can learn to ask the next question from walks through the library whose answer is "
        "known. It is trained from the terminal, in the extra `train`; nothing leaves this machine."
    )
    runs = session.assistant().learning.workshop.runs.list()
    _stock()
    if not runs:
        st.caption("No model was trained yet. The four steps:")
        st.code(COMMANDS, language=None)
        return
    st.fragment(_runs, run_every="3s" if any(map(_going, runs)) else None)()


def _stock() -> None:
    """Say which walks and training data there are."""
    workshop = session.assistant().learning.workshop
    cards = workshop.cards()
    sets = workshop.sets()
    said = [
        display_text.count(len(sets), "set of walks", "sets of walks"),
        display_text.count(len(cards), "set of training data", "sets of training data"),
    ]
    st.caption("  ·  ".join(said))
    if sets:
        with st.expander("Walks", type="compact"):
            for name in sets:
                _walks(name)
    if cards:
        with st.expander("Training data", type="compact"):
            st.dataframe(_cards(cards), hide_index=True, width="stretch")


def _walks(name: str) -> None:
    """Say for how many questions of a set a path to the right answer was found, by one walk and by many."""
    path = session.assistant().learning.workshop.trajectories(name)
    with session.Guard():
        found = _coverage(name, path.stat().st_mtime)
        counted = display_text.count(found.questions, "question")
        one, many = f"{found.greedy_path:.0%}", f"{found.any_path:.0%}"
        st.markdown(
            f"**{safe.line(name)}**\u2002{counted}. A path to the right answer or to all its passages: "
            f"{one} by one greedy walk, {many} by any of {found.walks + 1} walks.",
            anchors=False,
        )


@st.cache_data(max_entries=16, show_spinner="Reading the walks …")
def _coverage(name: str, changed: float) -> Coverage:
    """Read a set once for every state of its file; `changed` is when it was last written."""
    return session.assistant().learning.workshop.coverage(name)


def _cards(cards: Sequence[Card]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Name": card.name,
                "Walks": card.trajectories,
                "To a right answer": card.right,
                "Questions (train, valid, test)": ", ".join(map(str, card.questions.values())),
                "Samples": sum(n for file, n in card.files.items() if file.startswith("sft")),
                "Pairs": sum(n for file, n in card.files.items() if file.startswith("dpo")),
                "Made by": ", ".join(card.engines),
                "Digest": card.digest,
            }
            for card in cards
        ]
    )


def _going(run: Run) -> bool:
    files = [seed.curve_file for seed in run.seeds if seed.curve_file.is_file()]
    last = max((file.stat().st_mtime for file in files), default=0.0)
    return run.state() != "done" and time.time() - last < LIVE


def _runs() -> None:
    held = session.assistant().learning.workshop.runs.list()
    for run in held[:SHOWN]:
        _run(run)
    if len(held) > SHOWN:
        left = display_text.count(len(held) - SHOWN, "older run")
        st.caption(f"{left}: `strata train runs` lists them.")


def _run(run: Run) -> None:
    colour, state = STATES[run.state()]
    if _going(run):
        colour, state = "blue", "being trained"
    numbers, base = run.recipe.numbers, run.recipe.base
    with st.container(border=True, gap="small", key=f"training_{run.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(state, color=colour)
            st.markdown(f"**{safe.line(run.id)}**", anchors=False)
        weights = f"LoRA of rank {numbers.rank}" if numbers.rank else "every weight"
        st.caption(
            f"{METHODS[run.recipe.method]} · {safe.line('/'.join(base.name.split('/')[-2:]))} "
            f"({safe.line(base.described())}) · {weights} · rate {numbers.learning_rate:g} · "
            f"data {safe.line(run.recipe.data_digest)}"
        )
        left, right = st.columns([3, 2], gap="medium")
        with left:
            if any(seed.curve() for seed in run.seeds):
                st.plotly_chart(figure(run), config={"displayModeBar": False}, key=f"training.curve.{run.id}")
            else:
                st.caption("No step was taken yet.")
        with right:
            st.dataframe(table(run), hide_index=True, width="stretch")
            st.caption(
                "Held out: loss on questions that are not trained on, before and now; dotted in the drawing. "
                "Lower is better."
            )
        _next(run)


def _next(run: Run) -> None:
    """Say what to type: go on, hand over, or what the exported model is called with."""
    if run.state() != "done":
        if not _going(run):
            st.caption("It was cut off. It goes on from its last whole checkpoint:")
            st.code(f"strata train resume {run.id}", language=None)
        return
    made = run.exported()
    if made is None:
        st.caption("Hand it to Ollama; OLLAMA_MODEL is the same base model there:")
        st.code(f"strata train export {run.id} --from OLLAMA_MODEL", language=None, wrap_lines=True)
        return
    st.caption("Exported. In a terminal:")
    st.code("\n".join(made.commands), language=None, wrap_lines=True)
    with st.expander("Modelfile", type="compact"):
        st.code(made.modelfile, language=None, wrap_lines=True)


def table(run: Run) -> pd.DataFrame:
    """Return a row a seed: steps, the training loss now, the held-out loss before and now."""
    rows = []
    for seed in run.seeds:
        curve, ended = seed.curve(), seed.ended()
        held_out = [point.loss for point in curve if point.held_out]
        losses = [point.loss for point in curve if not point.held_out]
        rows.append(
            {
                "Seed": str(seed.number),
                "Steps": str(curve[-1].step) if curve else "–",
                "Loss": f"{losses[-1]:.3f}" if losses else "–",
                "Held out": f"{held_out[0]:.3f} → {held_out[-1]:.3f}" if held_out else "–",
                "Time": display_text.seconds(ended.seconds) if ended else "–",
            }
        )
    return pd.DataFrame(rows)


def figure(run: Run) -> go.Figure:
    """Draw the loss curves, a colour a seed: thin for the training data, dotted for the held-out."""
    drawn = go.Figure()
    for n, seed in enumerate(run.seeds):
        colour = COLOURS[n % len(COLOURS)]
        for held_out, name in ((False, "training"), (True, "held out")):
            points = [point for point in seed.curve() if point.held_out == held_out]
            if not points:
                continue
            drawn.add_scatter(
                x=[point.step for point in points],
                y=[point.loss for point in points],
                mode="lines+markers" if held_out else "lines",
                name=f"seed {seed.number}",
                legendgroup=str(seed.number),
                showlegend=held_out,
                cliponaxis=False,
                line={
                    "color": f"rgba({colour}, {1.0 if held_out else 0.45})",
                    "width": 2.5 if held_out else 1.25,
                    "dash": "dot" if held_out else "solid",
                },
                marker={"size": 7},
                hovertemplate=f"seed {seed.number}, {name}: %{{y:.4f}} at step %{{x}}<extra></extra>",
            )
    drawn.update_layout(
        height=300,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"},
    )
    drawn.update_xaxes(title="step", rangemode="tozero")
    drawn.update_yaxes(title="loss")
    return drawn
