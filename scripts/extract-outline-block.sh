#!/bin/sh
# The block of chapter CHAPTER in its volume's outline.
#
# Usage:  extract-outline-block.sh CHAPTER        (from inside a novel project)
# stdout: one JSON document with the block and its key lines.
# Exit:   0 found; 1 the outline has no such chapter, or its block is faulty; 2 broken.

# shellcheck source=scripts/entry.sh
. "$(dirname -- "$0")/entry.sh"
novel_script extract-outline-block "$@"
