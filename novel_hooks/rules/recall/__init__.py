"""Words of earlier chapters: their sentences, the subjects that these name, the choice for a packet."""
