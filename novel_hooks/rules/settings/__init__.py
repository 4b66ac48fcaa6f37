"""novel.yaml: names, values, defaults, prices of models, limits of the budget."""
