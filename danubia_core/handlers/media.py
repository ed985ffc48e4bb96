"""Images: the real address of lazy ones, alternative text, formulas that are images."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from danubia_core.document import NO_ATTRS, TEXT, Document
from danubia_core.handlers.math import add_formula
from danubia_core.nodes import CREDITED, Image
from danubia_core.serializers.addresses import is_followable

if TYPE_CHECKING:
    from danubia_core.collect import Collector

LAZY_ATTRIBUTES: Final = (
    "data-src", "data-lazy-src", "data-original", "data-lazy", "data-original-src", "data-actualsrc", "data-hi-res-src",
    "data-full-src", "data-image", "data-img-url", "data-url",
)  # fmt: skip
LAZY_SETS: Final = ("data-srcset", "data-lazy-srcset")
SET_ATTRIBUTES: Final = (*LAZY_SETS, "srcset")
MAX_ADDRESS: Final = 4000
TRACKING_PIXELS: Final = 2
_IMAGE_FILE = re.compile(r"(?:https?:)?/[^\s{}<>\"\\]+\.(?:jpe?g|png|webp|gif|avif|svg)(?:[?#]\S*)?", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:placeholder|blank|spacer|pixel|transparent|lazy|lazyload|loading|1x1|clear|empty|dummy)[^/]*$",
    re.IGNORECASE,
)
_TEX_SOURCE = re.compile(r"latex\.php|codecogs\.com/|/math/render/|[?&]tex=|/latex[./?]|mathtex|mimetex", re.IGNORECASE)
_TEX_ALT = re.compile(r"(?=.*\\(?:[A-Za-z]{2,}|[{}]))(?=.*(?:[{}^_=]|\\[A-Za-z]+\())", re.DOTALL)
_TEX_CLASSES: Final = frozenset(
    "latex tex ltx math mathimg mwe-math-fallback-image-inline mwe-math-fallback-image-display".split()
)
CAPTION_CLASSES: Final = frozenset(
    "caption wp-caption-text caption-text image-caption img-caption photo-caption picture-caption figure-caption "
    "media-caption image__caption figure__caption photo__caption media__caption article-caption photo-credit "
    "image-credit img-credit picture-credit photo__credit image__credit".split()
)
# Words of credits, by language: English, German, Dutch, Scandinavian, French, Spanish, Portuguese, Italian, Romanian,
# Polish, Czech, Hungarian, Finnish, Turkish, Indonesian, Vietnamese, Greek, Russian and Ukrainian, Arabic, Persian,
# Hebrew, Hindi; then agencies. Of scripts without blanks, marks: Chinese, Japanese, Korean, Thai.
CREDIT_WORDS: Final = frozenset(
    "photo photos photograph photographer photography credit credits image images courtesy illustration copyright via "
    "foto fotos fotograf fotografin bild bilder quelle beeld fotografie billede kuva photographie crédit crédits "
    "crédito créditos cortesía imagen fuente fotografía reprodução divulgação crédito imagem foto fotografia "
    "fot zdjęcie źródło obrázek kép fotó valokuva fotoğraf görsel gambar ảnh φωτογραφία φωτό фото снимок صورة تصوير "
    "الصورة عکس צילום फोटो तस्वीर "
    "getty afp ap reuters epa dpa apa ansa efe tass pap shutterstock istock unsplash pexels pixabay flickr wikimedia "
    "imago alamy adobe".split()
)
CREDIT_MARKS: Final = ("图", "摄", "圖", "攝", "写真", "撮影", "提供", "사진", "ภาพ")
_WORD = re.compile(r"\w+")
CAPTION_SHARE_PERCENT: Final = 40
MAX_CAPTION_BYTES: Final = 2000  # a longer one is no caption: its figure was never closed, and took in the page
MAX_FIGURE_NODES: Final = 400
MAX_CLIMB: Final = 12  # elements from a caption up to its figure
_TEXT_FIGURES: Final = frozenset(("table", "pre", "code", "blockquote"))
_EMOJI_CLASSES: Final = frozenset("emoji wp-smiley twemoji emojione".split())


def is_address(value: str) -> bool:
    """Whether an attribute's value can be an image's address: no data, no JSON, no list."""
    if not value or len(value) > MAX_ADDRESS or value[0] in "{[<" or "{" in value[:200]:
        return False
    return " " not in value.strip() and is_followable(value)


def pick_from_set(value: str) -> str:
    """Return the largest candidate of a srcset, '' if none can be read.

    >>> pick_from_set("a.jpg 300w, b.jpg 900w")
    'b.jpg'
    """
    best, best_size = "", -1.0
    for candidate in re.split(r",\s+|,(?=https?:|/)", value.strip()[: MAX_ADDRESS * 4]):
        parts = candidate.split()
        if not parts or not is_address(parts[0]):
            continue
        try:
            size = float(parts[1].rstrip("wxh")) if len(parts) > 1 else 1.0
        except ValueError:
            size = 0.0
        if size > best_size:
            best, best_size = parts[0].rstrip(","), size
    return best


def find_address(attributes: dict[str, str]) -> str:
    """Return the address that an img's attributes give: a lazy one before the placeholder in src."""
    for name in LAZY_ATTRIBUTES:
        value = attributes.get(name, "").strip()
        if is_address(value):
            return value
    if picked := _pick(attributes, LAZY_SETS):
        return picked
    src = attributes.get("src", "").strip()
    if is_address(src) and not _PLACEHOLDER.search(src.partition("?")[0]):
        return src
    if picked := _pick(attributes, ("srcset",)):
        return picked
    for name, value in attributes.items():
        if name.startswith("data-") and _IMAGE_FILE.fullmatch(value.strip()):
            return value.strip()
    return ""


def _pick(attributes: dict[str, str], names: tuple[str, ...]) -> str:
    for name in names:
        if (value := attributes.get(name)) and (picked := pick_from_set(value)):
            return picked
    return ""


def add_image(c: Collector, i: int) -> int:
    """Add img or amp-img; data URIs, spacers and tracking pixels are left out, formulas and emoji are what they say."""
    document = c.document
    attributes = document.attrs[i]
    alt = " ".join(attributes.get("alt", "").split())
    names = attributes.get("class", "").lower().split()
    if alt and _is_formula(attributes, alt, names):
        alone = _stands_alone(document, i) and ("=" in alt or "\\begin" in alt)
        add_formula(c, alt, display=alone or "mwe-math-fallback-image-display" in names)
        return document.end[i]
    if alt and not _EMOJI_CLASSES.isdisjoint(names):
        c.add_text(alt)
        return document.end[i]
    if _is_tiny(attributes):
        return document.end[i]
    authored = find_address(attributes) or _find_in_picture(document, i)
    if not authored:
        copy = _find_in_noscript(document, i)
        authored, alt = find_address(copy), alt or " ".join(copy.get("alt", "").split())
    if not authored:
        return document.end[i]
    src = c.resolve(authored)
    title = " ".join(attributes.get("title", "").split())
    c.add_inline(Image(c.flags, src, "" if authored == src else authored, alt, title))
    return document.end[i]


def _is_formula(attributes: dict[str, str], alt: str, names: list[str]) -> bool:
    if _TEX_SOURCE.search(attributes.get("src", "")):
        return True
    if not _TEX_CLASSES.isdisjoint(names):
        return any(character in alt for character in "\\^_={}+") or len(alt) <= 3
    return "\\" in alt and _TEX_ALT.match(alt) is not None


def _stands_alone(document: Document, i: int) -> bool:
    """Whether an image is all that its block holds."""
    up = document.parent[i]
    return up == i - 1 and document.end[up] == document.end[i] and document.tag[up] in ("p", "div", "center", "dd")


def _is_tiny(attributes: dict[str, str]) -> bool:
    for name in ("width", "height"):
        value = attributes.get(name, "").strip().removesuffix("px")
        if value.isascii() and value.isdecimal() and int(value[:6]) <= TRACKING_PIXELS:
            return True
    return False


def _find_in_picture(document: Document, i: int) -> str:
    up = document.parent[i]
    for _ in range(8):
        if document.tag[up] != "source":  # the parser takes a source for the parent of what follows it
            break
        up = document.parent[up]
    if document.tag[up] != "picture":
        return ""
    for k in range(up + 1, min(i, up + 40)):
        if document.tag[k] == "source" and (picked := _pick(document.attrs[k], SET_ATTRIBUTES)):
            return picked
    return ""


def _find_in_noscript(document: Document, i: int) -> dict[str, str]:
    """Return the attributes of the copy that a noscript after a placeholder holds."""
    images = document.noscript_images
    for k in (i, i + 1):
        if k in images and (k == i or (k < len(document.tag) and document.tag[k] == TEXT)):
            return images[k]
    return NO_ATTRS


def find_credited(document: Document, regions: list[int]) -> set[int]:
    """Return the captions of pictures that name who made them: figcaption, and what is named as one.

    None where they are much of the regions' text: there the pictures are the page's matter.
    """
    found = {i for i in document.index.get("figcaption", ()) if _is_of_picture(document, i)}
    for names, nodes in document.by_class.items():
        if ("caption" in names or "credit" in names) and not CAPTION_CLASSES.isdisjoint(names.lower().split()):
            found.update(nodes)
    found = {i for i in found if _is_short(document, i) and has_credit(document.inner_text(i))}
    if not found:
        return found
    inside = sum(document.text_bytes(i) for i in found if document.lies_in(i, regions))
    whole = sum(document.text_bytes(i) for i in regions)
    return found if inside * 100 <= whole * CAPTION_SHARE_PERCENT else set()


def has_credit(caption: str) -> bool:
    """Whether a caption names who made or owns the picture, as the press's captions do.

    >>> has_credit("The mill in May. Photo: A. Miller"), has_credit("The mill in May")
    (True, False)
    """
    if "\u00a9" in caption or any(mark in caption for mark in CREDIT_MARKS):
        return True
    return not CREDIT_WORDS.isdisjoint(_WORD.findall(caption.lower()))


def _is_of_picture(document: Document, i: int) -> bool:
    """Whether a caption's figure shows a picture rather than a table, code or a quotation."""
    up = document.parent[i]
    for _ in range(MAX_CLIMB):
        if document.tag[up] == "figure":
            return document.end[up] - up <= MAX_FIGURE_NODES and document.find(up, _TEXT_FIGURES) < 0
        up = document.parent[up]
    return False


def _is_short(document: Document, i: int) -> bool:
    return document.end[i] - i <= MAX_FIGURE_NODES and document.text_bytes(i) <= MAX_CAPTION_BYTES


def open_credited(c: Collector, i: int) -> None:
    """Flag what is collected up to the end of a caption."""
    c.flush()
    before = c.flags
    c.flags |= CREDITED

    def close() -> None:
        c.flush()
        c.flags = before

    c.frames.append((c.document.end[i], close))


MEDIA_HANDLERS = {"img": add_image, "amp-img": add_image}
