"""Jobs for Dataflow: the graph that is sent, and whole submissions to stand-ins for its service and its store."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path
from typing import Any

import apache_beam as beam
import fsspec
import pytest
from apache_beam.portability import common_urns
from apache_beam.portability.api import beam_runner_api_pb2
from apache_beam.runners.portability.fn_api_runner import translations
from google.cloud import dataflow as service

from deploy.dataflow.template import add_defaults, translate_parameters
from pipelines.build_pipeline import build_pipeline
from pipelines.extract import main
from pipelines.options import beam_options, parse_options
from tests.deploy.fake_dataflow import FakeDataflow, Graph, read_graph, run_graph
from tests.deploy.launching import IMAGE, submission
from tests.deploy.submissions import RANGE, ask_to_end, command, fetch_rows, list_files, upload
from transforms.pages import RangeSpec

RANGES = [RangeSpec("gs://mills/in/a.warc.gz", number, 2, number * 9, number * 9 + 9, 18) for number in range(2)]
GROUP_BY_KEY = common_urns.primitives.GROUP_BY_KEY.urn
PRIVATE = service.WorkerIPAddressConfiguration.WORKER_IP_PRIVATE


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    words = ["--input=gs://mills/in/*.warc.gz", "--output=gs://mills/out", "--no_auth", "--dry_run=True"]
    options = parse_options(submission(tmp_path_factory.mktemp("launch"), *words))
    pipeline = beam.Pipeline(options=beam_options(options))
    build_pipeline(pipeline, RANGES, options)
    return pipeline.run().job.proto_pipeline


def find_stage(graph: Graph, name: str) -> set[str]:
    """Give the names of the transforms that a runner fuses with the one of that name."""
    phases = [translations.expand_sdf, translations.greedily_fuse, translations.sort_stages]
    _, stages = translations.create_and_optimize_stages(
        Graph.FromString(graph.SerializeToString()), phases, frozenset([GROUP_BY_KEY])
    )
    fused = [{transform.unique_name for transform in stage.transforms} for stage in stages]
    (stage,) = [names for names in fused if any(part.startswith(f"{name}/") for part in names)]
    return stage


def test_only_ranges_cross_the_one_shuffle(graph: Graph) -> None:
    transforms = graph.components.transforms
    shuffles = [one for one in transforms.values() if one.spec.urn == GROUP_BY_KEY]
    assert [one.unique_name for one in shuffles] == ["Spread/ReshufflePerKey/GroupByKey"]
    makers = {output: one for one in transforms.values() if not one.subtransforms for output in one.outputs.values()}
    above: set[str] = set()
    ahead = list(shuffles[0].inputs.values())
    while ahead:
        maker = makers[ahead.pop()]
        above.add(maker.unique_name.partition("/")[0])
        ahead += maker.inputs.values()
    assert above == {"Plan", "Spread"}


def test_read_extract_and_write_are_one_stage(graph: Graph) -> None:
    names = {name.partition("/")[0] for name in find_stage(graph, "ReadWarcs")}
    assert {"ReadWarcs", "ExtractPages", "WriteRows"} <= names
    assert "Plan" not in names


def test_graph_names_the_image_and_stages_no_packages(graph: Graph) -> None:
    used = {one.environment_id for one in graph.components.transforms.values() if one.environment_id}
    (environment,) = [graph.components.environments[name] for name in used]
    docker = beam_runner_api_pb2.DockerPayload.FromString(environment.payload)
    assert docker.container_image == f"{IMAGE}/worker:t1"
    assert staged_names(graph) <= {"submission_environment_dependencies.txt"}


def staged_names(graph: Graph) -> set[str]:
    """Give the names under which a worker would find files to install before it starts."""
    role = beam_runner_api_pb2.ArtifactStagingToRolePayload
    environments = graph.components.environments.values()
    return {role.FromString(one.role_payload).staged_name for each in environments for one in each.dependencies}


def test_ranges_take_little_room_in_the_graph() -> None:
    def size(count: int) -> int:
        options = parse_options(["--input=gs://mills/in/*", "--output=gs://mills/out"])
        pipeline = beam.Pipeline(runner="FnApiRunner", options=beam_options(options))
        segments = random.Random(5).sample(range(10**12), count)
        folder = "s3://commoncrawl/crawl-data/CC-MAIN-2026-40/segments"
        names = [f"{folder}/{segment}.1/warc/CC-MAIN-20261001000000-{segment:05}.warc.gz" for segment in segments]
        specs = [RangeSpec(name, 3, 16, 3 << 26, 4 << 26, 10**9 + len(name)) for name in names]
        build_pipeline(pipeline, specs, options)
        return len(pipeline.to_runner_api().SerializeToString())

    a_range = (size(2000) - size(1000)) / 1000
    assert a_range < 60  # deploy/dataflow/README.md reckons with it


def test_job_that_workers_could_not_do_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(*arguments: str, **settings: str) -> str:
        assert main(submission(tmp_path, *arguments, **settings)) == 2
        return capsys.readouterr().err

    assert "here.warc.gz" in refuse("--input=here.warc.gz", "--output=gs://mills/out")
    assert "/tmp/out" in refuse("--input=gs://mills/in.warc.gz", "--output=/tmp/out")
    assert "temp_location" in refuse("--input=gs://mills/in.warc.gz", "--output=gs://mills/out", BUCKET="x")


def test_submitted_job_does_the_rows(
    jobs: FakeDataflow, archive: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    upload(archive, "gs://mills/in/mills.warc.gz")
    settings = {"EXPERIMENTS": "one,two", "FLEXRS": "COST_OPTIMIZED", "SERVICE_ACCOUNT": "mill@mill-project.example"}
    arguments = command(jobs, tmp_path, "out", JOB="mills-1", MAX_WORKERS="7", SUBNETWORK="regions/r/sub", **settings)
    assert main(arguments) == 0
    assert fetch_rows("gs://mills/out", tmp_path / "rows") == expected
    assert jobs.errors == []
    assert jobs.places == [("mill-project", "us-central1")]
    check_job(service.Job.from_json(json.dumps(jobs.jobs[0])))
    assert list_files("gs://mills/staging") == {"pipeline.pb", "submission_environment_dependencies.txt"}
    assert main(arguments) == 0  # nothing is left to do, so there is no second job
    assert len(jobs.jobs) == 1


def check_job(job: service.Job) -> None:
    """Look whether what the script and the caller chose has arrived in the job's description."""
    assert (job.name, job.type_) == ("mills-1", service.JobType.JOB_TYPE_BATCH)
    environment = job.environment
    assert {"one", "two"} <= set(environment.experiments)
    assert environment.flex_resource_scheduling_goal == service.FlexResourceSchedulingGoal.FLEXRS_COST_OPTIMIZED
    assert environment.service_account_email == "mill@mill-project.example"
    (pool,) = environment.worker_pools
    assert pool.machine_type == "n2-standard-4"
    assert (pool.num_workers, pool.autoscaling_settings.max_num_workers) == (2, 7)
    assert pool.autoscaling_settings.algorithm == service.AutoscalingAlgorithm.AUTOSCALING_ALGORITHM_BASIC
    assert (pool.disk_size_gb, pool.num_threads_per_worker) == (50, 1)
    assert (pool.subnetwork, pool.ip_configuration) == ("regions/r/sub", PRIVATE)
    (image,) = pool.sdk_harness_container_images
    assert image.container_image == pool.worker_harness_container_image == f"{IMAGE}/worker:t1"
    assert image.use_single_core_per_container  # a process for each core
    assert [package.name for package in pool.packages] == ["submission_environment_dependencies.txt"]


def test_job_that_fails_ends_the_command(
    jobs: FakeDataflow, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_down(_: Graph) -> None:
        raise RuntimeError("the workers are gone")

    upload(archive, "gs://mills/in/mills.warc.gz")
    jobs.work = break_down
    assert main(command(jobs, tmp_path, "failed")) == 1
    assert len(jobs.jobs) == 1
    told = capsys.readouterr().err
    assert "the run stopped: the workers are gone" in told
    assert "ranges are not done: give the same command again to go on" in told


def test_lists_of_picks_stay_while_a_job_may_read_them(
    jobs: FakeDataflow, archive: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    def lose_sight(_: Graph) -> None:
        raise RuntimeError("the service does not tell what became of it")

    upload(archive, "gs://mills/in/mills.warc.gz")
    picked = tmp_path / "picked.csv"
    picked.write_text("".join(f"gs://mills/in/mills.warc.gz,{row['offset']},\n" for row in expected))
    upload(picked, "gs://mills/in/picked.csv")
    words = [*submission(tmp_path), f"--dataflow_endpoint={jobs.endpoint}", RANGE]
    words += ["--cdx=gs://mills/in/picked.csv", "--output=gs://mills/picked"]
    jobs.work = lose_sight
    assert main(words) == 1
    assert len(list_files("gs://mills/picked/_plan")) == 1
    jobs.work = run_graph
    assert main(words) == 0
    assert fetch_rows("gs://mills/picked", tmp_path / "rows") == expected
    assert list_files("gs://mills/picked/_plan") == set()


def test_job_that_is_refused_ends_the_command(
    jobs: FakeDataflow, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    upload(archive, "gs://mills/in/mills.warc.gz")
    jobs.refuses = True
    assert main(command(jobs, tmp_path, "refused")) == 1
    assert jobs.jobs == []
    assert re.search("the run stopped: 403 .* this caller may not create jobs", capsys.readouterr().err)


@pytest.mark.parametrize("in_submission", [True, False])
def test_job_is_cancelled_with_its_command(
    *, in_submission: bool, jobs: FakeDataflow, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def wait(_: Graph) -> None:
        ask_to_end(jobs, in_submission=in_submission)
        jobs.asked.wait(60)

    upload(archive, "gs://mills/in/mills.warc.gz")
    jobs.work = wait
    assert main(command(jobs, tmp_path, "cancelled")) == 130
    assert jobs.updates == ["JOB_STATE_CANCELLED"]
    assert "the job is cancelled: give the same command again to go on" in capsys.readouterr().err


def test_job_that_cannot_be_cancelled_is_told_of(
    jobs: FakeDataflow, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def wait(_: Graph) -> None:
        assert jobs.seen.wait(60)
        jobs.refuses = True
        ask_to_end(jobs)
        time.sleep(2)

    upload(archive, "gs://mills/in/mills.warc.gz")
    jobs.work = wait
    assert main(command(jobs, tmp_path, "kept")) == 130
    told = capsys.readouterr().err
    assert "the job could not be cancelled: 403" in told
    assert "interrupted, the job may go on" in told


def test_launched_template_describes_a_job_that_does_the_rows(
    jobs: FakeDataflow, archive: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    upload(archive, "gs://mills/in/mills.warc.gz")
    own = {"input": "gs://mills/in/*.warc.gz", "output": "gs://mills/described", "range_bytes": RANGE.partition("=")[2]}
    service_own = {
        "runner": "DataflowRunner",
        "project": "mill-project",
        "region": "us-central1",
        "job_name": "mills-2",
        "temp_location": "gs://mills/temp",
        "staging_location": "gs://mills/staged-2",
        "template_location": "gs://mills/launched/job_object",
    }
    parameters = translate_parameters(f"--{name}={value}" for name, value in (own | service_own).items())
    assert main(add_defaults(parameters, {"DANUBIA_WORKER_IMAGE": f"{IMAGE}/worker:t1"})) == 0
    assert jobs.jobs == []
    job = json.loads(fsspec.open("gs://mills/launched/job_object").fs.cat_file("gs://mills/launched/job_object"))
    (pool,) = service.Job.from_json(json.dumps(job)).environment.worker_pools
    assert (pool.worker_harness_container_image, pool.num_threads_per_worker) == (f"{IMAGE}/worker:t1", 1)
    assert list_files("gs://mills/described") == {"_config.json"}
    run_graph(read_graph(job))
    reckoning = ["--input", own["input"], "--output", own["output"], RANGE]
    assert main(reckoning) == 0
    assert "_report.json" in list_files("gs://mills/described")
    assert fetch_rows("gs://mills/described", tmp_path / "rows") == expected
