"""Flink's own list of jobs: for a job that Beam's job server submitted, it does not hand a cancellation on."""

from __future__ import annotations

import json
import logging
import urllib.request
import uuid
from typing import Final

from apache_beam.options.pipeline_options import FlinkRunnerOptions, GoogleCloudOptions, PipelineOptions

from pipelines.options import is_flink

SECONDS: Final = 20
ENDED: Final = ("FINISHED", "CANCELED", "FAILED")

log = logging.getLogger("danubia")


def name_job(settings: PipelineOptions) -> tuple[str, str]:
    """Give a Flink job a name of its own, unless it has one; returns where Flink listens and the name, "" elsewhere."""
    if not is_flink(settings):
        return "", ""
    naming = settings.view_as(GoogleCloudOptions)  # where Beam declares --job_name, for all runners
    naming.job_name = naming.job_name or f"danubia-{uuid.uuid4().hex[:12]}"
    master = str(settings.view_as(FlinkRunnerOptions).flink_master or "").rstrip("/")
    if not master or master.startswith("["):  # Beam's words for a Flink of its own
        return "", ""
    return master if "://" in master else f"http://{master}", naming.job_name


def cancel_jobs(master: str, name: str) -> None:
    """Cancel the jobs of this name that have not ended. Raises OSError when Flink does not answer."""
    with urllib.request.urlopen(f"{master}/jobs/overview", timeout=SECONDS) as answer:
        jobs = json.load(answer)["jobs"]
    for job in jobs:
        if job["name"] == name and job["state"] not in ENDED:
            order = urllib.request.Request(f"{master}/jobs/{job['jid']}?mode=cancel", method="PATCH")
            urllib.request.urlopen(order, timeout=SECONDS).close()
