"""Model families by name: a judge must not share its biases with whoever drafted the reference."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

FAMILIES: Final = {
    "openai": r"gpt|chatgpt|o\d(?:$|[-.])|davinci",
    "anthropic": r"claude",
    "google": r"gemini|gemma|palm",
    "meta": r"llama",
    "mistral": r"mi[sx]tral|codestral|magistral|ministral",
    "qwen": r"qwen|qwq",
    "deepseek": r"deepseek",
    "minimax": r"minimax|abab",
    "zhipu": r"glm",
    "moonshot": r"kimi|moonshot",
    "cohere": r"command-|aya-|cohere",
    "xai": r"grok",
    "microsoft": r"phi-?\d",
    "nvidia": r"nemotron",
    "amazon": r"nova-|titan",
    "ibm": r"granite",
    "ai21": r"jamba",
}
_PATTERNS: Final = {name: re.compile(rf"(?:^|[/:_.-])(?:{words})", re.IGNORECASE) for name, words in FAMILIES.items()}


def find_family(model: str) -> str:
    """Return the family of a model by its name, or "" when it is not known; of several the first one named.

    >>> find_family("openai/gpt-4.1-mini"), find_family("deepseek-r1-distill-llama"), find_family("my-model")
    ('openai', 'deepseek', '')
    """
    found = [name for name, pattern in _PATTERNS.items() if pattern.search(model)]
    if not found:
        return ""
    return min(found, key=lambda name: _PATTERNS[name].search(model).start())  # type: ignore[union-attr]


def check_families(judge: str, family: str | None, references: Iterable[str]) -> str:
    """Return the judge's family; raises ValueError when it is unknown, or one that drafted references.

    Args:
        judge: the judge's model name.
        family: its family, where the name does not tell.
        references: names of the models that drafted references; "" where nobody knows of one.
    """
    found = family or find_family(judge)
    if not found:
        raise ValueError(f"which family is {judge!r} of? --family says it ({', '.join(FAMILIES)}, or another word)")
    for model in sorted(set(references) - {""}):
        drafted = find_family(model)
        if not drafted or drafted == found or model == judge:
            other = drafted or "unknown"
            raise ValueError(
                f"the references were drafted by {model!r} (family {other}): {judge!r} ({found}) may share its biases; "
                "take a judge of another family, or pages that another model drafted"
            )
    return found
