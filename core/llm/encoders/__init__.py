"""Networks that run in this process: embedders, rerankers, and the reader of spans."""
