"""Danubia's extractor: the main content of an HTML page as a typed tree, by rules that a person can read."""

from __future__ import annotations

from danubia_core.explain import Part, explain
from danubia_core.extract import Extraction, Stats, extract
from danubia_core.nodes import Tree
from danubia_core.options import Options

__version__ = "0.1.0"

__all__ = ["Extraction", "Options", "Part", "Stats", "Tree", "__version__", "explain", "extract"]
