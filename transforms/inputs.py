"""The archives that --input names: files, globs, directories and lists of paths, on any store that fsspec reaches."""

from __future__ import annotations

import gzip
import io
import logging
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from fsspec.implementations.local import LocalFileSystem

from transforms.connections import Slot
from transforms.read_options import ReadOptions
from transforms.retries import call_with_retries, store_errors
from transforms.sources import HTTP_SCHEMES, ByteSource, find_store, is_local, read_fully, spell_name

ARCHIVE_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
INDEX_ENDINGS = (".parquet", ".cdxj", ".cdxj.gz", ".cdx", ".cdx.gz", ".csv", ".csv.gz", ".gz")
LIST_ENDINGS = (".paths", ".paths.gz")
TEMPORARY_ENDINGS = (".tmp", ".temp", ".part", ".partial", ".open", ".filepart", ".crdownload", ".swp", "~")
MAX_LIST_BYTES = 1 << 30
NOT_UTF8 = "the name is not UTF-8, as rows and manifests are: rename the file"

log = logging.getLogger("danubia")


class InputError(ValueError):
    """An --input that names nothing readable; the message, one line, quotes it."""


class NoMatchError(InputError):
    """An --input that nothing matches, or not yet."""


def expand_indexes(patterns: Iterable[str], *, prefix: str = "", options: ReadOptions | None = None) -> list[str]:
    """Give the indexes that `patterns` name, as `expand_inputs` does; of a list what is no index is left out.

    Common Crawl's lists of index files name some files about the index too.
    """
    return [
        name
        for name in expand_inputs(patterns, prefix=prefix, options=options, endings=INDEX_ENDINGS)
        if not name.endswith(("cluster.idx", "metadata.yaml"))
    ]


def expand_inputs(
    patterns: Iterable[str],
    *,
    prefix: str = "",
    options: ReadOptions | None = None,
    endings: tuple[str, ...] = ARCHIVE_ENDINGS,
) -> list[str]:
    """Absolute paths and URLs of all archives that `patterns` name, in order, each once however it is spelled.

    A pattern is a file; a glob (*, ?, [..]; in http URLs only * is one, for ? begins a query); a directory, which
    gives all files under it by their names' `endings`; or a list, named *.paths or *.paths.gz, with one path a line,
    to which `prefix` is put unless the line is a URL or an absolute path. Globs and directories give sorted paths, and
    pass over what `is_temporary` tells.
    Listed paths are taken unchecked: a missing one becomes a failure of its own when it is read. Raises InputError, for
    names that are no UTF-8 too.
    """
    passed_over: list[str] = []
    found = find_inputs(patterns, prefix=prefix, options=options, endings=endings, passed_over=passed_over)
    if passed_over:
        log.info("passed over, for their names are hidden or temporary: %d, first %s", len(passed_over), passed_over[0])
    for name in found:
        if not is_utf8(name):
            message = f"{name!r}: {NOT_UTF8}"
            raise InputError(message)
    return found


def is_utf8(name: str) -> bool:
    """Tell whether a file's name can be written into rows and manifests: on Linux any bytes are a name.

    >>> is_utf8("mill.warc"), is_utf8("mill-" + chr(0xDCFC) + ".warc")
    (True, False)
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def find_inputs(
    patterns: Iterable[str],
    *,
    prefix: str,
    options: ReadOptions | None,
    endings: tuple[str, ...] = ARCHIVE_ENDINGS,
    passed_over: list[str] | None = None,
) -> list[str]:
    """Do what `expand_inputs` does, but give names that are no UTF-8 too; what is passed over joins `passed_over`."""
    options = options or ReadOptions()
    left_out = passed_over if passed_over is not None else []
    expanded: dict[str, None] = {}
    for pattern in patterns:
        found = list(_expand(pattern, prefix, options, endings, left_out))
        if not found:
            message = f"no input matches {pattern!r}"
            raise NoMatchError(message)
        expanded.update((spell_name(name), None) for name in found)
    if not expanded:
        message = "no input given"
        raise InputError(message)
    return list(expanded)


def _expand(
    pattern: str, prefix: str, options: ReadOptions, endings: tuple[str, ...], left_out: list[str]
) -> Iterator[str]:
    try:
        if pattern.split("?")[0].endswith(LIST_ENDINGS) and not is_glob(pattern):
            yield from read_paths(pattern, prefix, options)
            return
        filesystem, path = find_store(pattern, options)
        for found in _match(filesystem, path, pattern, endings):
            name = restore_scheme(filesystem, found, pattern)
            if is_temporary(name, pattern):
                left_out.append(name)
            elif name.endswith(LIST_ENDINGS):
                yield from read_paths(name, prefix, options)
            else:
                yield name
    except FileNotFoundError as error:
        message = f"no input matches {pattern!r}"
        raise NoMatchError(message) from error
    except store_errors() as error:
        if isinstance(error, InputError):
            raise
        message = f"cannot look up {pattern!r}: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
        raise InputError(message) from error


def _match(filesystem: Any, path: str, pattern: str, endings: tuple[str, ...]) -> list[str]:
    """Paths in the store's own form; a file whose name holds glob characters wins over the glob."""
    is_http = pattern.startswith(HTTP_SCHEMES)
    if is_glob(pattern) and (is_http or not filesystem.exists(path)):
        return sorted(found for found in filesystem.glob(path) if is_http or not filesystem.isdir(found))
    if is_http:
        return [path]
    if filesystem.isdir(path):
        return sorted(found for found in _walk(filesystem, path) if found.lower().endswith(endings))
    return [path] if filesystem.exists(path) else []


def _walk(filesystem: Any, path: str) -> Iterator[str]:
    """Yield all files below a folder; on a disk not by fsspec, which says nothing of a folder that it may not list."""
    if not isinstance(filesystem, LocalFileSystem):
        yield from filesystem.find(path)
        return
    for parent, _, names in os.walk(path, onerror=_tell_folder):
        yield from (f"{parent}/{name}" for name in names)


def _tell_folder(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):  # it is gone since its parent was listed
        log.warning("a folder is passed over: %s", error)


def is_temporary(name: str, pattern: str) -> bool:
    """Tell whether a name is hidden or temporary, or in a hidden folder, unless the pattern itself says so.

    >>> is_temporary("/in/a.warc.gz.open", "/in/*"), is_temporary("/in/.partial/a.warc.gz", "/in")
    (True, True)
    >>> is_temporary("/home/.crawls/a.warc.gz", "/home/.crawls/*.gz")
    False
    """
    named = set((pattern if "://" in pattern else os.path.abspath(pattern)).split("/"))  # noqa: PTH100 - a glob
    parts = [part for part in name.split("/") if part not in named]
    if any(part.startswith(".") and part not in {".", ".."} for part in parts):
        return True
    return name.lower().endswith(TEMPORARY_ENDINGS) and (is_glob(pattern) or name.rpartition("/")[2] not in named)


def is_glob(pattern: str) -> bool:
    """Tell whether a pattern holds glob characters.

    >>> is_glob("a/*.warc.gz"), is_glob("https://a.example/a.warc?x=1")
    (True, False)
    """
    return any(mark in pattern for mark in ("*" if pattern.startswith(HTTP_SCHEMES) else "*?["))


def restore_scheme(filesystem: Any, path: str, pattern: str) -> str:
    """Give a store's path its scheme back, so that it opens as the pattern would; plain local paths stay plain."""
    if "://" not in pattern:
        return pattern if not is_glob(pattern) and not filesystem.isdir(pattern) else path
    return path if "://" in path else str(filesystem.unstrip_protocol(path))


def read_paths(url: str, prefix: str, options: ReadOptions) -> Iterator[str]:
    """Yield the lines of a list of paths, the prefix before those that are relative; not blank lines and # comments.

    Raises InputError for a list that is no text or is damaged, or longer than 1 GiB.
    """
    filesystem, path = find_store(url, options)
    with filesystem.open(path, "rb") as file:
        data = read_fully(file, MAX_LIST_BYTES + 1)
    try:
        if data.startswith(b"\x1f\x8b"):
            with gzip.open(io.BytesIO(data)) as inflated:
                data = inflated.read(MAX_LIST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (EOFError, OSError, ValueError, zlib.error) as error:
        message = f"{url!r} is no readable list of paths: {error}"
        raise InputError(message) from error
    if "\0" in text:
        message = f"{url!r} is no readable list of paths: it holds a NUL"
        raise InputError(message)
    if len(data) > MAX_LIST_BYTES:
        message = f"{url!r} is longer than {MAX_LIST_BYTES} bytes"
        raise InputError(message)
    for line in text.splitlines():
        listed = line.strip()
        if listed and not listed.startswith("#"):
            yield listed if "://" in listed or listed.startswith("/") else prefix + listed


def find_size(url: str, options: ReadOptions) -> int:
    """Size in bytes of a file that can be read from any place, or -1: it cannot, or it cannot be reached at all.

    A web server's word is not taken: one byte is asked for, for many servers tell a size and then ignore ranges.
    """
    try:
        size = call_with_retries(lambda: ask_size(url, options), options)
        if not isinstance(size, int):
            return -1
        if url.startswith(HTTP_SCHEMES) and size > options.range_bytes and not serves_ranges(url, size, options):
            return -1
    except store_errors():  # reading it will tell why, as a failure with the file's name
        return -1
    return size


def ask_size(url: str, options: ReadOptions) -> Any:
    """Ask the store for a file's size."""
    filesystem, path = find_store(url, options)
    with Slot(0 if is_local(url) else options.max_connections).hold():
        return filesystem.info(path).get("size")


def serves_ranges(url: str, size: int, options: ReadOptions) -> bool:
    """Tell whether a web server gives the last byte of a file when asked for it alone."""
    source = ByteSource(url, options)
    try:
        return source.serves_byte(size - 1)
    finally:
        source.close()
