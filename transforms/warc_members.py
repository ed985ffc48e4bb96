"""Gzip members of a .warc.gz: walked one by one with their CRC proven, found again after damage.

Zstandard frames are walked the same way, by another `Packing` (see warc_frames); here a member is either.

A deflate stream that holds another .warc.gz stores it verbatim, so gzip magic and even whole valid members lie inside
other members. Stored blocks are at most 65,535 bytes (RFC 1951, 3.2.4), and no false chain of members can cross their
edge. So a chain of members is proven when it is longer than that, or when it runs into the end of the file.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Protocol

from transforms.inflate import InflateError, new_inflater
from transforms.sources import BlockCursor

MAGIC = b"\x1f\x8b\x08"
PROOF_BYTES = 70_000
HEAD_BYTES = 4096
SLICE, MAX_CHUNK = 1 << 16, 1 << 20  # most pages come in one piece, which is then never copied
MIN_DENSE_BYTES, HEADER_BYTES = 1024, 512
MAX_DENSE_BYTES = 1 << 26
CONTENT_LENGTH = re.compile(rb"\nContent-Length:[ \t]*(\d{1,18})", re.IGNORECASE)
PROVEN = ("long", "end", "cut")
BELIEVED_AFTER_DAMAGE = (*PROVEN, "damaged")
CHECK_ERRORS = {"incorrect data check": 4, "incorrect length check": 0}


class MemberError(Exception):
    """A member's compressed bytes are damaged.

    `end` is where it ends if that is known all the same, else -1. `is_dense`: what lies before the damage did not
    compress, as is the case with a stored .warc.gz.
    """

    end = -1
    is_dense = False


class CutMemberError(MemberError):
    """The file ends inside a member."""


class ReadableMember(ABC):
    """A member under way, at a cursor.

    Attributes:
        offset: where it begins.
        failure: what ended the reading before the end, if anything did.
    """

    def __init__(self, cursor: BlockCursor) -> None:
        """Begin at the cursor's position."""
        self._cursor = cursor
        self._inflated_bytes = 0
        self.offset = cursor.position
        self.failure: MemberError | None = None

    @abstractmethod
    def chunks(self) -> Iterator[bytes]:
        """Inflated bytes in order; ends only once their checksum is proven, raises MemberError otherwise."""

    def drain(self) -> int:
        """Read to the end, keeping nothing; returns the offset after the member, raises MemberError."""
        if self.failure is not None:
            raise self.failure
        for _ in self.chunks():
            pass
        return self._cursor.position


class Member(ReadableMember):
    """One gzip member at the cursor: inflated in chunks of at most 1 MiB."""

    def __init__(self, cursor: BlockCursor) -> None:
        """Begin at the cursor's position."""
        super().__init__(cursor)
        self._inflater = new_inflater(31)
        self._is_whole = False

    def chunks(self) -> Iterator[bytes]:
        """Inflated bytes in order; ends only once the CRC is proven, raises MemberError otherwise."""
        cursor, is_full = self._cursor, False
        while not self._is_whole:
            piece = cursor.window(SLICE)
            if not piece and not is_full:  # a full chunk may leave more to come without any input
                self.failure = CutMemberError(f"the file ends inside a gzip member, at byte {cursor.position}")
                raise self.failure
            backup = self._inflater.copy()
            try:
                chunk = self._inflater.decompress(piece, MAX_CHUNK)
            except InflateError as error:
                yield from self._salvage(backup, bytes(piece), error)
                return
            self._is_whole = self._inflater.eof
            rest = self._inflater.unused_data if self._is_whole else self._inflater.unconsumed_tail
            cursor.position += len(piece) - len(rest)
            is_full = len(chunk) == MAX_CHUNK
            self._inflated_bytes += len(chunk)
            if chunk:
                yield chunk

    def _salvage(self, inflater: Any, piece: bytes, error: Exception) -> Iterator[bytes]:
        """Give what can be inflated before the damage, byte by byte, then raise."""
        start, index, text = self._cursor.position, 0, str(error).rpartition(": ")[2]
        for index in range(len(piece)):
            try:
                chunk = inflater.decompress(piece[index : index + 1])
            except InflateError:
                break
            self._inflated_bytes += len(chunk)
            if chunk:
                yield chunk
        self.failure = MemberError(f"damaged gzip member: {text} near byte {start + index}")
        read_bytes = start + index - self.offset
        self.failure.is_dense = read_bytes > MIN_DENSE_BYTES and self._inflated_bytes < 1.1 * read_bytes + HEADER_BYTES
        if text in CHECK_ERRORS:  # the deflate stream is whole, so its end is known
            self.failure.end = start + index + 1 + CHECK_ERRORS[text]
        raise self.failure


class Packing(Protocol):
    """How an archive's records are packed into members, each of which begins with `magic`.

    A chain of members longer than `proof_bytes` cannot lie within another member.
    """

    magic: bytes
    proof_bytes: int

    def open_member(self, cursor: BlockCursor) -> ReadableMember:
        """Begin to read the member at the cursor."""

    def is_start(self, cursor: BlockCursor, offset: int) -> bool:
        """Tell whether a member's header lies at `offset`; moves there."""

    def skip_padding(self, cursor: BlockCursor) -> None:
        """Move over what may lie between members."""


class GzipPacking:
    """One gzip member (RFC 1952) a record."""

    magic = MAGIC
    proof_bytes = PROOF_BYTES

    def open_member(self, cursor: BlockCursor) -> Member:
        """Begin to read the member at the cursor."""
        return Member(cursor)

    def is_start(self, cursor: BlockCursor, offset: int) -> bool:
        """Tell whether a gzip header lies at `offset`."""
        cursor.position = offset
        head = cursor.peek(4)
        return head[:3] == MAGIC and len(head) == 4 and not head[3] & 0xE0

    def skip_padding(self, cursor: BlockCursor) -> None:
        """Move over zero bytes, as gzip itself does."""
        while (view := cursor.window(SLICE)) and view[0] == 0:
            cursor.position += len(view) - len(bytes(view).lstrip(b"\0"))


GZIP = GzipPacking()


def follow_chain(cursor: BlockCursor, offset: int, packing: Packing = GZIP) -> str:
    """Tell how the chain of members from `offset` ends, to judge whether they are the file's own.

    "long": still unbroken after more than 64 KiB; "end": reaches the end of the file exactly; "cut": its last member
    is cut there; "damaged": a damaged member follows at least one whole one; "no": nothing, or no member where the
    last one ends, as in a WARC stored inside a record.
    """
    if not packing.is_start(cursor, offset):
        return "no"
    if not read_member_head(cursor, offset, packing).startswith(b"WARC/"):
        return "no"
    cursor.position = end = offset
    while end - offset <= packing.proof_bytes:
        try:
            end = packing.open_member(cursor).drain()
        except MemberError as error:
            if end == offset:
                return "no"
            return "cut" if isinstance(error, CutMemberError) else "damaged"
        packing.skip_padding(cursor)
        if not cursor.window(1):
            return "end"
        if not packing.is_start(cursor, cursor.position):
            return "no"
    return "long"


def read_member_head(cursor: BlockCursor, offset: int, packing: Packing = GZIP) -> bytes:
    """Give the first 4 KiB of the member at `offset`, less if it is shorter or damaged; moves to `offset`."""
    cursor.position = offset
    head = b""
    try:
        for chunk in packing.open_member(cursor).chunks():
            head += chunk  # where a block of the file ends, a chunk may be a few bytes
            if len(head) >= HEAD_BYTES:
                break
    except MemberError:
        pass
    cursor.position = offset
    return head


def find_next_member(
    cursor: BlockCursor,
    start: int,
    packing: Packing = GZIP,
    *,
    doubted_until: int = 0,
    doubtless: tuple[str, ...] = PROVEN,
) -> int:
    """Offset of the first member from `start` on that can be believed; else the end of the file.

    Between two faults records are believed, for they would be lost else; but before `doubted_until` only a chain that
    ends in a doubtless way is.
    """
    for offset in cursor.find_all(packing.magic, start):
        if follow_chain(cursor, offset, packing) in (doubtless if offset < doubted_until else BELIEVED_AFTER_DAMAGE):
            return offset
    while view := cursor.window(SLICE):
        cursor.position += len(view)
    return cursor.position


def find_proven_start(cursor: BlockCursor, start: int, lookback_bytes: int, packing: Packing = GZIP) -> int:
    """Offset of a proven member start at or before `start`; 0 when nothing nearer can be proven.

    Looks back `lookback_bytes`, then four times as far, and so on: a member that is larger than the lookback hides
    every boundary before `start`.
    """
    while lookback_bytes < start:
        for offset in cursor.find_all(packing.magic, start - lookback_bytes):
            if offset > start:
                break
            if follow_chain(cursor, offset, packing) in PROVEN:
                return offset
        lookback_bytes *= 4
    return 0


def find_end_of_damage(cursor: BlockCursor, member: ReadableMember, packing: Packing = GZIP) -> int:
    """Offset where reading goes on after a damaged member."""
    failure = member.failure
    if failure is not None and failure.end > 0:
        cursor.position = failure.end
        packing.skip_padding(cursor)
        if not cursor.window(1) or packing.is_start(cursor, cursor.position):
            return cursor.position
    doubted_until = 0
    if isinstance(failure, CutMemberError):
        # A flipped bit in its header can make a member run on to the end of the file, over whole members.
        found = ("long", "end")
        return find_next_member(cursor, member.offset + 1, packing, doubted_until=cursor.position, doubtless=found)
    if failure is not None and failure.is_dense:
        length = CONTENT_LENGTH.search(read_member_head(cursor, member.offset, packing))
        doubted_until = member.offset + (int(length[1]) if length else MAX_DENSE_BYTES)
    return find_next_member(cursor, member.offset + 1, packing, doubted_until=doubted_until)
