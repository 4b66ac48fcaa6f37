#!/bin/sh
# Makes the checkout's own environment: the runtime, with `dev` what tests and linters need, with `mutants`
# the mutation tester too.
#
# Usage: setup-dev.sh runtime|dev|mutants VENV [PYTHON]     (run from the checkout; VENV is a folder in it)
# Exit:  0 there and up to date; else it could not be made, and stderr says why.
# Quick when nothing changed: the files novel-key, dev-key and mutants-key in VENV name the pins it holds.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 3
kind=$1
venv=$root/$2
# shellcheck source=scripts/find-python.sh
. "$root/scripts/find-python.sh"

IFS= read -r novel_key <"$root/requirements/runtime.key" || exit 3

# Emptied, or its interpreter has become another one: it has no pip any more.
if novel_venv_python "$venv" && ! "$novel_python" -I -c 'import pip' 2>/dev/null; then
    rm -f "$venv/novel-key" "$venv/dev-key" "$venv/mutants-key"
fi
if ! novel_venv_python "$venv"; then
    sh "$root/scripts/build-venv.sh" "$root" "$venv" "${3:-}" || exit
    novel_venv_python "$venv" || exit 3
fi

# Installs requirements/$1.txt unless the environment holds it. Python compiles what is used; the most is not.
install() {
    IFS= read -r key <"$root/requirements/$1.key" || exit 3
    { IFS= read -r mark <"$venv/$1-key"; } 2>/dev/null || mark=
    [ "$mark" != "$key" ] || return 0
    novel_say "正在安装测试与检查工具……"
    "$novel_python" -I -m pip install --quiet --no-input --disable-pip-version-check --no-user \
        --no-compile --require-hashes --no-deps -r "$root/requirements/$1.txt" || exit 3
    printf '%s\n' "$key" >"$venv/$1-key"
}

case $kind in
    dev) install dev ;;
    mutants) install dev && install mutants ;;
esac
