"""A watch as one streaming job for Dataflow: submitted whole to the stand-ins, fed with messages, drained."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import fsspec
import pytest
from apache_beam.io.gcp.pubsub import PubsubMessage
from google.cloud import dataflow as service

from pipelines.extract import main
from tests.deploy.fake_dataflow import FakeDataflow, Graph, feed_messages, run_graph
from tests.deploy.launching import IMAGE
from tests.deploy.submissions import PAGES, ask_to_end, command, fetch_rows, list_files, upload

WATCH = ["--watch", "--watch-topic=projects/mill-project/subscriptions/new"]


def tell(name: str, **changes: str) -> PubsubMessage:
    attributes = {"eventType": "OBJECT_FINALIZE", "bucketId": "mills", "objectId": name, **changes}
    return PubsubMessage(b"", attributes)


def test_watched_topic_is_drained_at_a_signal(
    jobs: FakeDataflow, archive: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Each object that a message names is extracted once; other buckets' and doubled messages are ignored."""

    def work(graph: Graph) -> None:
        messages = [tell("in/mills.warc.gz"), tell("in/mills.warc.gz"), tell("in/x.warc.gz", bucketId="others")]
        feed_messages(graph, [*messages, tell("in/mills.warc.gz", eventType="OBJECT_DELETE")])
        run_graph(graph)
        ask_to_end(jobs)

    upload(archive, "gs://mills/in/mills.warc.gz")
    jobs.work = work
    assert main(command(jobs, tmp_path, "watched", *WATCH, JOB="mills-3", MAX_WORKERS="3")) == 0
    assert jobs.errors == []
    assert jobs.updates == ["JOB_STATE_DRAINING"]
    assert fetch_rows("gs://mills/watched", tmp_path / "rows") == expected
    job = service.Job.from_json(json.dumps(jobs.jobs[0]))
    assert (job.name, job.type_) == ("mills-3", service.JobType.JOB_TYPE_STREAMING)
    assert "enable_streaming_engine" in job.environment.experiments
    (pool,) = job.environment.worker_pools
    assert pool.worker_harness_container_image == f"{IMAGE}/worker:t1"
    assert pool.autoscaling_settings.max_num_workers == 3
    report = json.loads(fsspec.open("gs://mills/watched/_report.json").fs.cat_file("gs://mills/watched/_report.json"))
    assert (report["pages"], report["failures"], report["ranges"]["missing"]) == (PAGES, 0, 0)


def test_second_signal_cancels_a_job_that_drains(jobs: FakeDataflow, tmp_path: Path) -> None:
    def work(_: Graph) -> None:
        for _ in range(2):
            ask_to_end(jobs)
            jobs.asked.wait(60)
            jobs.asked.clear()

    jobs.work = work
    assert main(command(jobs, tmp_path, "drained", *WATCH)) == 0
    assert jobs.updates == ["JOB_STATE_DRAINING", "JOB_STATE_CANCELLED"]


def test_job_that_others_drain_ends_the_command_well(jobs: FakeDataflow, archive: Path, tmp_path: Path) -> None:
    def work(graph: Graph) -> None:
        feed_messages(graph, [tell("in/mills.warc.gz")])
        run_graph(graph)
        assert jobs.seen.wait(60)
        jobs.update(jobs.jobs[0], "JOB_STATE_DRAINING")

    upload(archive, "gs://mills/in/mills.warc.gz")
    jobs.work = work
    assert main(command(jobs, tmp_path, "drained-by-others", *WATCH)) == 0
    report = json.loads(fsspec.open("gs://mills/drained-by-others/_report.json").open().read())
    assert report["pages"] == PAGES


def test_watch_that_is_refused_ends_the_command(
    jobs: FakeDataflow, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs.refuses = True
    assert main(command(jobs, tmp_path, "unwatched", *WATCH)) == 1
    assert re.search("the job stopped: 403 .* this caller may not create jobs", capsys.readouterr().err)


def test_launched_template_describes_a_watch(jobs: FakeDataflow, tmp_path: Path) -> None:
    words = [*WATCH, "--template_location=gs://mills/launched/watch"]
    assert main(command(jobs, tmp_path, "to-be-watched", *words)) == 0
    assert jobs.jobs == []
    described = service.Job.from_json(fsspec.open("gs://mills/launched/watch").fs.cat_file("gs://mills/launched/watch"))
    assert described.type_ == service.JobType.JOB_TYPE_STREAMING
    assert list_files("gs://mills/to-be-watched") == {"_config.json"}
