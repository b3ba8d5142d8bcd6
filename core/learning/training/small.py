"""A small language model with random weights: to learn from scratch, and to try every path in seconds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.learning.training.extra import load

TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
MARKS = ("<|pad|>", "<|end|>", "<|unknown|>", "<|system|>", "<|user|>", "<|assistant|>")


def make(
    folder: Path,
    texts: Sequence[str],
    *,
    words: int = 2000,
    width: int = 128,
    layers: int = 2,
    heads: int = 4,
    window: int = 1024,
    seed: int = 7,
) -> Path:
    """Write a Llama of this size with a byte-level tokenizer learnt from the texts; return its folder."""
    transformers = load("transformers")
    transformers.set_seed(seed)
    tokenizer = _tokenizer(texts, words)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=width * 3,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=window,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        tie_word_embeddings=True,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))
    return folder


def _tokenizer(texts: Sequence[str], words: int) -> Any:
    parts, transformers = load("tokenizers"), load("transformers")
    made = parts.Tokenizer(parts.models.BPE(unk_token=MARKS[2]))
    made.pre_tokenizer = parts.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = parts.decoders.ByteLevel()
    trainer = parts.trainers.BpeTrainer(
        vocab_size=words,
        special_tokens=list(MARKS),
        initial_alphabet=parts.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(texts, trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token=MARKS[0], eos_token=MARKS[1], unk_token=MARKS[2]
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer
