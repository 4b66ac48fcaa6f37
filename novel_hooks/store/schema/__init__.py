"""JSON Schema, its findings in Chinese, verdicts remembered by hash."""
