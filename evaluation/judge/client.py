"""The judge behind an OpenAI-compatible endpoint: asked once, remembered, asked again when its answer is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, cast

import msgspec
import openai

from evaluation.judge.answers import InvalidAnswerError, Scores, build_schema, read_answer
from evaluation.judge.tasks import Message, Task

ATTEMPTS: Final = 3  # answers asked for before a task counts as invalid
REQUEST_SECONDS: Final = 120.0


class Verdict(msgspec.Struct, kw_only=True):
    """What became of a task; `scores` is by extractor, empty unless the answer was valid.

    Attributes:
        problem: why there are no scores: "invalid: …" after the last attempt, "failed: …" when no answer came.
        attempts: answers that were asked for; 0 when it was remembered.
        input_tokens, output_tokens: as the endpoint counted.
    """

    key: str
    page: str
    repetition: int
    labels: dict[str, str]
    scores: dict[str, Scores] = {}
    problem: str = ""
    attempts: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class Cache:
    """Valid verdicts by key, one a line of a file; what was written before a crash is there after it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, Verdict] = {}
        if file.exists():
            for line in file.read_bytes().splitlines():
                try:
                    verdict = msgspec.json.decode(line, type=Verdict)
                except msgspec.DecodeError:
                    continue  # the line that a crash cut
                self._known[verdict.key] = verdict
            if not file.read_bytes().endswith(b"\n"):
                with file.open("ab") as lines:
                    lines.write(b"\n")

    def find(self, key: str) -> Verdict | None:
        """Return what is remembered under a key."""
        return self._known.get(key)

    def add(self, verdict: Verdict) -> None:
        """Remember a verdict."""
        self._known[verdict.key] = verdict
        with self._file.open("ab") as lines:
            lines.write(msgspec.json.encode(verdict) + b"\n")


class Judge:
    """A model that answers tasks.

    Args:
        model: its name at the endpoint.
        base_url: the endpoint; None for the client library's default.
        key: the endpoint's key.
        max_retries: how often the client repeats a request that the endpoint refused for load or fault.
    """

    def __init__(self, model: str, *, base_url: str | None, key: str, max_retries: int = 4) -> None:
        self.model = model
        self._client = openai.OpenAI(base_url=base_url, api_key=key, max_retries=max_retries, timeout=REQUEST_SECONDS)
        self._has_schemas = True

    def judge_all(self, tasks: Iterable[Task], cache: Cache, *, parallel: int) -> Iterator[Verdict]:
        """Give the verdicts on tasks in their order, new ones remembered as they come.

        Raises ValueError when the endpoint refuses the key or the model; whatever else fails costs that task alone.
        """
        with ThreadPoolExecutor(parallel) as pool:
            waiting = [
                (task, known, None if known else pool.submit(self.judge, task))
                for task in tasks
                for known in [cache.find(task.make_key(self.model))]
            ]
            try:
                for _, known, future in waiting:
                    if known is not None:
                        yield msgspec.structs.replace(known, attempts=0, input_tokens=0, output_tokens=0)
                    elif future is not None:
                        verdict = future.result()
                        if verdict.scores:
                            cache.add(verdict)
                        yield verdict
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def judge(self, task: Task) -> Verdict:
        """Ask about one task, again with what was wrong when an answer is invalid."""
        verdict = Verdict(key=task.make_key(self.model), page=task.page, repetition=task.repetition, labels=task.labels)
        messages = list(task.messages)
        labels = list(task.labels)
        while verdict.attempts < ATTEMPTS:
            verdict.attempts += 1
            try:
                content = self._ask(messages, labels, verdict)
            except (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError) as error:
                raise ValueError(f"the judge's endpoint refuses: {error}") from error
            except openai.OpenAIError as error:
                verdict.problem = f"failed: {type(error).__name__}: {error}"[:300]
                return verdict
            try:
                scores = read_answer(content, labels)
            except InvalidAnswerError as error:
                verdict.problem = f"invalid: {error}"
                messages = [*task.messages, {"role": "assistant", "content": content[:4000]}, _correct(error)]
                continue
            verdict.scores = {task.labels[label]: found for label, found in scores.items()}
            verdict.problem = ""
            return verdict
        return verdict

    def _ask(self, messages: list[Message], labels: list[str], verdict: Verdict) -> str:
        """Send one request and return the answer's text; endpoints that know no schemas are asked without."""
        settings: dict[str, Any] = {}
        if self._has_schemas:
            schema = {"name": "scores", "strict": True, "schema": build_schema(labels)}
            settings["response_format"] = {"type": "json_schema", "json_schema": schema}
        try:
            answer = self._client.chat.completions.create(
                model=self.model, messages=cast("Any", messages), temperature=0, **settings
            )
        except openai.BadRequestError:
            if not settings:
                raise
            self._has_schemas = False
            return self._ask(messages, labels, verdict)
        if answer.usage is not None:
            verdict.input_tokens += answer.usage.prompt_tokens
            verdict.output_tokens += answer.usage.completion_tokens
        return (answer.choices[0].message.content or "") if answer.choices else ""


def _correct(error: InvalidAnswerError) -> Message:
    return {"role": "user", "content": f"That answer is not valid ({error}). Answer again: the JSON object alone."}
