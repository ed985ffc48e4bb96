"""Beam transforms around the extractor, each a verb that wires a pure function."""
