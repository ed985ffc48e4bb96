"""Danubia's commands: each wires transforms into a pipeline and reports what it did."""
