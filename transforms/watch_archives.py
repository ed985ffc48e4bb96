"""WatchArchives, ReadNotifications and TakeNew: archives as they appear, for runners that stream.

What is done is known from the manifests alone. So a job that was cancelled, or lost a worker or its checkpoints, goes
on where it was; archives and messages that come twice cost a look.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import apache_beam as beam
from apache_beam.coders import BytesCoder
from apache_beam.metrics import Metrics
from apache_beam.pvalue import PBegin, PCollection
from apache_beam.transforms.periodicsequence import PeriodicImpulse
from apache_beam.transforms.userstate import ReadModifyWriteStateSpec
from apache_beam.utils.timestamp import MAX_TIMESTAMP, Timestamp

from transforms.counters import NAMESPACE
from transforms.inputs import find_size, is_temporary
from transforms.look_out import LookOut
from transforms.manifests import OutputError, forget_range, is_to_retry, read_manifests_of
from transforms.notifications import NotificationError, is_wanted, parse_notification
from transforms.pages import RangeSpec
from transforms.plan_new import plan_new
from transforms.read_options import ReadOptions
from transforms.stores import Store

# State, in which nothing is kept, has the runner bring all elements of a key to one place.
AT_ONE_PLACE: Final = beam.DoFn.StateParam(ReadModifyWriteStateSpec("place", BytesCoder()))
AGAIN_SECONDS: Final = 3600.0  # far longer than a range takes; then it is dealt out once more, lest it was lost

log = logging.getLogger("danubia")


class WatchArchives(beam.PTransform):
    """A root: paths of the archives that match `patterns`, at every look those that are whole by then.

    Pairs with `LookOut`. Each path comes again and again: TakeNew drops what is under way or done. Beam's own
    MatchContinuously would remember what it gave: all of it for ever, or by the newest time of change, which loses a
    file that is moved here after a younger one, and an object whose upload in parts began before another's.

    `ticks`, in place of Beam's PeriodicImpulse, is another root that gives an element about every `interval` seconds.
    """

    def __init__(
        self,
        patterns: Sequence[str],
        *,
        prefix: str = "",
        interval: float = 60,
        settle_seconds: float = 30,
        stop_timestamp: Timestamp = MAX_TIMESTAMP,
        options: ReadOptions | None = None,
        ticks: beam.PTransform | None = None,
    ) -> None:
        super().__init__()
        self._look = LookFn(tuple(patterns), prefix, interval, settle_seconds, options or ReadOptions())
        self._interval = interval
        self._stop = stop_timestamp
        self._ticks = ticks

    def expand(self, root: PBegin) -> PCollection[str]:
        """Look at every tick."""
        # The default start is the time at which Beam was imported.
        ticks = self._ticks or PeriodicImpulse(
            start_timestamp=Timestamp.now(), stop_timestamp=self._stop, fire_interval=self._interval
        )
        keyed = root | "Tick" >> ticks | "Key" >> beam.Map(give_key).with_output_types(tuple[int, int])
        return keyed | "Look" >> beam.ParDo(self._look).with_output_types(str)


def give_key(_: Any) -> tuple[int, int]:
    """Give every tick the same key, so that one worker looks."""
    return (0, 0)


class LookFn(beam.DoFn):
    """Wraps `LookOut`."""

    def __init__(
        self, patterns: tuple[str, ...], prefix: str, interval: float, settle_seconds: float, options: ReadOptions
    ) -> None:
        self._patterns = patterns
        self._prefix = prefix
        self._interval = interval
        self._settle_seconds = settle_seconds
        self._options = options

    def setup(self) -> None:
        """Begin knowing nothing."""
        self._look_out = LookOut(
            self._patterns, prefix=self._prefix, settle_seconds=self._settle_seconds, options=self._options
        )
        self._last = -self._interval

    def process(self, _: tuple[int, int], place: Any = AT_ONE_PLACE) -> Iterator[str]:
        """Look, unless the ticks of a pause, or of several sources, come all at once."""
        if time.monotonic() - self._last < self._interval / 2:
            return
        self._last = time.monotonic()
        yield from self._look_out.look().ready


class ReadNotifications(beam.PTransform):
    """A root: URLs of the new objects that Pub/Sub's messages name, of those that match `patterns`.

    `source` is projects/…/topics/… or projects/…/subscriptions/…. Pairs with `parse_notification`.
    """

    def __init__(self, source: str, patterns: Sequence[str]) -> None:
        super().__init__()
        self._source = source
        self._patterns = tuple(patterns)

    def expand(self, root: PBegin) -> PCollection[str]:
        """Read and parse messages."""
        from apache_beam.io.gcp.pubsub import ReadFromPubSub  # the extra `gcp`, which only this needs

        is_topic = "/topics/" in self._source
        place = {"topic": self._source} if is_topic else {"subscription": self._source}
        messages = root | "Messages" >> ReadFromPubSub(**place, with_attributes=True)
        return messages | "Parse" >> beam.ParDo(ParseFn(self._patterns)).with_output_types(str)


class ParseFn(beam.DoFn):
    """Wraps `parse_notification` and `is_wanted`; counts what is ignored, and what is no notification."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._patterns = patterns

    def process(self, message: Any) -> Iterator[str]:
        """Give the wanted objects' URLs."""
        try:
            urls = parse_notification(message.data or b"", message.attributes or {})
        except NotificationError as error:
            count("bad_messages")
            log.warning("a message is ignored: %s", error)
            return
        wanted = [url for url in urls if is_wanted(url, self._patterns) and not is_temporary(url, "://")]
        if not wanted:
            count("ignored_messages")
        yield from wanted


class TakeNew(beam.PTransform):
    """Paths of archives to shuffled RangeSpecs, of the ranges that `output` lacks; pairs with `plan_new`."""

    def __init__(self, output: str, options: ReadOptions | None = None) -> None:
        super().__init__()
        self._fn = TakeNewFn(output, options or ReadOptions())

    def expand(self, paths: PCollection[str]) -> PCollection[RangeSpec]:
        """Plan and spread."""
        return paths | "Take" >> beam.ParDo(self._fn).with_output_types(RangeSpec) | "Spread" >> beam.Reshuffle()


class TakeNewFn(beam.DoFn):
    """Remembers, while its process lives, which archives it has dealt out and when: to spare looks, not to be right."""

    def __init__(self, output: str, options: ReadOptions) -> None:
        self._output = output
        self._options = options

    def setup(self) -> None:
        """Connect to the output."""
        self._store = Store(self._output)
        self._done: set[str] = set()
        self._taken: dict[str, tuple[float, float]] = {}  # when to deal out again, and how much later the next time

    def process(self, archive: str) -> Iterator[RangeSpec]:
        """Give the archive's ranges that are to do, unless they were given a while ago."""
        due, pause = self._taken.get(archive, (0.0, AGAIN_SECONDS))
        if archive in self._done or time.monotonic() < due:
            return
        size = find_size(archive, self._options)
        if size < 0:
            log.warning("%s does not tell its size, and is looked at again later", archive)
            return
        manifests = read_manifests_of(self._store, archive)
        for name in [name for name, manifest in manifests.items() if is_to_retry(manifest)]:
            forget_range(self._store, name, manifests.pop(name))
        try:
            to_do = plan_new(archive, size, manifests, self._options.range_bytes).to_do
        except OutputError as error:
            log.error("%s", error)
            count("changed_archives")
            self._done.add(archive)
            return
        if not to_do:
            self._taken.pop(archive, None)
            self._done.add(archive)
            return
        self._taken[archive] = (time.monotonic() + pause, 2 * pause)
        yield from to_do


def count(name: str) -> None:
    """Add one to a counter."""
    Metrics.counter(NAMESPACE, f"watch:{name}").inc()
