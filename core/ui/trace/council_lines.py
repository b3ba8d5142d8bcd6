"""Says the events of a council in one line each."""

from typing import assert_never

from core.i18n.escaping import shorten
from core.i18n.messages import plain, plain_n
from core.i18n.recorded_messages import translated_plain
from core.trace import Criticised, Moderated, PerspectiveGiven, RolesPlanned, Settled
from core.ui.trace.event_words import Line

Debating = RolesPlanned | PerspectiveGiven | Moderated | Criticised | Settled


def council_line(event: Debating) -> Line:
    """Say what happened in the council."""
    match event:
        case RolesPlanned():
            names = ", ".join(role.name for role in event.roles)
            return Line(
                plain(
                    "Called {points} of view", points=plain_n("{n:,} point", "{n:,} points", len(event.roles))
                ),
                plain("{names}. {reason}", names=names, reason=translated_plain(event.reason)),
            )
        case PerspectiveGiven():
            perspective = event.perspective
            made = plain_n("{n:,} proposal", "{n:,} proposals", len(perspective.proposals))
            return Line(
                plain("{name} argued and made {made}", name=shorten(perspective.role.name, 60), made=made),
                perspective.failure,
            )
        case Moderated():
            text = " · ".join(raised.text for raised in event.raised)
            return Line(
                plain(
                    "The moderator raised {points}",
                    points=plain_n("{n:,} point", "{n:,} points", len(event.raised)),
                ),
                text,
            )
        case Criticised():
            against = plain_n("{n:,} objection", "{n:,} objections", len(event.objections))
            return Line(
                plain(
                    "{critic} read {of}: {against}",
                    critic=shorten(event.critic, 60),
                    of=shorten(event.of, 60),
                    against=against,
                ),
                event.failure,
            )
        case Settled():
            ranked = plain_n("{n:,} proposal", "{n:,} proposals", len(event.council.proposals))
            apart = plain_n("{n:,} disagreement", "{n:,} disagreements", len(event.council.disagreements))
            return Line(plain("Settled: {ranked}, {apart}", ranked=ranked, apart=apart))
        case _:
            assert_never(event)
