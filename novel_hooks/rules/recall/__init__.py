"""Words of earlier chapters: sentences, who is named in them, which of them a packet gets."""
