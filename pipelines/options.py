"""The options of `python -m pipelines.extract`: Danubia's own, and the Beam options that are passed on."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions, SetupOptions, StandardOptions

from danubia_core import Options, __version__
from pipelines.flink_options import add_flink_options, add_stream_defaults
from pipelines.option_parser import OptionParser, UsageError, name_options, parse_extract_options
from pipelines.watch_options import WatchOptions, add_watch_options, read_watch_options
from schemas.page_row import SCHEMA_VERSION, page_columns
from transforms.extract_pages import EXTRACTOR, PAGE_MEMORY, PAGE_TIMEOUT
from transforms.index_filters import FilterError, IndexFilter, parse_filters
from transforms.inputs import is_utf8
from transforms.parquet_files import ROW_GROUP_BYTES, ROW_GROUP_ROWS
from transforms.row_values import name_detector

RANGE_BYTES: Final = 64 << 20  # small enough that a few workers share one archive evenly
JOIN_GAP_BYTES: Final = 1 << 20  # about what a store sends in the time that one more request takes
RETRY_SECONDS: Final = 120.0
MOST_ROW_GROUP_BYTES: Final = 64_000_000
SIZE: Final = re.compile(r"(?P<number>\d+)(?P<unit>|[kMG]i?B)", re.IGNORECASE)
UNITS: Final = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}
LOCAL_RUNNERS: Final = ("FnApiRunner", "DirectRunner", "BundleBasedDirectRunner", "PrismRunner")

DESCRIPTION: Final = "Extract the main content of every HTML page of web archives into Parquet files."
EPILOG: Final = (
    "Any other option is Apache Beam's (--runner, --direct_num_workers=2, …). Exit status: 0 when the reckoning closes "
    "and few enough pages failed; 1 when not; 2 when the command or its output directory is not usable. A run that was "
    "stopped goes on where it was when the same command is given again."
)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What one run was asked to do; sizes in bytes, times in seconds, page_memory in MiB."""

    output: str
    inputs: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    index_filter: IndexFilter = field(default_factory=IndexFilter)
    prefix: str = ""
    columns: tuple[str, ...] = ()
    overwrite: bool = False
    redo_changed: bool = False
    max_failure_rate: float = 0.01
    page_timeout: float = PAGE_TIMEOUT
    page_memory: int = PAGE_MEMORY
    range_bytes: int = RANGE_BYTES
    join_gap_bytes: int = JOIN_GAP_BYTES
    max_connections: int = 0
    retry_seconds: float = RETRY_SECONDS
    row_group_bytes: int = ROW_GROUP_BYTES
    row_group_rows: int = ROW_GROUP_ROWS
    extract: Options = field(default_factory=Options)
    extractor: str = EXTRACTOR
    verbose: bool = False
    watch: WatchOptions | None = None
    beam_flags: tuple[str, ...] = ()

    def config(self) -> dict[str, Any]:
        """Give what decides over the rows: a run with another configuration must not add to the same output."""
        return {
            "danubia": __version__,
            "schema": SCHEMA_VERSION,
            "columns": list(self.columns),
            "language_detector": name_detector() if "text_language" in self.columns else None,
            "range_bytes": self.range_bytes,
            "extract": self.extract.to_dict(),
        }


def build_parser() -> OptionParser:
    """Declare Danubia's own options."""
    parser = OptionParser(
        prog="python -m pipelines.extract", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False, usage=None
    )
    add = parser.add_argument
    add(
        "--input",
        dest="inputs",
        metavar="PATTERN",
        nargs="+",
        action="extend",
        default=[],
        help="archives (.warc, .warc.gz, .warc.zst, .arc, .arc.gz), globs, folders, lists (*.paths, *.paths.gz); "
        "paths or fsspec URLs",
    )
    add(
        "--cdx",
        dest="indexes",
        metavar="PATTERN",
        nargs="+",
        action="extend",
        default=[],
        help="in place of --input: read the records that an index names (CDXJ, Common Crawl's Parquet, csv of "
        "warc,offset,length); --prefix goes before the archives it names",
    )
    add(
        "--cdx-filter",
        dest="index_filters",
        action="append",
        default=[],
        metavar="NAME=VALUE,…",
        help="of --cdx, only rows with this language, host, mime or status",
    )
    add("--output", metavar="DIR", help="where rows, failures and the report go; a path or fsspec URL")
    add("--prefix", default="", help="put before each entry of a list, for example s3://commoncrawl/")
    add(
        "--columns",
        metavar="NAMES",
        help="columns to write, comma-separated; or =+html,-tree to change the default ones",
    )
    add("--overwrite", action="store_true", help="remove what an earlier run wrote to DIR, and start afresh")
    add("--redo-changed", action="store_true", help="extract archives anew whose size is no longer what it was")
    add(
        "--max-failure-rate", type=_rate, default=0.01, metavar="SHARE", help="most failures a good run may have (0.01)"
    )
    add("--page-timeout", type=_positive(float), default=PAGE_TIMEOUT, metavar="SECONDS", help="for one page (30)")
    add("--page-memory", type=_positive(int), default=PAGE_MEMORY, metavar="MB", help="for one page (512)")
    add(
        "--range-bytes",
        type=_size,
        default=RANGE_BYTES,
        metavar="BYTES",
        help="of an archive, read as one (64 MiB)",
    )
    add(
        "--join-gap-bytes",
        type=_size,
        default=JOIN_GAP_BYTES,
        metavar="BYTES",
        help="records of --cdx that lie this near are fetched together (1 MiB)",
    )
    add("--max-connections", type=_positive(int), default=0, metavar="N", help="to stores, of all workers on a machine")
    add("--retry-seconds", type=_positive(float), default=RETRY_SECONDS, metavar="SECONDS", help="for one read (120)")
    add("--row-group-bytes", type=_size, default=ROW_GROUP_BYTES, metavar="BYTES", help="at most (48000000)")
    add("--row-group-rows", type=_positive(int), default=ROW_GROUP_ROWS, metavar="ROWS", help="at most (10000)")
    add_watch_options(parser)
    add("--option", action="append", default=[], metavar="NAME=VALUE", help=f"of the extractor: {name_options()}")
    add("--extractor", default=EXTRACTOR, help=argparse.SUPPRESS)
    add("--verbose", action="store_true", help="log more, and whole tracebacks")
    add("--version", action="version", version=f"danubia {__version__}")
    return parser


def parse_options(arguments: Sequence[str]) -> RunOptions:
    """Read a command line. Raises UsageError for what is wrong with it, unknown options among that."""
    parser = build_parser()
    known, rest = parser.parse_known_args(list(arguments))
    check_beam_flags(rest, parser)
    if known.row_group_bytes > MOST_ROW_GROUP_BYTES:
        raise UsageError(f"--row-group-bytes may be {MOST_ROW_GROUP_BYTES} at most")
    check_places(known)
    try:
        wanted = parse_filters(known.index_filters)
    except FilterError as error:
        raise UsageError(f"--cdx-filter: {error}") from None
    try:
        names = [name.strip() for name in known.columns.split(",")] if known.columns is not None else None
        columns = page_columns(names)
    except ValueError as error:
        raise UsageError(f"--columns: {error}") from None
    return RunOptions(
        inputs=tuple(known.inputs),
        indexes=tuple(known.indexes),
        index_filter=wanted,
        output=known.output,
        prefix=known.prefix,
        columns=tuple(column.name for column in columns),
        overwrite=known.overwrite,
        redo_changed=known.redo_changed,
        max_failure_rate=known.max_failure_rate,
        page_timeout=known.page_timeout,
        page_memory=known.page_memory,
        range_bytes=known.range_bytes,
        join_gap_bytes=known.join_gap_bytes,
        max_connections=known.max_connections,
        retry_seconds=known.retry_seconds,
        row_group_bytes=known.row_group_bytes,
        row_group_rows=known.row_group_rows,
        extract=parse_extract_options(known.option),
        extractor=known.extractor,
        verbose=known.verbose,
        watch=read_watch_options(known),
        beam_flags=tuple(rest),
    )


def check_places(known: argparse.Namespace) -> None:
    """Raise UsageError for inputs and outputs that are not named, and for filters of nothing.

    An empty name would be the folder in which the command is given: shells make it from a variable that is not set.
    """
    if bool(known.inputs) == bool(known.indexes):
        raise UsageError("give either --input or --cdx, and --output")
    if known.output is None:
        raise UsageError("give --output: the folder or URL where rows, failures and the report go")
    if known.index_filters and not known.indexes:
        raise UsageError("--cdx-filter goes with --cdx: what --input names is read whole")
    if known.redo_changed and (known.indexes or known.watch):
        raise UsageError("--redo-changed goes with --input, and without --watch: give it once, then watch on")
    for option, names in (("--input", known.inputs), ("--cdx", known.indexes), ("--output", [known.output])):
        if not all(name.strip() for name in names):
            raise UsageError(f"{option} is empty: give a path or URL, for this folder .")
    if not is_utf8(known.output):
        raise UsageError(f"--output {known.output!r}: the name is not UTF-8, as the report is: give another")


def check_beam_flags(flags: Sequence[str], own: argparse.ArgumentParser) -> None:
    """Raise UsageError for an option that neither Danubia nor Beam knows, with the nearest that one of them does."""
    captured: list[argparse.ArgumentParser] = []
    PipelineOptions([]).get_all_options(add_extra_args_fn=captured.append)
    parser = captured[0]
    parser.error = own.error  # type: ignore[method-assign]
    if is_flink(PipelineOptions(list(flags))):
        add_flink_options(parser)
    _, unknown = parser.parse_known_args(list(flags))
    if not unknown:
        return
    first = unknown[0].partition("=")[0]
    names = [name for known in (own, parser) for name in known._option_string_actions]
    near = difflib.get_close_matches(first, names, n=1, cutoff=0.75) or difflib.get_close_matches(
        first.replace("-", "_").replace("__", "--", 1), names, n=1, cutoff=0.75
    )
    raise UsageError(f"unknown option {first}" + (f"; is {near[0]} meant?" if near else ""))


def beam_options(options: RunOptions) -> PipelineOptions:
    """Give Beam's options. Workers import what they need: what this command's module holds is not sent to them."""
    settings = PipelineOptions(list(options.beam_flags))
    if options.watch is not None and is_flink(settings):
        settings = PipelineOptions(add_stream_defaults(options.beam_flags))
    settings.view_as(SetupOptions).save_main_session = False
    return settings


def takes_processes(beam: PipelineOptions) -> bool:
    """Tell whether FnApiRunner is to start worker processes: threads would share one interpreter's lock."""
    direct = beam.view_as(DirectOptions)
    mode = direct.direct_running_mode
    return runner_name(beam) == "FnApiRunner" and (
        mode == "multi_processing" or (mode == "in_memory" and direct.direct_num_workers != 1)
    )


def runner_name(beam: PipelineOptions) -> str:
    """Give the runner's name; without one it is FnApiRunner, which needs nothing from the network."""
    return str(beam.view_as(StandardOptions).runner or "FnApiRunner").rpartition(".")[2]


def is_flink(beam: PipelineOptions) -> bool:
    """Tell whether the job goes to Flink."""
    return runner_name(beam) == "FlinkRunner"


def is_local(beam: PipelineOptions) -> bool:
    """Tell whether the workers run on this machine, started by this process."""
    return runner_name(beam) in LOCAL_RUNNERS


def _rate(text: str) -> float:
    rate = float(text)
    if not 0 <= rate <= 1:
        raise argparse.ArgumentTypeError("must lie between 0 and 1")
    return rate


def _size(text: str) -> int:
    """Read a size in bytes, with a unit or without: 67108864, 64MiB, 64MB."""
    match = SIZE.fullmatch(text)
    size = int(match["number"]) * UNITS[match["unit"].lower()] if match else 0
    if not 0 < size < 1e15:
        raise argparse.ArgumentTypeError(f"{text!r}: give bytes, more than 0, or with a unit, as 64MiB or 64MB")
    return size


def _positive(kind: type[int] | type[float]) -> Any:
    def convert(text: str) -> int | float:
        number = kind(text)
        if not 0 < number < 1e15:
            raise argparse.ArgumentTypeError("must be more than 0")
        return number

    convert.__name__ = kind.__name__
    return convert
