"""Trains one seed of a run: supervised on samples, or by preference on pairs (DPO), from where it stopped."""

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from core.errors import TrainingError
from core.learning.dataset import opened, pairs_of, samples_of
from core.learning.journal import append, write
from core.learning.samples import Message, Split
from core.learning.training.base_model import CARD, describe, fitting, model_of, tokenizer_of, with_adapter
from core.learning.training.extra import load
from core.learning.training.training_runs import WHOLE, Ended, LossPoint, Recipe, Seed, TrainingRun

OnLoss = Callable[[Seed, LossPoint], None]
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Training:
    """Trains the seeds of a run that have not ended yet."""

    run: TrainingRun
    on_loss: OnLoss = lambda seed, point: None

    def train(self) -> None:
        """Train until every seed has ended; may be cut off at any moment and called again.

        Raises TrainingError for data, a base or an adapter that are not those of the recipe, and for a run
        that another process is training.
        """
        lock = FileLock(self.run.folder / "lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise TrainingError(
                f"Another process is training run {self.run.id}.",
                hint="Let it end, or stop it and go on with `strata train resume`.",
            ) from error
        except OSError as error:
            raise TrainingError(
                f"{self.run.folder} cannot be locked: {error.strerror}.",
                hint="Training needs a folder on a disk of this machine.",
            ) from error
        try:
            self._train()
        finally:
            lock.release()

    def _train(self) -> None:
        recipe = self.run.recipe
        data = Path(recipe.data)
        if opened(data).digest != recipe.data_digest:
            raise TrainingError(
                f"The data of run {self.run.id} was made anew since it began.",
                hint=f"Begin a new run with `strata train {recipe.method}`, or bring the old data back.",
            )
        fitting_base(recipe)
        for seed in self.run.seeds:
            if seed.ended() is None:
                with warnings.catch_warnings():
                    # What the libraries say to each other about their next versions is not for the reader.
                    warnings.simplefilter("ignore", FutureWarning)
                    self._seed(seed, rows_of(recipe, "train"), rows_of(recipe, "valid"))

    def _seed(self, seed: Seed, rows: Rows, held_out: Rows) -> None:
        began = time.perf_counter()
        recipe = self.run.recipe
        checkpoint = seed.checkpoint()
        seed.back_to(int(checkpoint.name.rsplit("-", 1)[1]) if checkpoint else 0)
        trainer = _trainer(recipe, seed, rows, held_out)
        trainer.remove_callback(load("transformers").PrinterCallback)
        trainer.add_callback(_progress_callback(seed, self.on_loss))
        if checkpoint is None:
            write(seed.curve_file, ())
            trainer.evaluate()
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        step = trainer.state.global_step
        if not any(point.held_out and point.step == step for point in seed.curve()):
            trainer.evaluate()
        self._keep(trainer, seed)
        curve = seed.curve()
        held_out_losses = [point.loss for point in curve if point.held_out]
        losses = [point.loss for point in curve if not point.held_out]
        ended = Ended(
            steps=step,
            loss=losses[-1] if losses else None,
            held_out_before=held_out_losses[0],
            held_out=held_out_losses[-1],
            seconds=round(time.perf_counter() - began, 2),
        )
        seed.end(ended)

    def _keep(self, trainer: Any, seed: Seed) -> None:
        """Write what was trained, with the card of its base."""
        # DPO on an adapter keeps a frozen copy of it beside the one that learns.
        only = {"selected_adapters": ["default"]} if hasattr(trainer.model, "peft_config") else {}
        trainer.model.save_pretrained(str(seed.adapter), **only)
        trainer.processing_class.save_pretrained(str(seed.adapter))
        (seed.adapter / CARD).write_text(self.run.recipe.base.model_dump_json(indent=2), "utf-8")


def fitting_base(recipe: Recipe) -> None:
    """Raise TrainingError if the base is not the recipe's any more, or the adapter was made for another."""
    here = describe(recipe.base.name)
    if here.digest != recipe.base.digest:
        raise TrainingError(
            f"{recipe.base.name} is another model now: {here.described()}, not {recipe.base.described()}.",
            hint="Begin a new run, or bring the old model back.",
        )
    if recipe.adapter:
        fitting(Path(recipe.adapter), recipe.base.name)


def rows_of(recipe: Recipe, split: Split) -> Rows:
    """Return the conversations of a split as trl wants them. Raises TrainingError where there are none."""
    folder = Path(recipe.data)
    rows: Rows
    if recipe.method == "sft":
        rows = [
            {"prompt": _chat(one.messages[:-1]), "completion": _chat(one.messages[-1:])}
            for one in samples_of(folder, split)
        ]
    else:
        rows = [
            {"prompt": _chat(one.prompt), "chosen": _chat(one.chosen), "rejected": _chat(one.rejected)}
            for one in pairs_of(folder, split)
        ]
    if not rows:
        kind = "samples" if recipe.method == "sft" else "pairs"
        raise TrainingError(
            f"The {split} split holds no {kind}.",
            hint="Collect trajectories of more questions; about one in ten goes to each held-out split.",
        )
    return rows


def _chat(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in messages]


def _short_enough(tokenizer: Any, rows: Rows, most: int) -> None:
    """Raise TrainingError for a row that would be cut."""
    longest = max(
        len(tokenizer.apply_chat_template([*row["prompt"], *last], tokenize=True)["input_ids"])
        for row in rows
        for last in (row.get("completion") or row["chosen"],)
    )
    if longest > most:
        raise TrainingError(
            f"The longest sample has {longest} tokens, {most} are allowed; nothing is cut silently.",
            hint=f"Set STRATA_TRAIN__MAX_LENGTH to {longest} or more, or collect with fewer rounds.",
        )


def _trainer(recipe: Recipe, seed: Seed, rows: Rows, held_out: Rows) -> Any:
    """Return trl's trainer for the recipe; the same seed gives the same order, so it can continue."""
    trl, datasets, torch = load("trl"), load("datasets"), load("torch")
    numbers = recipe.numbers
    tokenizer = tokenizer_of(recipe.base.name)
    if tokenizer.chat_template is None:
        raise TrainingError(
            f"{recipe.base.name} has no chat template.", hint="Train an instruction-tuned model instead."
        )
    _short_enough(tokenizer, [*rows, *held_out], numbers.max_length)
    load("transformers").set_seed(seed.number)
    dtype = _dtype(numbers.dtype, torch)
    model = model_of(recipe.base.name, dtype=dtype)
    updates = max(1, len(rows) // (numbers.batch * numbers.accumulate)) * numbers.epochs
    common: dict[str, Any] = {
        "output_dir": str(seed.steps),
        "learning_rate": numbers.learning_rate,
        "num_train_epochs": numbers.epochs,
        "per_device_train_batch_size": numbers.batch,
        "per_device_eval_batch_size": numbers.batch,
        "gradient_accumulation_steps": numbers.accumulate,
        "warmup_steps": int(numbers.warmup * updates),
        "lr_scheduler_type": numbers.schedule,
        "weight_decay": numbers.weight_decay,
        "max_grad_norm": numbers.max_grad_norm,
        "max_length": numbers.max_length,
        "logging_steps": numbers.log_steps,
        "save_steps": numbers.save_steps,
        "eval_steps": numbers.eval_steps,
        "eval_strategy": "steps",
        "save_total_limit": numbers.checkpoints,
        "seed": seed.number,
        "data_seed": seed.number,
        "bf16": dtype is torch.bfloat16,
        "fp16": dtype is torch.float16,
        "use_cpu": not torch.cuda.is_available(),
        "activation_checkpointing": numbers.recompute,
        "dataloader_pin_memory": torch.cuda.is_available(),
        "disable_tqdm": True,
        "report_to": "none",
        "log_level": "error",
    }
    made: dict[str, Any] = {
        "train_dataset": datasets.Dataset.from_list(rows),
        "eval_dataset": datasets.Dataset.from_list(held_out),
        "processing_class": tokenizer,
    }
    if recipe.adapter:
        model = with_adapter(model, Path(recipe.adapter), trainable=True)
    elif numbers.rank:
        made["peft_config"] = load("peft").LoraConfig(
            r=numbers.rank,
            lora_alpha=numbers.alpha,
            lora_dropout=numbers.dropout,
            target_modules=list(numbers.modules) or "all-linear",
            task_type="CAUSAL_LM",
        )
    if recipe.method == "sft":
        return trl.SFTTrainer(model, args=trl.SFTConfig(**common), **made)
    return trl.DPOTrainer(model, args=trl.DPOConfig(beta=numbers.beta, **common), **made)


def _dtype(wanted: str, torch: Any) -> Any:
    if wanted == "auto":
        able = torch.cuda.is_available() and torch.cuda.is_bf16_supported()
        return torch.bfloat16 if able else torch.float32
    return getattr(torch, wanted)


def _progress_callback(seed: Seed, on_loss: OnLoss) -> Any:
    """Return a callback that keeps the curve and marks checkpoints that were written whole."""

    class ProgressCallback(load("transformers").TrainerCallback):  # type: ignore[misc]
        def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float], **rest: Any) -> None:
            for name, held_out in (("loss", False), ("eval_loss", True)):
                if name in logs:
                    prefix = "eval_" if held_out else ""
                    right = logs.get(f"{prefix}mean_token_accuracy")
                    point = LossPoint(
                        step=state.global_step,
                        epoch=float(logs.get("epoch") or 0.0),
                        loss=float(logs[name]),
                        held_out=held_out,
                        rate=float(logs.get("learning_rate") or 0.0),
                        accuracy=logs.get(f"{prefix}rewards/accuracies", right),
                    )
                    append(seed.curve_file, point)
                    on_loss(seed, point)

        def on_save(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
            (seed.steps / f"checkpoint-{state.global_step}" / WHOLE).touch()

    return ProgressCallback()
