"""What a run has to do: its ranges, from archives or from an index's rows, less those that are done."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from pipelines.options import RunOptions
from transforms.index_filters import IndexFilter
from transforms.inputs import InputError, expand_indexes, expand_inputs, find_size
from transforms.manifests import (
    REPORT,
    OutputError,
    choose_size,
    claim_output,
    clear_output,
    find_changed,
    forget_range,
    is_to_retry,
    read_manifests,
    split_plan,
)
from transforms.pages import RangeSpec
from transforms.plan_picks import Picks, gather_picks, plan_picks
from transforms.plan_ranges import plan_ranges
from transforms.read_index import BadRow, read_index
from transforms.read_options import ReadOptions
from transforms.retries import store_errors
from transforms.sources import spell_name
from transforms.stores import Store
from transforms.write_bad_rows import write_bad_rows

LOOK_UPS: Final = 32  # archives whose size is looked up side by side
MOST_BAD_ROWS: Final = 10_000

Manifests = Mapping[str, dict[str, Any]]

log = logging.getLogger("danubia")


def read_options(options: RunOptions) -> ReadOptions:
    """Give the reader's options."""
    return ReadOptions(
        range_bytes=options.range_bytes,
        join_gap_bytes=options.join_gap_bytes,
        max_connections=options.max_connections,
        retry_seconds=options.retry_seconds,
    )


def plan_run(options: RunOptions, store: Store) -> tuple[list[RangeSpec], list[RangeSpec], list[dict[str, Any]]]:
    """Plan the run: all ranges, those that are to do, largest first, and the manifests of the others.

    Largest first, for FnApiRunner deals them out to its workers in turn. Raises InputError when nothing matches an
    input, and OutputError when the output directory belongs to another configuration or to other archives.
    """
    bad: dict[str, list[BadRow]] = {}
    if options.indexes:
        with ExitStack() as stack:
            picks = Picks(options.prefix, stack)
            bad = read_indexes(options, picks)
            manifests, stale = look_at_output(options, store)
            plan = plan_picks(picks, store, options.range_bytes)
    else:
        archives = find_archives(options)
        manifests, stale = look_at_output(options, store)
        if options.redo_changed:
            stale |= drop_changed(archives, manifests)
        plan = plan_archives(archives, manifests, options.range_bytes)
    to_do, done = split_plan(plan, manifests)
    with told_errors(options):  # from here on the output is changed
        forget_ranges(store, stale)
        for spec, manifest in (write_bad_rows(store, index, rows) for index, rows in bad.items()):
            plan.append(spec)
            done.append(manifest)
        if to_do:
            store.remove(REPORT)  # it would tell of an earlier run if this one is cut off
    return plan, sorted(to_do, key=lambda spec: -spec.fetch_bytes), done


def find_output(options: RunOptions) -> Store:
    """Find the output's store. Raises OutputError for one that is not known, or whose library is not installed."""
    try:
        return Store(options.output)
    except (ValueError, ImportError) as error:
        raise OutputError(f"cannot use --output {options.output}: {' '.join(str(error).split())[:300]}") from error


def open_output(options: RunOptions, store: Store) -> dict[str, dict[str, Any]]:
    """Make the output ready for this run; gives the manifests of the ranges that are done and stay so."""
    manifests, stale = look_at_output(options, store)
    with told_errors(options):
        forget_ranges(store, stale)
    return manifests


@contextmanager
def told_errors(options: RunOptions) -> Iterator[None]:
    """Within the block, what the output's store raises becomes an OutputError."""
    try:
        yield
    except OutputError:
        raise
    except store_errors() as error:
        text = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        raise OutputError(f"cannot use --output {options.output}: {text}") from error


def look_at_output(options: RunOptions, store: Store) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """Claim the output; gives the manifests of the ranges that stay done, and of those that are to be done again."""
    with told_errors(options):
        if options.overwrite:
            clear_output(store)
        claim_output(store, options.config())
        manifests = read_manifests(store)
    for warc in dict.fromkeys(manifest["warc"] for manifest in manifests.values()):
        if (name := spell_name(warc)) != warc:
            spelled = f"{warc}, which is now named {name}"
            raise OutputError(f"{store.url} holds rows of {spelled}: use --overwrite, or another --output")
    stale = {name: manifest for name, manifest in manifests.items() if is_to_retry(manifest)}
    return {name: manifest for name, manifest in manifests.items() if name not in stale}, stale


def forget_ranges(store: Store, manifests: Mapping[str, Mapping[str, Any]]) -> None:
    """Remove what was made of ranges, which are then to do again."""
    for name, manifest in manifests.items():
        forget_range(store, name, manifest)


def drop_changed(archives: Mapping[str, int], manifests: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Take the manifests of archives that are no longer as they were out of `manifests`; gives them."""
    dropped: dict[str, dict[str, Any]] = {}
    for archive, found in find_changed(archives, manifests).items():
        log.info("%s has changed since it was read, and is extracted anew", archive)
        dropped |= {name: manifests.pop(name) for name in found}
    return dropped


def find_archives(options: RunOptions) -> dict[str, int]:
    """Look up the archives and their sizes in bytes (-1: unknown)."""
    reading = read_options(options)
    return find_sizes(expand_inputs(options.inputs, prefix=options.prefix, options=reading), reading)


def find_sizes(archives: Iterable[str], reading: ReadOptions) -> dict[str, int]:
    """Look up the archives' sizes in bytes (-1: unknown), many at a time."""
    names = list(archives)
    with ThreadPoolExecutor(LOOK_UPS) as pool:
        return dict(zip(names, pool.map(lambda archive: find_size(archive, reading), names), strict=True))


def plan_archives(archives: Mapping[str, int], manifests: Manifests, range_bytes: int) -> list[RangeSpec]:
    """Cut archives into ranges, as before where some of an archive's ranges are done."""
    by_archive = defaultdict(list)
    for manifest in manifests.values():
        by_archive[manifest["warc"]].append(manifest)
    return [
        spec
        for archive, size in archives.items()
        for spec in plan_ranges(archive, choose_size(size, by_archive[archive]), range_bytes)
    ]


def read_indexes(options: RunOptions, picks: Picks) -> dict[str, list[BadRow]]:
    """Put all wanted rows of all indexes into `picks`; gives the bad rows by index.

    Raises InputError when there are no good rows, or more than 10,000 bad ones: such a file is no index.
    """
    reading = read_options(options)
    bad: dict[str, list[BadRow]] = {}
    count = bad_count = 0
    for index in expand_indexes(options.indexes, prefix=options.prefix, options=reading):
        found, rows, found_bad = gather_picks(read_index(index, options.index_filter, reading), picks, MOST_BAD_ROWS)
        count += found
        bad_count += found_bad
        if rows:
            bad[index] = rows
        if bad_count > MOST_BAD_ROWS:
            raise InputError(f"more than {MOST_BAD_ROWS} rows of the index are bad, first {_show(bad)}")
    if not count:
        raise InputError(f"no row of the index can be used: first {_show(bad)}" if bad else _tell_unwanted(options))
    return bad


def _show(bad: Mapping[str, list[BadRow]]) -> str:
    first = next(iter(bad.values()))[0]
    return f"{first.index}, row {first.row}: {first.message}"


def _tell_unwanted(options: RunOptions) -> str:
    is_filtered = options.index_filter != IndexFilter()
    return "no row of the index is wanted: look at --cdx-filter" if is_filtered else "the index has no rows"
