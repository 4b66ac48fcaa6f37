# shellcheck shell=sh
# What the entry points in this folder share. Sourced, with the caller's $0.
#
#   novel_script NAME ARGUMENT…   runs `novel script NAME ARGUMENT…` of this checkout and exits
#
# stdout is the script's own JSON document. Exit: 0 done; 1 the check failed; 2 broken, and stderr says how.
# Each is stopped after 10 seconds where `timeout` is there. Building the environment, on the very first
# run, comes before that limit.

novel_script() {
    novel_root=$(CDPATH='' cd -- "${0%/*}/.." && pwd) || exit 2
    # shellcheck source=scripts/find-python.sh
    . "$novel_root/scripts/find-python.sh"
    novel_ensure_python "$novel_root" || exit 2
    if command -v timeout >/dev/null 2>&1; then
        timeout 10 "$novel_root/bin/novel" script "$@"
    else
        "$novel_root/bin/novel" script "$@"
    fi
    novel_exit=$?
    case $novel_exit in
        0 | 1 | 2) exit "$novel_exit" ;;
        124) novel_say "超过 10 秒还没有做完，已经停下。请运行 novel status 查看项目状态。" ;;
    esac
    exit 2
}
