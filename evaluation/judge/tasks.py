"""What the judge is asked: a page's reference and its outputs under letters that a shuffle gave them."""

from __future__ import annotations

import hashlib
import random
import string
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from evaluation.judge.answers import build_schema
from evaluation.pages import Page

TEXT_CHARS: Final = 12_000
BYTES_PER_TOKEN: Final = 3.5  # low, so that estimates are high
ANSWER_TOKENS: Final = 45  # a candidate

Message = dict[str, str]


class Task(msgspec.Struct):
    """One question: which page, which repetition, whose output has which letter.

    Attributes:
        labels: letter → extractor, in the order of the letters. The judge never sees the right side.
        messages: what the judge reads.
    """

    page: str
    repetition: int
    labels: dict[str, str]
    messages: list[Message]

    @property
    def input_tokens(self) -> int:
        """How many tokens the question has, about."""
        return round(sum(len(message["content"].encode()) for message in self.messages) / BYTES_PER_TOKEN)

    @property
    def output_tokens(self) -> int:
        """How many tokens the answer will have, about."""
        return ANSWER_TOKENS * len(self.labels)

    def make_key(self, model: str) -> str:
        """Return what the answer is remembered under: the model and every word of the question."""
        content = msgspec.json.encode([model, self.repetition, self.messages])
        return hashlib.sha256(content).hexdigest()


@cache
def _load_template() -> Template:
    # Plain text for a model, not markup: there is nothing to escape it for.
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, trim_blocks=True, autoescape=False
    )
    return environment.get_template("question.txt.j2")


def build_task(page: Page, outputs: dict[str, str], *, repetition: int = 0) -> Task:
    """Build the question about a page.

    Args:
        page: the page with its reference.
        outputs: extractor → its output, Markdown where it gives that. The order they are shown in is drawn anew for
            every page and repetition, the same each time.
        repetition: how often the same outputs were judged before.
    """
    names = sorted(outputs)
    random.Random(f"{page.id} {repetition}").shuffle(names)
    labels = dict(zip(string.ascii_uppercase, names, strict=False))
    reference = page.markdown if page.markdown is not None else page.text or ""
    question = _load_template().render(
        reference=cut_text(reference),
        has_markup=page.markdown is not None,
        candidates={label: cut_text(outputs[name]) for label, name in labels.items()},
        schema=msgspec.json.encode(build_schema(list(labels))).decode(),
        fence=pick_fence([reference, *outputs.values()]),
    )
    rules, _, content = question.partition("\n=====\n")
    messages = [{"role": "system", "content": rules.strip()}, {"role": "user", "content": content.strip()}]
    return Task(page.id, repetition, labels, messages)


def cut_text(text: str) -> str:
    """Return the text, long ones as their beginning and end."""
    if len(text) <= TEXT_CHARS:
        return text
    half = TEXT_CHARS // 2
    return f"{text[:half]}\n[… {len(text) - TEXT_CHARS} characters left out by the questioner …]\n{text[-half:]}"


def pick_fence(texts: Iterable[str]) -> str:
    """Return a line that none of the texts holds: a page cannot end its own quotation and speak to the judge."""
    joined = "\n".join(texts)
    digest = hashlib.sha256(joined.encode("utf-8", "replace")).hexdigest()
    return next(fence for n in range(len(digest)) if (fence := f"=== {digest[n : n + 12]} ===") not in joined)


def choose_pages(pages: Sequence[Page], count: int) -> list[Page]:
    """Return so many of the pages that have a whole reference, all labels in turn; the same ones each time."""
    groups: dict[str, list[Page]] = defaultdict(list)
    for page in sorted(pages, key=lambda page: hashlib.sha256(page.id.encode()).hexdigest()):
        if page.text or page.markdown:
            groups[page.label].append(page)
    chosen: list[Page] = []
    while len(chosen) < count and any(groups.values()):
        chosen += [group.pop(0) for _, group in sorted(groups.items()) if group]
    return chosen[:count]
