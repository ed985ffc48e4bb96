"""The evaluation harness: corpus, metrics, peers, judge, report, gate. The product imports none of it."""
