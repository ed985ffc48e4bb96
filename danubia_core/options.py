"""What a caller may choose about an extraction."""

from __future__ import annotations

import hashlib
from typing import Any, Final, Literal, get_args

import msgspec

Mode = Literal["balanced", "precision", "recall", "fast"]
MODES: Final = get_args(Mode)


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """Choices of an extraction.

    Attributes:
        mode: which rows of the ladder's table apply.
        comments: keep readers' comments, flagged as such in the tree.
        cascade: compare with what Readability and jusText keep, and take theirs where it is clearly better; needs the
            extra `danubia[cascade]`.
        max_input_bytes: markup beyond this, or beyond a million tags, is cut off, and `stats.truncated` says so.

    Raises ValueError for values that an option does not take.
    """

    mode: Mode = "balanced"
    comments: bool = False
    cascade: bool = False
    max_input_bytes: int = 64 << 20

    def __post_init__(self) -> None:
        """Refuse what extraction could not carry out."""
        if self.mode not in MODES:
            raise ValueError(f"mode is {self.mode!r}: give one of {', '.join(MODES)}")
        if self.max_input_bytes <= 0:
            raise ValueError(f"max_input_bytes is {self.max_input_bytes}: give a number above 0")

    def to_dict(self) -> dict[str, Any]:
        """Return the options as plain values."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def fingerprint(self) -> str:
        """Return a hash that is equal for equal options, across processes and releases."""
        return hashlib.sha256(msgspec.json.encode(self.to_dict(), order="sorted")).hexdigest()[:16]
