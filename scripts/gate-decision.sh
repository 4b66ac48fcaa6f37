#!/bin/sh
# What the gate decides about the staged chapter CHAPTER; changes nothing.
#
# Usage:  gate-decision.sh CHAPTER        (from inside a novel project)
# stdout: one JSON document with the decision and its reasons.
# Exit:   0 decided, whatever the decision; 1 there is no valid verdict to decide on; 2 broken.

# shellcheck source=scripts/entry.sh
. "$(dirname -- "$0")/entry.sh"
novel_script gate-decision "$@"
