"""Deterministic metrics, the same for every extractor and language; the public benchmarks' own beside them."""
