"""One page, or a few, from files to standard output, in any format.

usage: python -m pipelines.extract_page FILE… [--format NAME] [--url URL] [--option NAME=VALUE] [--output FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from danubia_core import FORMATS, Extraction, __version__, extract
from danubia_core.serializers.csv import write_csv
from pipelines.option_parser import OptionParser, UsageError, name_options, parse_extract_options

SUCCESS: Final = 0
NO_CONTENT: Final = 1
UNUSABLE: Final = 2
LINES: Final = ("csv", "json")  # formats in which several pages make one file
STANDARD_INPUT: Final = "-"


def build_parser() -> OptionParser:
    """Declare the options."""
    parser = OptionParser(
        prog="python -m pipelines.extract_page",
        description="Extract the main content of a page into one of the formats of docs/formats.md.",
        epilog="Exit status: 0; 1 when a page has no content; 2 when the command or a file is not usable.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="HTML as the server sent it; - for standard input. csv and json take several",
    )
    add("--format", default="markdown", choices=FORMATS, metavar="NAME", help=f"{', '.join(FORMATS)} (markdown)")
    add("--url", help="the page's address: links are resolved against it")
    add("--content-type", metavar="VALUE", help="of the HTTP header, for its charset")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help=f"of the extractor: {name_options()}")
    add("--output", metavar="FILE", help="write there, in UTF-8, in place of standard output")
    add("--version", action="version", version=f"danubia {__version__}")
    return parser


def extract_files(known: argparse.Namespace) -> Iterator[tuple[str, Extraction]]:
    """Give each file's name and extraction. Raises UsageError for options that do not go together, OSError too."""
    if len(known.files) > 1 and known.format not in LINES:
        raise UsageError(f"several pages make one file as {' or '.join(LINES)} only")
    if len(known.files) > 1 and known.url:
        raise UsageError("--url is the address of one page")
    options = parse_extract_options(known.option)
    for name in known.files:
        html = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
        yield name, extract(html, url=known.url, content_type=known.content_type, options=options)


def format_page(page: Extraction, name: str, url: str | None, *, first: bool) -> str:
    """Give one page's part of the output; it ends a line unless it is empty."""
    text = write_csv(page.tree, page.metadata, url=url, header=first) if name == "csv" else page.to(name)
    return text if text.endswith("\n") or not text else text + "\n"


def main(arguments: Sequence[str]) -> int:
    """Carry the command out; returns the exit status."""
    status, parts = SUCCESS, list[str]()
    try:
        known = build_parser().parse_args(list(arguments))
        for name, page in extract_files(known):
            parts.append(format_page(page, known.format, known.url, first=not parts))
            if page.skip:
                sys.stderr.write(f"{name}: no content ({page.skip})\n")
                status = NO_CONTENT
        data = "".join(parts).encode("utf-8", "replace")
        if known.output:
            Path(known.output).write_bytes(data)
        else:
            sys.stdout.buffer.write(data)
    except (UsageError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
