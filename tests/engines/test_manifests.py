"""The manifests of deploy/flink/kubernetes against the schema that the Flink operator's own classes give."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import yaml

from deploy.flink.install import HERE, MAVEN_OPTIONS, NAMESPACE, cache_folder, find_java, new_folder, run_step
from pipelines.extract import check_settings
from pipelines.options import beam_options, parse_options

pytestmark = pytest.mark.flink

CRD = Path(__file__).parent / "crd"
MANIFESTS = HERE / "kubernetes"
DEFINITION = "flinkdeployments.flink.apache.org-v1.yml"


def write_schema() -> Path:
    """Have the operator's classes make its custom resource definition, unless the cache holds it."""
    version = ElementTree.parse(CRD / "pom.xml").findtext("m:properties/m:operator.version", namespaces=NAMESPACE)
    target = cache_folder() / f"flink-operator-{version}.yml"
    if not target.exists():
        with new_folder(target) as folder:
            maven = [shutil.which("mvn") or "mvn", *MAVEN_OPTIONS, "-f", str(CRD / "pom.xml")]
            classes = folder / "classes"
            run_step([*maven, "dependency:build-classpath", f"-Dmdep.outputFile={classes}"], "fetching the operator")
            java = [find_java(), "-cp", classes.read_text().strip(), str(CRD / "WriteSchema.java"), str(folder)]
            run_step(java, "making the definition")
            (folder / DEFINITION).replace(target)
    return target


def be_strict(schema: Any) -> Any:
    """Refuse fields that the schema does not name: a cluster would drop them in silence."""
    if isinstance(schema, dict):
        closed = {} if "x-kubernetes-preserve-unknown-fields" in schema else {"additionalProperties": False}
        named = closed if isinstance(schema.get("properties"), dict) and schema.get("type") == "object" else {}
        return {**named, **{name: be_strict(value) for name, value in schema.items()}}
    return [be_strict(value) for value in schema] if isinstance(schema, list) else schema


def find_faults(schema: Any, value: Any) -> list[str]:
    errors = jsonschema.Draft202012Validator(schema).iter_errors(value)
    return [f"{error.json_path}: {error.message}" for error in errors]


def read_manifest(name: str) -> Any:
    return yaml.safe_load((MANIFESTS / name).read_text())


@pytest.fixture(scope="module")
def schema() -> Any:
    definition = yaml.load(write_schema().read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return be_strict(definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"])["properties"]["spec"]


def test_the_session_cluster_is_what_the_operator_takes(schema: Any) -> None:
    manifest = read_manifest("session-cluster.yaml")
    assert (manifest["apiVersion"], manifest["kind"]) == ("flink.apache.org/v1beta1", "FlinkDeployment")
    assert find_faults(schema, manifest["spec"]) == []
    wrong = {**manifest["spec"], "taskManagers": {}, "flinkVersion": "v0_1"}
    assert len(find_faults(schema, wrong)) == 2


def test_the_job_is_a_pod_that_the_cluster_takes_and_a_command_that_danubia_takes(schema: Any) -> None:
    manifest = read_manifest("extract-job.yaml")
    assert (manifest["apiVersion"], manifest["kind"]) == ("batch/v1", "Job")
    pod = schema["properties"]["jobManager"]["properties"]["podTemplate"]
    assert find_faults(pod, manifest["spec"]["template"]) == []
    (container,) = manifest["spec"]["template"]["spec"]["containers"]
    assert container["command"] == ["python", "-m", "pipelines.extract"]
    options = parse_options(container["args"])
    check_settings(options, beam_options(options))


def test_cluster_job_and_image_name_one_flink_and_one_port() -> None:
    cluster = read_manifest("session-cluster.yaml")
    pod = read_manifest("extract-job.yaml")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    series = cluster["spec"]["flinkVersion"].removeprefix("v").replace("_", ".")
    assert cluster["spec"]["image"].startswith(f"flink:{series}")
    assert f"--flink_version={series}" in container["args"]
    assert f"--flink_master={cluster['metadata']['name']}-rest:8081" in container["args"]
    assert f"ARG FLINK={series}\n" in (HERE / "Dockerfile").read_text()
