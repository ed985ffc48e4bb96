"""Manifests: one small JSON file for each range that is done, written last; and the configuration they belong to."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from transforms.pages import RangeSpec
from transforms.stores import Store

PAGES: Final = "pages"
FAILURES: Final = "failures"
SKIPPED: Final = "skipped"
MANIFESTS: Final = "_manifests"
PLAN: Final = "_plan"
CONFIG: Final = "_config.json"
REPORT: Final = "_report.json"
STEM_CHARACTERS: Final = 120
OWN_NAME: Final = re.compile(
    r"\.?(.+-[0-9a-f]{8}-\d{5,}-of-\d{5,}|part-[0-9a-f]{16}|picks-.+|_config|_report)\.(json|parquet|bin)(\.[0-9a-f]{12}\.tmp)?"
)


class OutputError(ValueError):
    """The output directory cannot be used for this run; the message is one line and says the way out."""


def shard_name(spec: RangeSpec) -> str:
    """Name a range's files: the archive's name, a hash of its whole path, and which range of how many.

    Where an index picks the records, the hash is of the path and all that is picked.

    >>> shard_name(RangeSpec("s3://bucket/segments/1/CC-MAIN-00000.warc.gz", 2, 8, 0, 9, 9))
    'CC-MAIN-00000-c7593993-00002-of-00008'
    """
    path = spec.warc.partition("?")[0] if "://" in spec.warc else spec.warc
    name = re.sub(r"(\.w?arc)?(\.gz)?$", "", PurePosixPath(path.replace("\\", "/")).name, flags=re.IGNORECASE)
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-_")[:STEM_CHARACTERS] or "archive"
    hashed = spec.warc if spec.picks is None else f"{spec.warc} {spec.picks.selection}"
    digest = hashlib.sha256(hashed.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{stem}-{digest}-{spec.index:05d}-of-{spec.count:05d}"


def part_name(spec: RangeSpec, offset: int) -> str:
    """Name a bundle's files by its first page, for streams that have no range ends."""
    return f"part-{hashlib.sha256(f'{spec.warc} {offset}'.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def manifest_name(spec: RangeSpec) -> str:
    """Give the name of a range's manifest in its folder."""
    return f"{shard_name(spec)}.json"


def write_manifest(store: Store, spec: RangeSpec, manifest: Mapping[str, Any]) -> None:
    """Say that a range is done."""
    store.write_json(f"{MANIFESTS}/{manifest_name(spec)}", manifest)


def read_manifests(store: Store, skip: Iterable[str] = ()) -> dict[str, dict[str, Any]]:
    """Give the manifests in the output directory by file name, without those named in `skip`."""
    return store.read_all_json(MANIFESTS, frozenset(skip))


def read_manifests_of(store: Store, archive: str) -> dict[str, dict[str, Any]]:
    """Give the manifests of one archive that was read whole, by file name."""
    stem = shard_name(RangeSpec(archive, 0, 1, 0, -1, -1)).rsplit("-", 3)[0]
    found = {name: store.read_json(f"{MANIFESTS}/{name}") for name in store.find_names(MANIFESTS, f"{stem}-")}
    return {name: manifest for name, manifest in found.items() if manifest is not None and name.endswith(".json")}


def split_plan(
    plan: Iterable[RangeSpec], manifests: Mapping[str, dict[str, Any]]
) -> tuple[list[RangeSpec], list[dict[str, Any]]]:
    """Part a plan into the ranges that are to do and the manifests of those that are done.

    Raises OutputError when an archive is no longer as it was when some of its ranges were done.
    """
    left: list[RangeSpec] = []
    done: list[dict[str, Any]] = []
    before = {manifest["warc"]: manifest for manifest in manifests.values()}
    for spec in plan:
        if change := describe_change(spec, before.get(spec.warc)):
            raise OutputError(f"{spec.warc} {change}: use {way_out(spec)}--overwrite, or another --output")
        manifest = manifests.get(manifest_name(spec))
        if manifest is None:
            left.append(spec)
        else:
            done.append(manifest)
    return left, done


def describe_change(spec: RangeSpec, before: Mapping[str, Any] | None) -> str:
    """Say how an archive's plan differs from the one by which some of it was done; "" when it does not."""
    selection = spec.picks.selection if spec.picks is not None else None
    if before is None:
        return ""
    if before.get("selection") != selection:
        if selection is None:
            return "was read by an index's rows before, and is to be read whole now"
        if before.get("selection") is None:
            return "was read whole before, and is to be read by an index's rows now"
        return "was read by an index's rows before, and they were others"
    if (before["count"], before["size"]) != (spec.count, spec.size):
        sizes = f"it was {before['size']} bytes, it is {spec.size}"
        return f"has changed since part of it was done ({sizes})"
    return ""


def way_out(spec: RangeSpec) -> str:
    """Name the option that has an archive that was read whole, and changed, extracted anew."""
    return "--redo-changed, " if spec.picks is None else ""


def find_changed(
    archives: Mapping[str, int], manifests: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Mapping[str, Any]]]:
    """Give the manifests, by file name, of those archives, read whole, whose size is another than theirs."""
    changed: dict[str, dict[str, Mapping[str, Any]]] = {}
    for name, manifest in manifests.items():
        archive, before = manifest["warc"], manifest["size"]
        if archive not in archives or manifest.get("selection") is not None:
            continue
        if choose_size(archives[archive], [manifest]) != before:
            changed.setdefault(archive, {})[name] = manifest
    return changed


def is_to_retry(manifest: Mapping[str, Any]) -> bool:
    """Tell whether a later run tries a range again: the store failed in it, or it gave nothing but failures.

    >>> is_to_retry({"whole": True, "records": 1, "failures": 1, "pages": 0})
    True
    >>> is_to_retry({"whole": True, "records": 9, "failures": 1, "pages": 4})
    False
    """
    is_unread = manifest["failures"] and manifest["records"] == manifest["failures"] and not manifest["pages"]
    return bool(is_unread) or not manifest["whole"]


def choose_size(size: int, manifests: Iterable[Mapping[str, Any]]) -> int:
    """Give the size to plan an archive by: the one its finished ranges were planned by, where one of both is unknown.

    A store that was away while sizes were looked up, before or now, must not make two plans of one archive.

    >>> choose_size(-1, [{"size": 9}]), choose_size(9, [{"size": -1}]), choose_size(8, [{"size": 9}])
    (9, -1, 8)
    """
    before = next((int(manifest["size"]) for manifest in manifests), size)
    return before if -1 in (size, before) else size


def forget_range(store: Store, name: str, manifest: Mapping[str, Any]) -> None:
    """Remove a range's manifest, and then its files."""
    store.remove(f"{MANIFESTS}/{name}")
    for kind in ("pages_file", "failures_file", "skipped_file"):
        if path := manifest.get(kind):
            store.remove(path)


def fingerprint(config: Mapping[str, Any]) -> str:
    """Give a hash that is equal for equal configurations."""
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:16]


def claim_output(store: Store, config: Mapping[str, Any]) -> None:
    """Write the configuration into a fresh output directory, or compare it with the one that is there.

    `config` holds what decides over the rows. Raises OutputError that names what differs, or when there are rows of an
    unknown configuration.
    """
    written = store.read_json(CONFIG)
    if written is None:
        if store.list_names(MANIFESTS):
            raise OutputError(f"{store.url} holds rows but no {CONFIG}: use --overwrite, or another --output")
        store.write_json(CONFIG, {"fingerprint": fingerprint(config), "config": config})
        return
    if written.get("fingerprint") == fingerprint(config):
        return
    before = written.get("config", {})
    changes = [
        describe_difference(key, before.get(key), config.get(key))
        for key in sorted({*before, *config})
        if before.get(key) != config.get(key)
    ]
    raise OutputError(
        f"{store.url} was begun with another configuration ({'; '.join(changes)}): use --overwrite, or another --output"
    )


def describe_difference(key: str, before: Any, now: Any) -> str:
    """Say how one part of two configurations differs, of lists only what one of them lacks.

    >>> describe_difference("columns", ["url", "text"], ["url", "html"])
    'columns: +html, -text'
    """
    if isinstance(before, list) and isinstance(now, list) and set(before) != set(now):
        added, gone = ([name for name in a if name not in b] for a, b in ((now, before), (before, now)))
        return f"{key}: {', '.join([*(f'+{name}' for name in added), *(f'-{name}' for name in gone)])}"
    if isinstance(before, dict) and isinstance(now, dict):
        keys = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
        return ", ".join(describe_difference(f"{key}.{name}", before.get(name), now.get(name)) for name in keys)
    return f"{key} was {json.dumps(before)}, is {json.dumps(now)}"


def clear_output(store: Store) -> None:
    """Remove what Danubia wrote, and nothing else. The manifests go first: without them no row counts as done."""
    store.remove_folder(MANIFESTS, OWN_NAME)
    clear_plan(store)
    for name in (CONFIG, REPORT):
        store.remove(name)
    store.remove_leftovers("", OWN_NAME)
    for folder in (PAGES, FAILURES, SKIPPED):
        store.remove_folder(folder, OWN_NAME)


def clear_plan(store: Store) -> None:
    """Remove the lists of picked records, those of all runs: each writes its own."""
    store.remove_folder(PLAN, OWN_NAME)


def clear_leftovers(store: Store) -> None:
    """Remove the temporary files that a killed run left."""
    for folder in (PAGES, FAILURES, SKIPPED, MANIFESTS, PLAN):
        store.remove_leftovers(folder, OWN_NAME)
    store.remove_leftovers("", OWN_NAME)
