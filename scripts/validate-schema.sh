#!/bin/sh
# Holds FILE against the schema named SCHEMA (chapter-delta, chapter-eval, …).
#
# Usage:  validate-schema.sh FILE SCHEMA        (from inside a novel project)
# stdout: one JSON document with every finding.
# Exit:   0 it fits; 1 it does not; 2 broken: no such file or schema.

# shellcheck source=scripts/entry.sh
. "$(dirname -- "$0")/entry.sh"
novel_script validate-schema "$@"
