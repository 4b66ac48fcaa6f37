"""Schemas of documents, their findings in Chinese, and the hashes of valid documents."""
