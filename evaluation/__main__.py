"""The command line: `python -m evaluation {corpus,run,compare,judge,gate}`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from evaluation import gate
from evaluation.adapters import ADAPTERS, load_extractor
from evaluation.compare import compare_runs, format_comparison
from evaluation.corpus import CORPUS, check_corpus, format_table, label_pages, read_corpus, write_corpus
from evaluation.draft import draft_entry
from evaluation.judge import command as judge_command
from evaluation.layouts import LAYOUTS, load_pages
from evaluation.pages import Page
from evaluation.run import FLOOR, count_jobs, read_rows, score_pages, write_run
from evaluation.scores import Row


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(prog="python -m evaluation", description="Danubia's evaluation harness.")
    commands = parser.add_subparsers(dest="command", required=True)
    corpus = commands.add_parser(
        "corpus", help="print the corpus by label and language, and what of it is missing or changed"
    )
    _add_data(corpus)
    corpus.add_argument("--draft", action="store_true", help="write the entries of the pages that are there anew")
    corpus.set_defaults(call=show_corpus)
    run = commands.add_parser("run", help="run extractors over pages, write scores and the report")
    _add_data(run)
    run.add_argument(
        "--extractors", default="danubia", help=f"names, comma-separated: {', '.join(ADAPTERS)}, module:function"
    )
    run.add_argument("--out", type=Path, default=Path("report"), help="folder for rows, outputs and report.html")
    run.add_argument("--limit", type=int, help="no more pages than this")
    run.add_argument("--jobs", type=int, default=count_jobs())
    run.add_argument(
        "--baseline", type=Path, help="an earlier run's folder to compare with (default: the one in --out)"
    )
    run.set_defaults(call=run_extractors)
    compare = commands.add_parser(
        "compare", help="say which differences between two runs are beyond noise, page by page"
    )
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    compare.add_argument("--extractor", default="danubia")
    compare.set_defaults(call=compare_two)
    judge = commands.add_parser("judge", help="have a model score the outputs of a run, blindly")
    _add_data(judge)
    judge_command.add_options(judge)
    judge.set_defaults(call=judge_outputs)
    held = commands.add_parser("gate", help="fail on a loss beyond noise against a baseline")
    _add_data(held)
    held.add_argument(
        "--baseline", type=Path, default=gate.BASELINE, help="a baseline file, or an earlier run's folder"
    )
    held.add_argument("--write", action="store_true", help="write the baseline anew instead")
    held.add_argument("--jobs", type=int, default=count_jobs())
    held.set_defaults(call=hold_gate)
    return parser


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, help="folder that holds the public data sets, or pages of your own (html + md)"
    )
    parser.add_argument("--datasets", help=f"only these, comma-separated: {', '.join(LAYOUTS)}, own")


def read_pages(options: argparse.Namespace) -> Iterator[Page]:
    """Give the pages that a command's options name, with the corpus's labels."""
    names = options.datasets.split(",") if options.datasets else None
    unknown = set(names or ()) - set(LAYOUTS) - {"own"}
    if unknown:
        raise ValueError(f"no data set {', '.join(sorted(unknown))}")
    if options.data is not None and not options.data.is_dir():
        raise ValueError(f"{options.data} is no folder")
    return label_pages(load_pages(options.data, names), read_corpus())


def show_corpus(options: argparse.Namespace) -> int:
    """Print the corpus; with pages at hand, how it stands to them."""
    entries = read_corpus()
    names = options.datasets.split(",") if options.datasets else None
    pages = load_pages(options.data, names)
    if options.draft:
        drafted = [draft_entry(page) for page in tqdm(pages, unit=" pages")]
        known = {entry.id for entry in drafted}
        write_corpus([*drafted, *(e for e in entries if e.id not in known and e.page.dataset != "own")])
        entries, pages = read_corpus(), load_pages(options.data, names)
        print(f"{len(drafted)} entries drafted into {CORPUS}")
    print(format_table(entries))
    check = check_corpus(entries, pages)
    print(f"\n{check.present} entries resolve; {check.unlisted} pages are not listed")
    if options.data is None:
        print(f"{len(check.missing)} lie in public data sets: --data DIR holds them against their pages there")
        check.missing = []
    for title, ids in (("missing", check.missing), ("page changed", check.changed_pages), ("stale", check.stale)):
        if ids:
            print(f"{title}: {len(ids)}, such as {', '.join(ids[:5])}")
    return int(not check.is_whole)


def run_extractors(options: argparse.Namespace) -> int:
    """Run extractors, write the report."""
    from evaluation.report.render import write_report
    from evaluation.report.table import format_summaries

    names = list(dict.fromkeys(options.extractors.split(",")))
    for name in names:
        load_extractor(name)
    pages = list(read_pages(options))[: options.limit]
    if not pages:
        raise ValueError(f"no pages under {options.data}")
    bar = tqdm(pages, unit=" pages", smoothing=0.02)
    facts, rows = write_run(options.out, bar, [*names, FLOOR], jobs=options.jobs)
    report = write_report(options.out, pages, baseline=options.baseline)
    print(format_summaries(rows))
    print(f"{facts.pages} pages in {facts.seconds:.0f} s; the report: {report}")
    return 0


def compare_two(options: argparse.Namespace) -> int:
    """Print what changed between two runs."""
    comparison = compare_runs(read_rows(options.before), read_rows(options.after), options.extractor)
    print(format_comparison(comparison))
    return 0


def judge_outputs(options: argparse.Namespace) -> int:
    """Judge the outputs of a run."""
    return judge_command.judge_run(options, list(read_pages(options)))


def hold_gate(options: argparse.Namespace) -> int:
    """Run the baseline's extractor on the baseline's pages; 1 when it lost."""
    if options.write:
        extractor, wanted = "danubia", None
    else:
        baseline = gate.read_baseline(options.baseline)
        extractor, wanted = baseline.extractor, {row.page for row in baseline.rows}
    pages = [page for page in read_pages(options) if wanted is None or page.id in wanted]
    rows: list[Row] = []
    for scored in tqdm(score_pages(pages, [extractor], jobs=options.jobs), total=len(pages), unit=" pages"):
        rows += scored.rows
    if options.write:
        gate.write_baseline(options.baseline, rows)
        print(f"{len(rows)} pages written to {options.baseline}")
        return 0
    verdict = gate.judge_rows(baseline, rows)
    print(format_comparison(verdict.comparison))
    for fault in verdict.faults:
        print(f"FAIL {fault}")
    print("the gate: " + ("closed" if verdict.faults else "open"))
    return int(bool(verdict.faults))


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit status: 0 well, 1 when what it checks does not hold, 2 when it cannot."""
    options = build_parser().parse_args(arguments)
    try:
        return int(options.call(options))
    except (ValueError, OSError) as error:
        print(f"python -m evaluation: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
