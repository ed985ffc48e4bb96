"""Which rows of an index are wanted: by language, host, media type and status; as a test, and as an Arrow filter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import pyarrow.dataset as ds

NAMES: Final = ("language", "host", "mime", "status")
HOST: Final = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?")
WWW: Final = re.compile(r"^www\d*\.")


class FilterError(ValueError):
    """A filter that cannot be; the message is one line."""


@dataclass(frozen=True, slots=True)
class IndexFilter:
    """What is wanted of an index; of each name any of its values, and of all names that have some.

    `languages` are ISO 639-3 codes as Common Crawl writes them; a row's first one counts. `hosts` hold for themselves
    and the hosts below them. `mimes` are media types, compared with the detected one where the index tells it.
    `statuses` are HTTP statuses.
    """

    languages: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    mimes: tuple[str, ...] = ()
    statuses: tuple[int, ...] = ()

    def is_wanted(self, *, languages: str, url: str, mime: str, status: int | None) -> bool:
        """Tell whether a row is wanted; `languages` is a list with commas between, first the main one.

        >>> IndexFilter(hosts=("a.example",)).is_wanted(languages="", url="https://w.a.example/", mime="", status=None)
        True
        """
        if self.statuses and status not in self.statuses:
            return False
        if self.mimes and mime.lower() not in self.mimes:
            return False
        if self.languages and languages.partition(",")[0] not in self.languages:
            return False
        return not self.hosts or is_below(find_host(url), self.hosts)


def parse_filters(pairs: Iterable[str]) -> IndexFilter:
    """Read NAME=VALUE[,VALUE…]; raises FilterError.

    >>> parse_filters(["status=200,203", "language=isl"])
    IndexFilter(languages=('isl',), hosts=(), mimes=(), statuses=(200, 203))
    """
    values: dict[str, set[str]] = {name: set() for name in NAMES}
    for pair in pairs:
        name, equals, listed = pair.partition("=")
        if not equals or name not in values:
            raise FilterError(f"{pair!r}: give NAME=VALUE[,VALUE], NAME one of {', '.join(NAMES)}")
        wanted = {value.strip().lower() for value in listed.split(",")} - {""}
        if not wanted:
            raise FilterError(f"{pair!r} names no value")
        values[name] |= wanted
    if strange := [value for value in values["status"] if not re.fullmatch(r"[1-9]\d\d", value)]:
        raise FilterError(f"'status={strange[0]}' is no HTTP status of three digits")
    if strange := [value for value in values["host"] if not HOST.fullmatch(value)]:
        raise FilterError(f"'host={strange[0]}' is no host's name: give one such as news.example.org")
    return IndexFilter(
        languages=tuple(sorted(values["language"])),
        hosts=tuple(sorted(values["host"])),
        mimes=tuple(sorted(values["mime"])),
        statuses=tuple(sorted(int(value) for value in values["status"])),
    )


def find_host(url: str) -> str:
    """Give a URL's host, lower-case; "" for none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_below(host: str, hosts: Iterable[str]) -> bool:
    """Tell whether a host is one of `hosts` or below one."""
    return any(host == wanted or host.endswith(f".{wanted}") for wanted in hosts)


def build_expression(wanted: IndexFilter, names: Iterable[str]) -> Any:
    """Give the Arrow filter for a columnar index with columns of these `names`, or None.

    Comparisons only, as far as they will do: Parquet's statistics then rule out whole row groups. Raises FilterError
    when the index lacks a column that the filter needs.
    """
    known = set(names)
    parts = []
    if wanted.statuses:
        parts.append(_column("fetch_status", known).isin(list(wanted.statuses)))
    if wanted.mimes:
        column = "content_mime_detected" if "content_mime_detected" in known else "content_mime_type"
        parts.append(_column(column, known).isin(list(wanted.mimes)))
    if wanted.languages:
        field = _column("content_languages", known)
        # "isl" alone, or "isl,eng": nothing else sorts between "isl" and "isl-", for "-" comes right after ",".
        parts.append(_any((field >= code) & (field < f"{code}-") for code in wanted.languages))
    if wanted.hosts:
        parts.append(_any(_match_host(host, known) for host in wanted.hosts))
    expression = None
    for part in parts:
        expression = part if expression is None else expression & part
    return expression


def _match_host(host: str, known: set[str]) -> Any:
    import pyarrow.compute as pc  # here, for it takes a tenth of a second that few runs need

    field = _column("url_host_name", known)
    exact = (field == host) | pc.ends_with(field, f".{host}")
    if "url_surtkey" not in known:
        return exact
    # The table is sorted by this key ("org,example,news)/path"), so its statistics find a host's row groups. After the
    # host come ")", "," or ":", all below ";". A leading www. is not part of the key.
    key = ",".join(reversed(WWW.sub("", host).split(".")))
    surt = ds.field("url_surtkey")
    return (surt >= key) & (surt < f"{key};") & exact


def _column(name: str, known: set[str]) -> Any:
    if name not in known:
        raise FilterError(f"the index has no column {name}, which the filter needs")
    return ds.field(name)


def _any(parts: Iterable[Any]) -> Any:
    joined = None
    for part in parts:
        joined = part if joined is None else joined | part
    return joined
