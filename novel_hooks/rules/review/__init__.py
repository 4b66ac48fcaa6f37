"""Reviews: of a volume, of the last chapters, of the trend of scores."""
