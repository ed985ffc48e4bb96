"""The corpus: a list of pages with labels, each checked against the page and the reference that it points at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from evaluation.draft import detect_language, draft_label
from evaluation.pages import LABELS, Entry, Page

CORPUS: Final = Path(__file__).with_name("corpus.json")


class Check(msgspec.Struct):
    """How the corpus stands to the pages that are there.

    Attributes:
        present: entries whose page and reference are as the corpus says.
        missing: ids of entries without a page. changed_pages, stale: ids whose page, or reference, has another digest.
        unlisted: pages that the corpus does not list.
    """

    present: int = 0
    missing: list[str] = []
    changed_pages: list[str] = []
    stale: list[str] = []
    unlisted: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether every entry resolves."""
        return not (self.missing or self.changed_pages or self.stale)


def read_corpus(file: Path = CORPUS) -> list[Entry]:
    """Return the entries; raises ValueError when the file is none, repeats an id or has an unknown label."""
    entries = msgspec.json.decode(file.read_bytes(), type=list[Entry])
    repeated = [name for name, count in Counter(entry.id for entry in entries).items() if count > 1]
    unknown = sorted({entry.label for entry in entries} - set(LABELS))
    if repeated or unknown:
        raise ValueError(f"{file.name}: repeated ids {repeated[:5]}, unknown labels {unknown}")
    return entries


def write_corpus(entries: Iterable[Entry], file: Path = CORPUS) -> None:
    """Write entries, one a line, by id."""
    lines = [msgspec.json.encode(entry).decode() for entry in sorted(entries, key=lambda entry: entry.id)]
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8", newline="\n")


def label_pages(pages: Iterable[Page], entries: Iterable[Entry]) -> Iterator[Page]:
    """Give pages the corpus's labels and languages, drafted ones where it does not list them; note stale references."""
    known = {entry.id: entry for entry in entries}
    for page in pages:
        entry = known.get(page.id)
        if entry is None:
            page.label, page.language = draft_label(page)[0], detect_language(page)
        else:
            page.label, page.language = entry.label, entry.language
            page.stale = page.page_sha256 != entry.page.sha256 or page.reference_sha256 != entry.reference.sha256
        yield page


def check_corpus(entries: Iterable[Entry], pages: Iterable[Page]) -> Check:
    """Hold the entries against the pages that are there."""
    waiting = {entry.id: entry for entry in entries}
    check = Check()
    for page in pages:
        entry = waiting.pop(page.id, None)
        if entry is None:
            check.unlisted += 1
        elif page.page_sha256 != entry.page.sha256:
            check.changed_pages.append(page.id)
        elif page.reference_sha256 != entry.reference.sha256:
            check.stale.append(page.id)
        else:
            check.present += 1
    check.missing = sorted(waiting)
    return check


def format_table(entries: list[Entry], most: int = 14) -> str:
    """Return the number of entries by label and language as a table; the rarest languages share a column."""
    languages = [name for name, _ in Counter(entry.language for entry in entries).most_common()]
    shown, rest = languages[:most], set(languages[most:])
    heads = [*shown, f"{len(rest)} more"] if rest else shown
    counts = Counter((entry.label, "" if entry.language in rest else entry.language) for entry in entries)
    lines = ["".join([f"{'':14}", *(f"{name:>8}" for name in heads), f"{'all':>8}"])]
    for label in [*LABELS, ""]:
        cells = [
            sum(
                n
                for (kind, language), n in counts.items()
                if label in ("", kind) and language == (name if name in shown else "")
            )
            for name in heads
        ]
        lines.append("".join([f"{label or 'all':14}", *(f"{cell or '·':>8}" for cell in cells), f"{sum(cells):>8}"]))
    lines.append(f"{len(entries)} entries, {len({e.label for e in entries})} labels, {len(languages)} languages")
    return "\n".join(lines)
