"""What the commands' options have in common; Beam is not loaded for it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import msgspec

from danubia_core import Options
from danubia_core.cascade import MissingLibraryError, check_libraries
from danubia_core.options import MODES

KINDS: Final = {
    "mode": f"one of {', '.join(MODES)}",
    "comments": "true or false",
    "cascade": "true or false",
    "max_input_bytes": "a number of bytes above 0",
}


class UsageError(ValueError):
    """The command cannot be carried out as given; the message is one line."""


class OptionParser(argparse.ArgumentParser):
    """A parser that raises UsageError in place of printing and exiting."""

    def error(self, message: str) -> NoReturn:
        """Raise the message."""
        raise UsageError(message)


def parse_extract_options(pairs: Sequence[str]) -> Options:
    """Read NAME=VALUE pairs as the extractor's options.

    Raises UsageError for unknown names, unfit values, and a cascade whose libraries are not installed.

    >>> parse_extract_options(["comments=true"]).comments
    True
    """
    values: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name not in Options.__struct_fields__:
            raise UsageError(f"--option {pair}: give NAME=VALUE, NAME one of {name_options()}")
        try:
            values[name] = getattr(msgspec.convert({name: value}, Options, strict=False), name)
        except msgspec.ValidationError:
            raise UsageError(f"--option {pair}: {name} is {KINDS[name]}") from None
    options = Options(**values)
    try:
        if options.cascade:
            check_libraries()
    except MissingLibraryError as error:
        raise UsageError(f"--option: {error}") from None
    return options


def name_options() -> str:
    """List the names of the extractor's options."""
    return ", ".join(Options.__struct_fields__)
