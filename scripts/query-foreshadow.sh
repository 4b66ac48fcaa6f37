#!/bin/sh
# The foreshadowing that chapter CHAPTER has to do with.
#
# Usage:  query-foreshadow.sh CHAPTER        (from inside a novel project)
# stdout: {"items":[{"id","description","scope","status","target_resolve_range",…}]}, sorted by id.
# Exit:   0 done (the list may be empty); 2 broken: a caller falls back to the rules of its own.

# shellcheck source=scripts/entry.sh
. "$(dirname -- "$0")/entry.sh"
novel_script query-foreshadow "$@"
