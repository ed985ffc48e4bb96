"""What is special about FlinkRunner: options of its job server, what a stream needs there, and its own ticks.

The job server declares options that Beam's Python SDK does not; they are known here, for they are passed on. Source:
Beam, "Flink Runner", pipeline options; FlinkPipelineOptions of Beam 2.50 to 2.77.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

import apache_beam as beam
from apache_beam.io.flink.flink_streaming_impulse_source import FlinkStreamingImpulseSource

VALUES: Final = (
    "auto_watermark_interval", "checkpoint_timeout_millis", "checkpointing_interval", "checkpointing_mode",
    "execution_mode_for_batch", "execution_retry_delay", "flink_conf_dir", "job_check_interval_in_secs",
    "latency_tracking_interval", "max_bundle_size", "max_bundle_time_mills", "min_pause_between_checkpoints",
    "num_concurrent_checkpoints", "number_of_execution_retries", "savepoint_path", "shutdown_sources_after_idle_ms",
    "state_backend", "state_backend_factory", "state_backend_storage_path",
)  # fmt: skip
SWITCHES: Final = (
    "allow_non_restored_state", "attached_mode", "auto_balance_write_files_sharding_enabled", "disable_metrics",
    "enable_stable_input_drain", "externalized_checkpoints_enabled", "fail_on_checkpointing_errors", "faster_copy",
    "finish_bundle_before_checkpointing", "force_slot_sharing_group", "force_unaligned_checkpoint_enabled",
    "object_reuse", "operator_chaining", "re_iterable_group_by_key_result", "report_checkpoint_duration",
    "retain_externalized_checkpoints_on_cancellation", "unaligned_checkpoint_enabled", "use_data_stream_for_batch",
)  # fmt: skip


def add_flink_options(parser: argparse.ArgumentParser) -> None:
    """Declare them to a parser that has Beam's own."""
    for name in VALUES:
        parser.add_argument(f"--{name}")
    for name in SWITCHES:
        parser.add_argument(f"--{name}", action="store_true")


# For a job that streams ranges. A bundle of more than one would hold back the checkpoint behind it until all are done,
# and in Beam 2.50 gives nothing out when checkpoints come faster than bundles end. Ranges that wait in channels hold
# a checkpoint back, too, and one that is late must not end the job: no state that matters is in it.
STREAM_DEFAULTS: Final = ("--max_bundle_size=1", "--checkpoint_timeout_millis=3600000")
# Beam makes of a job server's switch whose default is true one that turns it off; without a job server it knows none.
OUTLIVE_CHECKPOINTS: Final = ("--fail_on_checkpointing_errors", "--fail_on_checkpointing_errors=false")


def add_stream_defaults(flags: Sequence[str]) -> list[str]:
    """Add what a streaming job needs on Flink and was not given."""
    given = {flag.partition("=")[0] for flag in flags}
    defaults = (*STREAM_DEFAULTS, OUTLIVE_CHECKPOINTS["--flink_submit_uber_jar" in given])
    return [*flags, *(flag for flag in defaults if flag.partition("=")[0] not in given)]


def make_flink_ticks(interval: float) -> beam.PTransform:
    """Give Flink's own source of ticks, one every `interval` seconds in each slot.

    Beam's PeriodicImpulse leaves 18 kB more in every checkpoint at each of its ticks there, for ever (measured with the
    job server of Beam 2.50; apache/beam issue 27648).
    """
    return FlinkStreamingImpulseSource().set_interval_ms(max(1, round(interval * 1000)))
