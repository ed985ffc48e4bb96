"""Measurements: how fast the extractor is (speed), which charset detector is right how often (charset)."""
