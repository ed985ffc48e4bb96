"""What is special about DataflowRunner: jobs that are described and not run, its extra, and its own errors."""

from __future__ import annotations

import importlib.util
import re
from typing import Final

from apache_beam.options.pipeline_options import GoogleCloudOptions, PipelineOptions, TestOptions

from pipelines.option_parser import UsageError
from pipelines.options import RunOptions, runner_name

BUCKET_PATH: Final = re.compile(r"gs://[a-z0-9][a-z0-9._-]{1,220}[a-z0-9](/.*)?")


def is_dataflow(settings: PipelineOptions) -> bool:
    """Tell whether the job goes to Dataflow."""
    return runner_name(settings) == "DataflowRunner"


def can_submit() -> bool:
    """Tell whether what DataflowRunner needs is installed (extra `gcp`)."""
    try:
        return bool(
            importlib.util.find_spec("google.cloud.dataflow") and importlib.util.find_spec("google_auth_httplib2")
        )
    except ModuleNotFoundError:  # not even the parent package
        return False


def check_job(options: RunOptions, settings: PipelineOptions) -> None:
    """Raise UsageError for a job that Dataflow's workers could not do, or that Beam would ponder for minutes."""
    if not is_dataflow(settings):
        return
    if not can_submit():
        raise UsageError("DataflowRunner needs: pip install 'danubia[gcp]'")
    for path in (options.output, *options.inputs, *options.indexes):
        if "://" not in path:
            raise UsageError(f"{path}: Dataflow's workers see stores only; give a URL")
    cloud = settings.view_as(GoogleCloudOptions)
    if not cloud.temp_location:
        raise UsageError("DataflowRunner needs --temp_location=gs://BUCKET/…")
    for name in ("temp_location", "staging_location"):
        place = getattr(cloud, name)
        if place and not BUCKET_PATH.fullmatch(place):
            raise UsageError(f"--{name}={place}: not of the form gs://BUCKET/PATH")


def is_only_described(settings: PipelineOptions) -> bool:
    """Tell whether this run leaves the running to others: a template's launcher starts the job that it describes."""
    is_template = bool(settings.view_as(GoogleCloudOptions).template_location)
    return is_dataflow(settings) and (is_template or bool(settings.view_as(TestOptions).dry_run))


def submission_errors(settings: PipelineOptions) -> tuple[type[Exception], ...]:
    """Give the types of error by which Dataflow tells that a job failed or was refused; none for other runners."""
    if not is_dataflow(settings):
        return ()
    from apache_beam.runners.dataflow.dataflow_runner import DataflowRuntimeException
    from google.api_core.exceptions import GoogleAPIError
    from google.auth.exceptions import GoogleAuthError

    return DataflowRuntimeException, GoogleAPIError, GoogleAuthError
