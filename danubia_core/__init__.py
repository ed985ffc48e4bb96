"""Danubia's extractor: the main content of an HTML page as a typed tree, by rules that a person can read."""

from __future__ import annotations

from danubia_core.explain import Part, explain
from danubia_core.extract import extract
from danubia_core.extraction import FORMATS, Extraction, Stats
from danubia_core.metadata import Metadata
from danubia_core.nodes import Tree
from danubia_core.options import Options

__version__ = "0.1.0"

__all__ = ["FORMATS", "Extraction", "Metadata", "Options", "Part", "Stats", "Tree", "__version__", "explain", "extract"]
