"""Schemas of documents, their findings in Chinese, passes remembered by hash."""
