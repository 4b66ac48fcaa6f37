"""novel.yaml: names, values, prices of models."""
