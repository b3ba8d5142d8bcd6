"""A second embedding model that needs no download: a tiny BERT with random weights, saved as a folder."""

import string
from pathlib import Path

WINDOW = 48


def save_tiny_model(folder: Path, seed: int = 7, width: int = 24) -> Path:
    """Save a sentence-transformers model (letters as tokens, `width` dimensions, a narrow window)."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(seed)
    source = folder / "source"
    source.mkdir(parents=True)
    letters = string.ascii_lowercase + string.digits
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters)]
    (source / "vocab.txt").write_text("\n".join(tokens), "utf-8")
    BertTokenizerFast(vocab_file=str(source / "vocab.txt"), model_max_length=WINDOW).save_pretrained(source)
    BertModel(
        BertConfig(
            vocab_size=len(tokens), hidden_size=width, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=32, max_position_embeddings=WINDOW,
        )
    ).save_pretrained(source)  # fmt: skip
    transformer = Transformer(str(source), max_seq_length=WINDOW)
    pooling = Pooling(width, pooling_mode="mean")
    SentenceTransformer(modules=[transformer, pooling], device="cpu").save(str(folder / "tiny"))
    return folder / "tiny"
