"""novel.yaml: names, values, prices of models, limits of the budget."""
