"""The streaming graphs, as runners elsewhere get them."""

from __future__ import annotations

import json
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.build_pipeline import build_stream
from pipelines.options import beam_options, parse_options

RESHUFFLE = "beam:transform:reshuffle:v1"
SHUFFLE = "beam:transform:group_by_key:v1"
PUBSUB = "beam:transform:pubsub_read:v1"


def translate(*flags: str) -> Any:
    arguments = ["--watch", "--input", "gs://crawl/*.warc.gz", "--output", "gs://rows/out", *flags]
    options = parse_options(arguments)
    assert options.watch is not None
    pipeline = beam.Pipeline(options=PipelineOptions(["--streaming", *options.beam_flags]))
    build_stream(pipeline, options, options.watch)
    return pipeline.to_runner_api().components


def find_sources(components: Any) -> list[Any]:
    return [step for step in components.transforms.values() if not step.inputs and not step.subtransforms]


@pytest.mark.parametrize("place", ["projects/news-crawl/subscriptions/new", "projects/news-crawl/topics/new"])
def test_the_topic_is_the_only_source(place: str) -> None:
    components = translate(f"--watch-topic={place}")
    [source] = find_sources(components)
    assert source.spec.urn == PUBSUB
    payload = beam.portability.api.beam_runner_api_pb2.PubSubReadPayload.FromString(source.spec.payload)
    assert place in (payload.topic, payload.subscription)
    assert payload.with_attributes


@pytest.mark.parametrize("flags", [[], ["--watch-topic=projects/news-crawl/subscriptions/new"]])
def test_only_ranges_cross_a_shuffle(flags: list[str]) -> None:
    """What carries pages lies behind the last shuffle, fused from the reader to the writer."""
    components = translate(*flags)
    names = [step.unique_name for step in components.transforms.values() if step.spec.urn in {RESHUFFLE, SHUFFLE}]
    assert names
    assert all(name.startswith("TakeNew/Spread") for name in names)


def test_flink_ticks_by_a_source_of_its_own_and_one_place_looks() -> None:
    components = translate("--watch-interval=5", "--runner=FlinkRunner")
    [source] = find_sources(components)
    assert source.spec.urn == "flink:transform:streaming_impulse:v1"
    assert json.loads(source.spec.payload) == {"interval_ms": 5000}
    [look] = [step for step in components.transforms.values() if step.unique_name == "WatchArchives/Look"]
    payload = beam.portability.api.beam_runner_api_pb2.ParDoPayload.FromString(look.spec.payload)
    assert list(payload.state_specs) == ["place"]


def test_flink_streams_one_range_at_a_time_and_outlives_checkpoints() -> None:
    def find_flags(*flags: str) -> list[str]:
        arguments = ["--input", "gs://crawl/*", "--output", "gs://rows", "--runner=FlinkRunner", *flags]
        return list(beam_options(parse_options(arguments))._flags)

    assert find_flags() == ["--runner=FlinkRunner"]
    added = {"--max_bundle_size=1", "--checkpoint_timeout_millis=3600000", "--fail_on_checkpointing_errors"}
    assert set(find_flags("--watch")) == {"--runner=FlinkRunner", *added}
    assert "--fail_on_checkpointing_errors=false" in find_flags("--watch", "--flink_submit_uber_jar")
    assert "--max_bundle_size=1" not in find_flags("--watch", "--max_bundle_size=5")


def test_the_looks_are_a_source_without_an_end() -> None:
    components = translate("--watch-interval=5")
    [source] = find_sources(components)
    assert source.unique_name.startswith("WatchArchives/Tick")
    unbounded = beam.portability.api.beam_runner_api_pb2.IsBounded.UNBOUNDED
    [rows] = [step for step in components.transforms.values() if step.unique_name == "WriteRows/Write"]
    assert {components.pcollections[name].is_bounded for name in rows.outputs.values()} == {unbounded}
