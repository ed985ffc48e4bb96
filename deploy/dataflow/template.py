"""What a flex template's launcher starts: `python template.py --NAME=VALUE…`, the parameters of metadata.json.

A template's parameter always has one value; the command has flags and lists, and blanks stand between the items of one.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.extract import end_process, main
from pipelines.options import build_parser

TRUE: Final = ("true", "1", "yes")
WORKER_IMAGE: Final = "DANUBIA_WORKER_IMAGE"  # of the environment; the Dockerfile sets it
THREADS: Final = "--number_of_worker_harness_threads"

log = logging.getLogger("danubia")


def translate_parameters(arguments: Iterable[str]) -> list[str]:
    """Give the command's arguments for a launcher's.

    Names may have underscores for hyphens. Parameters without a value are left out, and so are, with a warning, options
    that nobody knows: a launcher newer than Beam may add some, which is no reason not to start.

    >>> translate_parameters(["--input=gs://a/1.warc gs://b/*.gz", "--overwrite=false", "--range_bytes=9", "--cdx="])
    ['--input', 'gs://a/1.warc', 'gs://b/*.gz', '--range-bytes=9']
    """
    own = {name: action for action in build_parser()._actions for name in action.option_strings}
    translated: list[str] = []
    others: list[str] = []
    for argument in arguments:
        name, _, value = argument.partition("=")
        action = own.get(name.replace("_", "-"))
        if action is None:
            others.append(argument)
        elif value:
            translated += _translate_one(action, value)
    return translated + list(_drop_unknown(others))


def _translate_one(action: argparse.Action, value: str) -> list[str]:
    name = action.option_strings[0]
    if action.nargs == 0:
        return [name] if value.lower() in TRUE else []
    if action.nargs == "+":
        return [name, *value.split()]
    if isinstance(action.default, list):
        return [f"{name}={item}" for item in value.split()]
    return [f"{name}={value}"]


def _drop_unknown(arguments: Sequence[str]) -> Iterator[str]:
    parsers: list[argparse.ArgumentParser] = []
    PipelineOptions([]).get_all_options(add_extra_args_fn=parsers.append)
    _, unknown = parsers[0].parse_known_args(list(arguments))
    for argument in arguments:
        if argument in unknown:
            log.warning("left out, for Beam does not know it: %s", argument)
        elif argument.partition("=")[2] or "=" not in argument:
            yield argument


def add_defaults(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Add what a job needs and its launcher did not say: the workers' image, and one page at a time in a process."""
    given = {argument.partition("=")[0] for argument in arguments}
    image = environment.get(WORKER_IMAGE)
    defaults = {"--sdk_container_image": image, "--sdk_location": "container" if image else None, THREADS: "1"}
    return [*arguments, *(f"{name}={value}" for name, value in defaults.items() if value and name not in given)]


if __name__ == "__main__":
    end_process(main(add_defaults(translate_parameters(sys.argv[1:]), os.environ)))
