#!/bin/sh
# Makes the checkout's own environment: the runtime, and with `dev` what tests and linters need.
#
# Usage: setup-dev.sh runtime|dev VENV [PYTHON]     (run from the checkout; VENV is a folder in it)
# Exit:  0 there and up to date; else it could not be made, and stderr says why.
# Quick when nothing changed: the files novel-key and dev-key in VENV name the pins it holds.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 3
kind=$1
venv=$root/$2
# shellcheck source=scripts/find-python.sh
. "$root/scripts/find-python.sh"

IFS= read -r novel_key <"$root/requirements/runtime.key" || exit 3
IFS= read -r dev_key <"$root/requirements/dev.key" || exit 3

if ! novel_venv_python "$venv"; then
    sh "$root/scripts/build-venv.sh" "$root" "$venv" "${3:-}" || exit
    novel_venv_python "$venv" || exit 3
fi
[ "$kind" = dev ] || exit 0

{ IFS= read -r mark <"$venv/dev-key"; } 2>/dev/null || mark=
[ "$mark" != "$dev_key" ] || exit 0
novel_say "正在安装测试与检查工具……"
"$novel_python" -I -m pip install --quiet --no-input --disable-pip-version-check --no-user \
    --require-hashes --no-deps -r "$root/requirements/dev.txt" || exit 3
printf '%s\n' "$dev_key" >"$venv/dev-key"
