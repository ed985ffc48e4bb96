"""Means with bootstrap intervals, and when a difference is more than noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy

RESAMPLES: Final = 2000
CONFIDENCE: Final = 0.95
SEED: Final = 7  # the same figures from the same rows, always
PAGE_SIGMAS: Final = 3.0  # a page's limit; thousands are held to it at once


class Figure(msgspec.Struct, frozen=True):
    """A mean over pages and the interval that resampling the pages gives it, 95 %."""

    mean: float
    low: float
    high: float
    pages: int

    @property
    def is_beyond_noise(self) -> bool:
        """Whether a mean difference is surely above or surely below zero."""
        return self.low > 0 or self.high < 0


def estimate_mean(values: Sequence[float]) -> Figure:
    """Return the mean of values and its percentile bootstrap interval; NaN of no values.

    >>> estimate_mean([0.5, 0.5, 0.5])
    Figure(mean=0.5, low=0.5, high=0.5, pages=3)
    """
    if not values:
        return Figure(math.nan, math.nan, math.nan, 0)
    array = numpy.asarray(values, dtype=float)
    draws = numpy.random.default_rng(SEED).integers(0, len(array), size=(RESAMPLES, len(array)), dtype=numpy.int32)
    low, high = numpy.quantile(array[draws].mean(axis=1), [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Figure(float(array.mean()), float(low), float(high), len(array))


def is_count_beyond_noise(before: int, after: int) -> bool:
    """Whether two counts of wrong tokens differ by more than three times what two counts of one rate do.

    The difference of two Poisson counts has the variance of their sum, whatever the rate.

    >>> is_count_beyond_noise(100, 120), is_count_beyond_noise(0, 10), is_count_beyond_noise(100, 160)
    (False, True, True)
    """
    return abs(after - before) > PAGE_SIGMAS * math.sqrt(before + after)
