"""Looking back: trend, periodic report, volume review."""
