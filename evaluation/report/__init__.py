"""The report of a run: one HTML file, and a table for the terminal."""
