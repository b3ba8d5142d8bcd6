"""Puts training together: the training workspace, the trained decomposer, its comparison."""

from dataclasses import replace
from pathlib import Path

from core.assistant import Assistant
from core.bootstrap.model_wiring import trained_of
from core.bootstrap.trajectory_wiring import collector_of
from core.errors import TrainingError
from core.learning.proposer_comparison import ProposerScore, compare
from core.learning.training_workspace import TrainingWorkspace
from core.learning.trajectories import Known
from core.learning.trajectory_collector import LoggedLoop
from core.llm import prompting
from core.llm.delegation import DelegatingLLM
from core.settings import Settings
from core.tasks import ProposeNext


def training_workspace_of(settings: Settings) -> TrainingWorkspace:
    """Return the training workspace in the library's folder; the library need not be open."""
    folder = settings.store.path / "learning"
    return TrainingWorkspace(folder, prompting.fill, settings.train, settings.loop.exploration)


def untrained(settings: Settings) -> Settings:
    """Return the settings without a trained decomposer."""
    llm = settings.llm.model_copy(update={"decomposer": None})
    return settings.model_copy(update={"llm": llm})


def compare_decomposers(
    assistant: Assistant, settings: Settings, questions: list[Known]
) -> dict[str, ProposerScore]:
    """Try the questions with and without the trained decomposer; `assistant` is built `untrained`.

    Raises TrainingError where none is chosen, LLMError.
    """
    trained = trained_of(settings, assistant.library.knowledge)
    if trained is None:
        raise TrainingError(
            "No trained decomposer is chosen.",
            hint="Set STRATA_LLM__DECOMPOSER, or add --adapter with the folder of an adapter.",
        )
    nodes = assistant.questions.steps()
    loop = nodes.loop
    explorer = collector_of(assistant, settings.loop, Path(), 1).explorer
    proposing = DelegatingLLM(loop.llm, ProposeNext, nodes.call_log.around(trained))
    loops = {
        "untrained": replace(loop, one_call=False),
        "untrained, one call": replace(loop, one_call=True),
        "trained, one call": replace(loop, one_call=True, llm=proposing),
    }
    return compare(
        {name: LoggedLoop(loop, nodes.call_log) for name, loop in loops.items()}, explorer, questions
    )
