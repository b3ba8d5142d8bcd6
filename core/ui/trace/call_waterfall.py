"""The calls of a run as a waterfall: when each was made, its seconds and its tokens."""

from collections.abc import Callable
from dataclasses import dataclass

import plotly.graph_objects as go

from core.domain import BUILT_IN
from core.i18n.escaping import join, line
from core.i18n.messages import mark, plain, plain_n, say_plain, t, tn
from core.i18n.recorded_messages import translated
from core.tasks import Call
from core.ui.shared import display_text, st
from core.ui.trace import event_words
from core.ui.trace.run_trace import RunTrace, StepSpan, TimedCall

BAR_PIXELS = 26  # pixels a bar
MAX_BARS = 60  # bars; a run of more is drawn without its steps
COLOURS = {"step": "rgba(128, 134, 132, 0.35)", "model": "#2f8796", "rules": "#b7791f", "cached": "#8d9492"}
NAMES = {
    "step": mark("step"),
    "model": mark("call to a model"),
    "rules": mark("built-in rules"),
    "cached": mark("from the cache"),
}


@dataclass(frozen=True)
class Bar:
    """A bar of the waterfall, in seconds since the run began."""

    name: str
    start: float
    seconds: float
    kind: str  # step, model, rules, cached
    label: str
    call: int | None = None


def bars(trace: RunTrace) -> list[Bar]:
    """Return steps and calls in the order in which they began."""
    found = [_made(n, made) for n, made in enumerate(trace.calls)]
    steps = [_step(span) for span in trace.spans]
    if len(found) + len(steps) <= MAX_BARS:
        found += steps
    return sorted(found, key=lambda bar: (bar.start, -bar.seconds))


def _step(span: StepSpan) -> Bar:
    took = span.end - span.start
    part = span.sub_question
    name = event_words.step(span.step) if part is None else plain("Part {part}", part=part)
    return Bar(name, span.start, took, "step", display_text.seconds(took))


def _made(n: int, made: TimedCall) -> Bar:
    call = made.call
    kind = "cached" if call.cached else "rules" if call.engine == BUILT_IN else "model"
    start = max(0.0, made.at - call.seconds)
    return Bar(
        _where(event_words.task(call.task), made.sub_question), start, call.seconds, kind, tokens(call), n
    )


def tokens(call: Call) -> str:
    """Say a call's seconds and tokens: "2.4 s · 812 in, 96 out"."""
    text = display_text.seconds(call.seconds)
    if call.cached:
        return plain("{said} · from the cache", said=text)
    counted = plain("{read:,} in, {written:,} out", read=call.tokens_in, written=call.tokens_out)
    return f"{text} · {counted}" if call.tokens_in else text


def _where(name: str, part: int | None) -> str:
    return f"{name} · {part}" if part is not None else name


def figure(trace: RunTrace) -> go.Figure:
    """Draw the bars on one axis of seconds; the number of a call is what a pressed bar hands over."""
    drawn_bars = bars(trace)
    drawn = go.Figure()
    for kind, colour in COLOURS.items():
        rows = [(at, bar) for at, bar in enumerate(drawn_bars) if bar.kind == kind]
        if not rows:
            continue
        drawn.add_bar(
            orientation="h",
            name=say_plain(NAMES[kind]),
            y=[at for at, _ in rows],
            x=[max(bar.seconds, trace.seconds * 0.004) for _, bar in rows],
            base=[bar.start for _, bar in rows],
            width=0.62,
            marker={"color": colour},
            customdata=[[bar.call if bar.call is not None else -1] for _, bar in rows],
            hovertext=[f"{bar.name}: {bar.start:.3f} s, {bar.label}" for _, bar in rows],
            hoverinfo="text",
        )
    for at, bar in enumerate(drawn_bars):
        late = bar.start > trace.seconds - bar.start - bar.seconds  # written where there is more room
        drawn.add_annotation(
            x=bar.start if late else bar.start + bar.seconds,
            y=at,
            text=bar.label,
            showarrow=False,
            xanchor="right" if late else "left",
            xshift=-3 if late else 5,
            font={"size": 11},
        )
    drawn.update_layout(
        height=70 + BAR_PIXELS * len(drawn_bars),
        barmode="overlay",
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
    )
    drawn.update_yaxes(
        tickvals=list(range(len(drawn_bars))),
        ticktext=[bar.name for bar in drawn_bars],
        autorange="reversed",
        automargin=True,
        showgrid=False,
    )
    drawn.update_xaxes(title=plain("seconds"), range=[0, max(trace.seconds, 1e-3) * 1.02])
    return drawn


def show(trace: RunTrace, choose: Callable[[str], None], key: str) -> None:
    """Draw the waterfall with its sums; a call that is pressed is chosen in the tree."""

    def pressed() -> None:
        points = st.session_state[key]["selection"]["points"]
        if points and points[0]["customdata"][0] >= 0:
            choose(f"call:{points[0]['customdata'][0]}")

    made = [timed.call for timed in trace.calls]
    read = sum(call.tokens_in for call in made if not call.cached)
    wrote = sum(call.tokens_out for call in made if not call.cached)
    engines = trace.engines()
    parts = [
        plain("{seconds} in all", seconds=display_text.seconds(trace.seconds)),
        plain(
            "{calls} by {engines}",
            calls=plain_n("{n:,} call", "{n:,} calls", len(made)),
            engines=", ".join(map(display_text.engine, engines)),
        ),
        plain("{read:,} tokens in, {wrote:,} out", read=read, wrote=wrote)
        if read
        else plain("no tokens: no model was asked"),
    ]
    st.caption(join(" · ", parts))
    st.plotly_chart(
        figure(trace),
        config={"displayModeBar": False},
        key=key,
        on_select=pressed,
        selection_mode="points",
        width="stretch",
    )


def call(made: TimedCall) -> None:
    """Show one call: its figures, its prompt and its reply."""
    record = made.call
    facts = [
        line(display_text.engine(record.engine)),
        tokens(record),
        tn("{n:,} repair", "{n:,} repairs", record.repairs) if record.repairs else "",
        plain("{trimmed} pieces left out", trimmed=record.trimmed) if record.trimmed else "",
        plain("prompt version {digest}", digest=record.prompt_hash) if record.prompt_hash else "",
    ]
    st.caption(join(" · ", filter(None, facts)))
    if record.fallback:
        st.caption(
            t("The built-in engine answered instead of the model: {fallback}", fallback=record.fallback)
        )
    for note in record.notes:
        st.caption(translated(note))
    asked, replied = st.tabs([t("Prompt"), t("Reply")])
    with asked:
        empty = plain("The built-in engine works on the typed task and has no prompt.")
        st.code(
            record.prompt or empty, language=None, wrap_lines=True, height=420 if record.prompt else "content"
        )
    with replied:
        st.code(
            record.reply or plain("(not kept)"),
            language=None,
            wrap_lines=True,
            height=420 if len(record.reply) > 1000 else "content",
        )
