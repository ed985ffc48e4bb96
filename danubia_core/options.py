"""What a caller may choose about an extraction."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

Mode = Literal["balanced", "precision", "recall", "fast"]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """Choices of an extraction.

    Attributes:
        mode: which rows of the ladder's table apply.
        comments: keep readers' comments, flagged as such in the tree.
        cascade: compare with what Readability and jusText keep, and take theirs where it is clearly better; needs the
            extra `danubia[cascade]`.
        max_input_bytes: markup beyond this, or beyond a million tags, is cut off, and `stats.truncated` says so.
    """

    mode: Mode = "balanced"
    comments: bool = False
    cascade: bool = False
    max_input_bytes: int = 64 << 20

    def to_dict(self) -> dict[str, Any]:
        """Return the options as plain values."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def fingerprint(self) -> str:
        """Return a hash that is equal for equal options, across processes and releases."""
        return hashlib.sha256(msgspec.json.encode(self.to_dict(), order="sorted")).hexdigest()[:16]
