"""Compare charset detectors: share of texts decoded without one wrong character, and CPU time.

    python -m benchmarks.charset [PAGES_DIR]

Texts are the paragraphs of benchmarks/texts.py in 33 pairs of language and encoding, cut at three lengths. With a
folder of .html files (any depth), pages that name one of these languages add their own words, and a second table takes
their paragraphs by how few bytes in them are not ASCII. A detector is right when the codec it names gives back the
very text that was encoded; the name does not matter. Only detectors that are installed take part. `decode_html` is
Danubia's own decoder over the chosen detector, without and with the page's language; its times include decoding.
"""

import importlib
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree

from benchmarks.texts import ENCODINGS, TEXTS, encode_text
from danubia_core.decode import Decoded, decode_html

SIZES = (200, 1000, 4000)
SAMPLES = 20
SEED = 7
LANG = "decode_html, lang"
HTML = '<html lang="LANG"><p>'
LEADS = {len(HTML) - 4 + len(lang) for lang in TEXTS}
SPARSE = {"1": 1, "2": 2, "3 to 5": 5, "6 and more": 10**6}
HIGH_BYTES = bytes(range(128, 256))
# What a browser decodes with when a detector gives one of these names; the wider table of the same family.
WIDER = {
    "ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc-kr": "cp949",
}

Detector = Callable[[bytes], str | Decoded | None]


def load_detectors() -> dict[str, Detector]:
    """Every detector that can be imported here, by name."""
    makers: dict[str, tuple[str, Callable[..., Detector]]] = {
        "faust-cchardet": ("cchardet", lambda m: lambda data: m.detect(data)["encoding"]),
        "chardetng-py": ("chardetng_py", lambda m: m.detect),
        "chardet": ("chardet", lambda m: lambda data: m.detect(data)["encoding"]),
        "charset-normalizer": ("charset_normalizer", lambda m: lambda data: m.detect(data)["encoding"]),
        "resiliparse": ("resiliparse.parse.encoding", lambda m: m.detect_encoding),
        "bytesense": ("bytesense", lambda m: lambda data: m.detect(data)["encoding"]),
    }
    found: dict[str, Detector] = {}
    for name, (module, make) in makers.items():
        try:
            found[name] = make(importlib.import_module(module))
        except ImportError:
            print(f"{name}: not installed")
    found["decode_html"] = decode_html
    found[LANG] = decode_html
    return found


def read_words(folder: Path) -> dict[str, str]:
    """Text of the pages under a folder, by the language their html element names."""
    parts: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("*.html")):
        root = etree.fromstring(path.read_bytes(), etree.HTMLParser(encoding="utf-8"))
        lang = "" if root is None else (root.get("lang") or "").lower()
        lang = lang if lang in TEXTS else lang.split("-")[0]
        if lang in TEXTS and len(parts[lang]) < 40:
            parts[lang] += [t for p in root.iter("p") if len(t := " ".join("".join(p.itertext()).split())) > 80]
    return {lang: " ".join(texts) for lang, texts in parts.items()}


def cut_samples(words: dict[str, str]) -> Iterator[tuple[str, int, str, bytes]]:
    """(codec, size, text, bytes): every language in each of its encodings, at each length, from random places."""
    rng = random.Random(SEED)
    for lang, codecs in ENCODINGS.items():
        source = f"{TEXTS[lang]} {words.get(lang, '')}"
        for codec in codecs:
            for size in SIZES:
                for _ in range(SAMPLES):
                    start = rng.randrange(len(source))
                    text, data = encode_text((source[start:] + " " + source * 12)[: size * 2], codec)
                    while len(data) > size:
                        text, data = encode_text(text[: int(len(text) * size / len(data)) or 1][: len(text) - 1], codec)
                    if any(b > 127 for b in data) or codec.startswith("iso2022"):
                        yield f"{lang} {codec}", size, text, data


def is_right(named: str | Decoded | None, text: str, data: bytes) -> bool:
    """Whether the codec a detector named gives the text back."""
    if isinstance(named, Decoded):
        return named.text.endswith(text) and len(named.text) - len(text) in (0, *LEADS)
    codec = WIDER.get((named or "cp1252").lower(), named or "cp1252")
    try:
        return data.decode(codec, "replace") == text
    except LookupError:
        return False


def cut_sparse(folder: Path) -> Iterator[tuple[str, int, str, bytes]]:
    """(bytes not ASCII, 0, text, bytes): windows-1252 paragraphs of the pages, up to 400 of each kind."""
    counts: dict[str, int] = defaultdict(int)
    for path in sorted(folder.rglob("*.html")):
        root = etree.fromstring(path.read_bytes(), etree.HTMLParser(encoding="utf-8"))
        for element in () if root is None else root.iter("p"):
            text = " ".join("".join(element.itertext()).split())
            data = text.encode("cp1252", "ignore")
            high = len(data) - len(data.translate(None, HIGH_BYTES))
            kind = next((name for name, limit in SPARSE.items() if high <= limit), "")
            if high and kind and 80 < len(data) < 1500 and len(data) == len(text) and counts[kind] < 400:
                counts[kind] += 1
                yield kind, 0, text, data


def measure(samples: list[tuple[str, int, str, bytes]], detectors: dict[str, Detector], sizes: tuple[int, ...]) -> None:
    """Print the share of texts that each detector gets right, by case and size, and its median time per text."""
    right: dict[tuple[str, str, int], list[bool]] = defaultdict(list)
    micros: dict[tuple[str, int], list[float]] = defaultdict(list)
    for name, detect in detectors.items():
        detect(samples[0][3])
        for case, size, text, data in samples:
            page = HTML.replace("LANG", case.split()[0]).encode() + data if name == LANG else data
            start = time.process_time_ns()
            named = detect(page)
            micros[name, size].append((time.process_time_ns() - start) / 1000)
            right[name, case, size].append(is_right(named, text, data))
    cases = list(dict.fromkeys(case for case, *_ in samples))
    print("| | " + " | ".join(detectors) + " |\n|---|" + "---|" * len(detectors))
    for case in cases:
        cells = [" / ".join(f"{100 * statistics.mean(right[n, case, s]):.0f}" for s in sizes) for n in detectors]
        print(f"| {case} | " + " | ".join(cells) + " |")
    means = [
        " / ".join(f"{100 * statistics.mean(statistics.mean(right[n, c, s]) for c in cases):.1f}" for s in sizes)
        for n in detectors
    ]
    print("| **mean** | " + " | ".join(means) + " |")
    times = [" / ".join(f"{statistics.median(micros[n, s]):.0f}" for s in sizes) for n in detectors]
    print("| median µs | " + " | ".join(times) + " |\n")


def main() -> None:
    """Print both tables."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    detectors = load_detectors()
    samples = list(cut_samples(read_words(folder) if folder else {}))
    print(f"{len(samples)} texts; per cent right at {' / '.join(map(str, SIZES))} bytes\n")
    measure(samples, detectors, SIZES)
    if folder and (sparse := sorted(cut_sparse(folder), key=lambda sample: list(SPARSE).index(sample[0]))):
        print(f"{len(sparse)} windows-1252 paragraphs, by bytes that are not ASCII; per cent right\n")
        measure(sparse, {name: detect for name, detect in detectors.items() if name != LANG}, (0,))


if __name__ == "__main__":
    main()
