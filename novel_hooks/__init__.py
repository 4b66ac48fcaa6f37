"""novel: the deterministic core of a writing crew for Chinese web novels."""

__version__ = "0.1.0"
