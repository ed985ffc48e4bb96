"""What a judge may answer: scores of 1 to 5 for each candidate, held to a JSON Schema."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import jsonschema
import msgspec

ASPECTS: Final = ("recall", "precision", "boilerplate", "formatting")
_SCORE: Final = {"type": "integer", "minimum": 1, "maximum": 5}
_FENCE: Final = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)


class Scores(msgspec.Struct, frozen=True):
    """A judge's scores of one output, each 1 to 5, 5 the best."""

    recall: int
    precision: int
    boilerplate: int
    formatting: int

    @property
    def mean(self) -> float:
        """The mean of the four."""
        return (self.recall + self.precision + self.boilerplate + self.formatting) / len(ASPECTS)


class InvalidAnswerError(ValueError):
    """An answer that the schema refuses; the message says why, for the judge to read."""


def build_schema(labels: list[str]) -> dict[str, Any]:
    """Return the JSON Schema of an answer about candidates: one object a label, nothing else."""
    candidate = {
        "type": "object",
        "properties": dict.fromkeys(ASPECTS, _SCORE),
        "required": list(ASPECTS),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": dict.fromkeys(labels, candidate),
        "required": labels,
        "additionalProperties": False,
    }


def read_answer(content: str, labels: list[str]) -> dict[str, Scores]:
    """Return the scores by label; raises InvalidAnswerError.

    >>> scores = '{"recall": 5, "precision": 4, "boilerplate": 4, "formatting": 3}'
    >>> read_answer('{"A": ' + scores + '}', ["A"])["A"].mean
    4.0
    """
    fenced = _FENCE.match(content)
    try:
        answer = json.loads(fenced[1] if fenced else content)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidAnswerError(f"not JSON: {error}") from error
    problem = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(build_schema(labels)).iter_errors(answer)
    )
    if problem is not None:
        raise InvalidAnswerError(f"at {problem.json_path}: {problem.message}"[:300])
    return {label: Scores(**answer[label]) for label in labels}
