"""Apache Flink: images and manifests for a cluster, and a whole cluster on this machine (README.md)."""
