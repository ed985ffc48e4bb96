"""The options of --watch."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass

from pipelines.option_parser import OptionParser, UsageError

TOPIC = re.compile(r"projects/[^/]+/(topics|subscriptions)/[^/]+")


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """How to watch: seconds between looks, seconds for which a file must rest, and Pub/Sub's topic or subscription."""

    interval: float
    settle: float
    topic: str = ""


def add_watch_options(parser: OptionParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add(
        "--watch",
        action="store_true",
        help="go on: extract archives that appear under --input, each once, until SIGTERM or Ctrl-C (a second one ends "
        "at once)",
    )
    add("--watch-interval", type=_seconds, default=60.0, metavar="SECONDS", help="from one look to the next (60)")
    add(
        "--watch-settle",
        type=_seconds,
        default=30.0,
        metavar="SECONDS",
        help="for which a file must not have changed; object stores' objects are whole when they appear (30)",
    )
    add(
        "--watch-topic",
        default="",
        metavar="NAME",
        help="in place of looks: projects/…/subscriptions/… or …/topics/…, whose messages tell of new objects; those "
        "that --input matches are extracted",
    )


def read_watch_options(known: argparse.Namespace) -> WatchOptions | None:
    """Give the options, None without --watch. Raises UsageError."""
    if not known.watch:
        if known.watch_topic:
            raise UsageError("--watch-topic goes with --watch")
        return None
    if known.indexes:
        raise UsageError("--watch goes with --input: an index names archives that are there")
    if known.watch_topic and not TOPIC.fullmatch(known.watch_topic):
        raise UsageError(f"--watch-topic {known.watch_topic}: give projects/…/subscriptions/… or projects/…/topics/…")
    return WatchOptions(known.watch_interval, known.watch_settle, known.watch_topic)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError("must be more than 0 and less than a million")
    return seconds
