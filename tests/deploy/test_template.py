"""The flex template: its parameters are the command's options, and its launcher's arguments become the command's."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import pytest
from google.cloud import dataflow

from deploy.dataflow.template import add_defaults, translate_parameters
from pipelines.options import build_parser, parse_options
from tests.deploy.launching import IMAGE, LAUNCH, launch
from transforms.index_filters import parse_filters

METADATA = LAUNCH.with_name("metadata.json")
PARAMETERS: dict[str, dict[str, Any]] = {
    parameter["name"]: parameter for parameter in json.loads(METADATA.read_text())["parameters"]
}
OWN = {
    action.option_strings[0].lstrip("-").replace("-", "_"): action
    for action in build_parser()._actions
    if action.help != argparse.SUPPRESS and action.dest not in ("help", "version")
}
BEAMS = {"sdk_container_image", "number_of_worker_harness_threads", "autoscaling_algorithm", "disk_size_gb"}
# What is right, and what the console is to refuse.
SAMPLES: dict[str, tuple[list[str], list[str]]] = {
    "input": (
        ["gs://mills/a.warc.gz", "s3://commoncrawl/x/*.warc.gz https://h.example/b.paths"],
        ["a.warc.gz", "", "gs://"],
    ),
    "cdx": (["s3://commoncrawl/cc-index/table/*.parquet"], ["index.parquet"]),
    "cdx_filter": (["language=isl,dan", "language=isl status=200"], ["tongue=isl", "language="]),
    "output": (["gs://mills/out", "s3://mills/out"], ["out", "gs://mills/a b"]),
    "prefix": (["s3://commoncrawl/"], ["crawl/"]),
    "columns": (["url,text", "+html,-tree"], ["url text", "url,"]),
    "overwrite": (["true", "false"], ["yes please"]),
    "redo_changed": (["true", "false"], ["1"]),
    "max_failure_rate": (["0", "0.05", "1"], ["1.5", "-1", "5 %"]),
    "page_timeout": (["30", "2.5"], ["0x1", "half a minute"]),
    "page_memory": (["512"], ["0", "1.5", "1GB"]),
    "range_bytes": (["268435456", "256MiB", "1GB"], ["256M", "0", "1.5GiB"]),
    "join_gap_bytes": (["65536", "64kB"], ["0"]),
    "max_connections": (["8"], ["-1"]),
    "retry_seconds": (["600"], ["10m"]),
    "row_group_bytes": (["64000000", "9999999", "1000000"], ["64000001", "100000000", "70000000"]),
    "row_group_rows": (["5000"], ["all"]),
    "option": (["mode=recall", "mode=recall comments=true"], ["recall"]),
    "verbose": (["true"], ["loud"]),
    "watch": (["true", "false"], ["always"]),
    "watch_interval": (["60", "0.5"], ["1m"]),
    "watch_settle": (["30"], ["none"]),
    "watch_topic": (["projects/mill/subscriptions/new", "projects/mill/topics/new"], ["new", "projects/mill/new"]),
    "sdk_container_image": ([f"{IMAGE}/worker:t1", f"{IMAGE}/worker@sha256:{'0f' * 32}"], ["worker:t1 "]),
    "number_of_worker_harness_threads": (["1", "12"], ["0", "many"]),
    "autoscaling_algorithm": (["NONE"], ["SOME"]),
    "disk_size_gb": (["100"], ["5", "50GB"]),
}


def takes(name: str, value: str) -> bool:
    return all(re.search(pattern, value) for pattern in PARAMETERS[name]["regexes"])


def parse(*arguments: str) -> Any:
    return parse_options(translate_parameters(arguments))


def test_service_knows_every_field_of_the_metadata() -> None:
    assert len(dataflow.TemplateMetadata.from_json(METADATA.read_text()).parameters) == len(PARAMETERS)


def test_parameters_are_the_options() -> None:
    assert set(PARAMETERS) == set(OWN) | BEAMS == set(SAMPLES)
    required = {name for name, parameter in PARAMETERS.items() if not parameter.get("isOptional")}
    assert required == {"output"}


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameter_is_explained_and_checked(name: str) -> None:
    parameter = PARAMETERS[name]
    assert parameter["label"]
    assert parameter["helpText"].endswith(".")
    assert all(pattern.startswith("^") and pattern.endswith("$") for pattern in parameter["regexes"])
    good, bad = SAMPLES[name]
    assert [value for value in good if not takes(name, value)] == []
    assert [value for value in bad if takes(name, value)] == []


@pytest.mark.parametrize("name", [name for name in PARAMETERS if name in OWN])
def test_pattern_takes_the_default_and_the_command_takes_what_the_pattern_takes(name: str) -> None:
    default = OWN[name].default
    shown = PARAMETERS[name].get("defaultValue")
    if (default in (None, "", 0) and default is not False) or default == []:
        assert shown is None
    else:
        assert takes(name, shown)
        assert type(default)(json.loads(shown)) == default
    base = {"input": "gs://mills/a.warc.gz", "output": "gs://mills/out"}
    if name.startswith("cdx"):
        base = {"cdx": "gs://mills/a.cdxj", "output": "gs://mills/out"}
    if name.startswith("watch_"):
        base["watch"] = "true"
    for value in SAMPLES[name][0]:
        parse(*(f"--{key}={text}" for key, text in (base | {name: value}).items()))


def test_parameters_become_options() -> None:
    options = parse(
        "--cdx=gs://mills/a.cdxj gs://mills/b.cdxj", "--cdx_filter=language=isl,dan status=200", "--prefix=gs://mills/",
        "--output=gs://mills/out", "--overwrite=true", "--verbose=false", "--range_bytes=9000", "--columns=",
        "--option=mode=recall comments=true", "--runner=DataflowRunner", "--template_location=gs://mills/t",
        "--experiments=a,b",
    )  # fmt: skip
    assert options.indexes == ("gs://mills/a.cdxj", "gs://mills/b.cdxj")
    assert options.index_filter == parse_filters(["language=isl,dan", "status=200"])
    assert (options.overwrite, options.verbose, options.range_bytes) == (True, False, 9000)
    assert (options.extract.mode, options.extract.comments) == ("recall", True)
    assert "text" in options.columns
    assert options.beam_flags == (
        "--runner=DataflowRunner", "--template_location=gs://mills/t", "--experiments=a,b",
    )  # fmt: skip


def test_option_of_a_newer_launcher_is_no_obstacle(caplog: pytest.LogCaptureFixture) -> None:
    arguments = [
        "--input=gs://mills/a.warc.gz",
        "--output=gs://mills/out",
        "--launched_by_moon=1",
        "--region=us-central1",
    ]
    assert parse(*arguments).beam_flags == ("--region=us-central1",)
    assert "--launched_by_moon=1" in caplog.text


def test_launcher_supplies_image_and_threads() -> None:
    worker = f"{IMAGE}/worker:t1"
    given = add_defaults(["--output=o"], {"DANUBIA_WORKER_IMAGE": worker})
    threads = "--number_of_worker_harness_threads"
    assert given == ["--output=o", f"--sdk_container_image={worker}", "--sdk_location=container", f"{threads}=1"]
    chosen = ["--sdk_container_image=other", f"{threads}=2", "--sdk_location=default"]
    assert add_defaults(chosen, {"DANUBIA_WORKER_IMAGE": worker}) == chosen
    assert add_defaults([], {}) == [f"{threads}=1"]


def test_image_has_the_beam_of_the_lock() -> None:
    (version,) = re.findall(r"^ARG BEAM=(.+)$", LAUNCH.with_name("Dockerfile").read_text(), re.M)
    assert f"\napache-beam=={version} " in (LAUNCH.parents[2] / "requirements.lock").read_text()


def test_script_builds_both_images_and_describes_the_template(tmp_path: Path) -> None:
    worker, template, *pushes = launch(tmp_path, "images")
    assert worker[:6] == ["docker", "build", "-f", "deploy/dataflow/Dockerfile", "--target", "worker"]
    assert f"WORKER_IMAGE={IMAGE}/worker:t1" in template
    assert pushes == [["docker", "push", f"{IMAGE}/worker:t1"], ["docker", "push", f"{IMAGE}/template:t1"]]
    (words,) = launch(tmp_path, "template")
    assert words[:5] == ["gcloud", "dataflow", "flex-template", "build", "gs://mills/templates/danubia-t1.json"]
    assert f"--image={IMAGE}/template:t1" in words
    assert "--metadata-file=deploy/dataflow/metadata.json" in words


def test_script_starts_the_template_with_parameters_that_it_declares(tmp_path: Path) -> None:
    wanted = ["input=gs://mills/a.warc.gz gs://mills/b.warc.gz", "output=gs://mills/out", "columns=url,text"]
    (words,) = launch(tmp_path, "run", *wanted, FLEXRS="COST_OPTIMIZED", MACHINE="n2-custom-4-8192", EXPERIMENTS="a,b")
    assert {
        "--worker-machine-type=n2-custom-4-8192", "--num-workers=2", "--max-workers=50", "--flexrs-goal=COST_OPTIMIZED",
        "--additional-experiments=a,b", "--template-file-gcs-location=gs://mills/templates/danubia-t1.json",
    } <= set(words)  # fmt: skip
    texts = [word.partition("=")[2] for word in words if word.startswith("--parameters=")]
    given = dict(text.removeprefix("^|^").split("=", 1) for text in texts)
    assert given["columns"] == "url,text"
    assert given["sdk_container_image"] == f"{IMAGE}/worker:t1"
    assert [name for name, value in given.items() if not takes(name, value)] == []
