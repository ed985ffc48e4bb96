"""Google Dataflow: the workers' image, a flex template, and the script that starts jobs (README.md)."""
