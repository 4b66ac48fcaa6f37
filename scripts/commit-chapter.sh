#!/bin/sh
# Lands chapter CHAPTER from staging, all of it or nothing.
#
# Usage:  commit-chapter.sh CHAPTER        (from inside a novel project)
# stdout: one JSON document that says what landed.
# Exit:   0 landed, or had landed before; 1 it may not land yet, and the document says why; 2 broken.

# shellcheck source=scripts/entry.sh
. "$(dirname -- "$0")/entry.sh"
novel_script commit-chapter "$@"
