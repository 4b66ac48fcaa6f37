"""Generators, benchmarks and test drivers: they build or measure the product and are no part of it."""
