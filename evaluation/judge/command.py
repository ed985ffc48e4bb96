"""`python -m evaluation judge`: estimate, ask, sum up."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

import msgspec
from tqdm import tqdm

from evaluation.judge.client import Cache, Judge, Verdict
from evaluation.judge.families import check_families
from evaluation.judge.tasks import Task, build_task, choose_pages
from evaluation.judge.verdicts import format_judgement, group_problems, sum_verdicts, write_judgement
from evaluation.pages import Page
from evaluation.report.render import write_report
from evaluation.run import read_outputs

CACHE: Final = "judge-cache.jsonl"


class Endpoint(msgspec.Struct):
    """Where the judge is: from the environment, so that no key stands in a command line."""

    model: str
    base_url: str | None
    key: str


def read_endpoint(model: str | None) -> Endpoint:
    """Return the endpoint that DANUBIA_JUDGE_MODEL, _BASE_URL and _KEY (or OPENAI_BASE_URL and _API_KEY) name."""
    environment = os.environ
    name = model or environment.get("DANUBIA_JUDGE_MODEL")
    key = environment.get("DANUBIA_JUDGE_KEY") or environment.get("OPENAI_API_KEY")
    if not name or not key:
        raise ValueError("the judge needs a model and a key: DANUBIA_JUDGE_MODEL, DANUBIA_JUDGE_KEY in the environment")
    return Endpoint(name, environment.get("DANUBIA_JUDGE_BASE_URL") or environment.get("OPENAI_BASE_URL"), key)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the command's own options."""
    parser.add_argument("--run", type=Path, default=Path("report"), help="folder of the run whose outputs are judged")
    parser.add_argument("--extractors", help="only these of the run, comma-separated; the first is compared with")
    parser.add_argument("--pages", type=int, default=48, help="how many pages, all labels in turn")
    parser.add_argument("--noise-pages", type=int, default=12, help="how many of them are judged twice")
    parser.add_argument("--model", help="instead of DANUBIA_JUDGE_MODEL")
    parser.add_argument("--family", help="the judge's model family, where its name does not tell")
    parser.add_argument("--reference-model", default="", help="the model that drafted the references, where one did")
    parser.add_argument("--price-in", type=float, default=0.0, help="money for a million tokens read")
    parser.add_argument("--price-out", type=float, default=0.0, help="money for a million tokens written")
    parser.add_argument("--max-cost", type=float, help="do not start when the estimate is above")
    parser.add_argument("--parallel", type=int, default=4, help="requests at once")
    parser.add_argument("--dry-run", action="store_true", help="print the estimate and stop")


def plan_tasks(pages: list[Page], run: Path, names: list[str], *, noise_pages: int) -> list[Task]:
    """Return the questions: each page once, the first `noise_pages` a second time with the letters drawn anew."""
    wanted = {page.id for page in pages}
    outputs: dict[str, dict[str, str]] = {}
    for stored in read_outputs(run):
        if stored.page in wanted and (not names or stored.extractor in names):
            text = stored.markdown if stored.markdown is not None else stored.text
            outputs.setdefault(stored.page, {})[stored.extractor] = text
    complete = [page for page in pages if page.id in outputs and set(names) <= set(outputs[page.id])]
    tasks = [build_task(page, outputs[page.id]) for page in complete]
    return tasks + [build_task(page, outputs[page.id], repetition=1) for page in complete[:noise_pages]]


def estimate_cost(tasks: list[Task], *, price_in: float, price_out: float) -> tuple[int, int, float]:
    """Return tokens to read, tokens to write, and what they cost; prices are for a million."""
    tokens_in, tokens_out = sum(task.input_tokens for task in tasks), sum(task.output_tokens for task in tasks)
    return tokens_in, tokens_out, (tokens_in * price_in + tokens_out * price_out) / 1e6


def judge_run(options: argparse.Namespace, pages: list[Page]) -> int:
    """Judge a run's outputs; returns the exit status: 1 when most tasks got no valid verdict."""
    endpoint = read_endpoint(options.model)
    chosen = choose_pages(pages, options.pages)
    references = [options.reference_model, *(page.reference_by for page in chosen)]
    family = check_families(endpoint.model, options.family, references)
    names = options.extractors.split(",") if options.extractors else []
    tasks = plan_tasks(chosen, options.run, names, noise_pages=options.noise_pages)
    if not tasks:
        raise ValueError(f"{options.run} holds no outputs of these pages and extractors")
    cache = Cache(options.run / CACHE)
    new = [task for task in tasks if cache.find(task.make_key(endpoint.model)) is None]
    tokens_in, tokens_out, cost = estimate_cost(new, price_in=options.price_in, price_out=options.price_out)
    print(
        f"{len(tasks)} questions, {len(tasks) - len(new)} answered before; about {tokens_in:,} tokens to read, "
        f"{tokens_out:,} to write, cost {cost:.2f}"
    )
    if options.dry_run:
        return 0
    if options.max_cost is not None and cost > options.max_cost:
        raise ValueError(f"the estimate {cost:.2f} is above --max-cost {options.max_cost:.2f}")
    judge = Judge(endpoint.model, base_url=endpoint.base_url, key=endpoint.key)
    found = judge.judge_all(tasks, cache, parallel=options.parallel)
    verdicts: list[Verdict] = list(tqdm(found, total=len(tasks), unit=" answers"))
    names = names or sorted(tasks[0].labels.values(), key=lambda name: (name != "danubia", name))
    judgement = sum_verdicts(verdicts, names, model=endpoint.model, family=family)
    write_judgement(options.run, judgement)
    write_report(options.run, pages)
    for problem, where in group_problems(verdicts).items():
        print(f"no verdict on {len(where)} ({where[0]} …): {problem}")
    print(format_judgement(judgement))
    return int((judgement.invalid + judgement.failed) * 2 > len(tasks))
