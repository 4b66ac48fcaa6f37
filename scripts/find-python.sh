# shellcheck shell=sh
# Which Python runs novel. Sourced by bin/novel and by the hooks, so that both find the same one.
#
#   novel_find_python ROOT    sets novel_python. 0 found; 1 none built yet, and novel_venv says where it
#                             would be; 3 there can be none, and why was said on stderr. Starts no process.
#   novel_ensure_python ROOT  the same, but builds the one that is missing (takes about half a minute).
#   novel_any_python ROOT     the same, but where none is built any that is new enough will do: a hook must
#                             not take half a minute. It may lack our two dependencies.
#
# In this order: $NOVEL_PYTHON; ROOT/.venv; venv-KEY in one data folder a user. KEY names the pinned
# requirements, so two versions of novel with the same ones share an environment. An environment counts
# only when its file novel-key, the last one written, holds the KEY. Who finds that it does not work takes
# that file away: then whoever comes next builds anew. What the loader of the system would stop at (no library,
# a damaged program) is seen before, for by then there is nobody to tell.

novel_say() {
    printf 'novel：%s\n' "$1" >&2
}

novel_find_python() {
    novel_venv=
    novel_python=${NOVEL_PYTHON:-}
    if [ -n "$novel_python" ]; then
        novel_found=$(command -v "$novel_python") && [ -n "$novel_found" ] && return 0
        novel_say "NOVEL_PYTHON 指向的「$novel_python」不能运行。请改正它，或取消这个设置。"
        return 3
    fi
    if ! novel_first_line "$1/requirements/runtime.key"; then
        novel_say "插件文件不完整（缺少 requirements/runtime.key）。请重新安装 novel。"
        return 3
    fi
    novel_key=$novel_line
    novel_venv_python "$1/.venv" && return 0
    novel_data_folder || return 3
    novel_venv=$novel_data/venv-$novel_key
    novel_venv_python "$novel_venv"
}

# Sets novel_line to the first line of the file $1. Without /dev/null: it may not be there to write to.
novel_first_line() {
    [ -f "$1" ] && [ -r "$1" ] && IFS= read -r novel_line <"$1"
}

# Sets novel_python when the environment $1 is whole and its interpreter is still there, with the library that
# it needs to start (novel-needs). One that changed since the environment was built has to start once first, and
# so has one of an earlier version, which did not note the library.
novel_venv_python() {
    novel_first_line "$1/novel-key" && [ "$novel_line" = "$novel_key" ] || return 1
    novel_first_line "$1/novel-needs" && [ ! -e "$novel_line" ] && return 1
    for novel_python in "$1/bin/python" "$1/Scripts/python.exe"; do
        [ -x "$novel_python" ] && [ -s "$novel_python" ] || continue
        # shellcheck disable=SC3013
        if [ ! -e "$1/novel-needs" ] || [ "$novel_python" -nt "$1/novel-key" ]; then
            novel_starts "$1"
        fi
        return
    done
    return 1
}

# Does $novel_python start? Then novel-key of the environment $1 is as new as it, novel-needs says which library
# an upgrade may take away (none: it is empty), and nobody asks again.
novel_starts() {
    novel_said=$("$novel_python" -I -S -c '
import os, sys, sysconfig
of = sysconfig.get_config_var
places = [of("PYTHONFRAMEWORKPREFIX"), of("LIBDIR")] if of("Py_ENABLE_SHARED") or of("PYTHONFRAMEWORK") else []
found = [os.path.join(each, of("INSTSONAME")) for each in places if each and of("INSTSONAME")]
found = [each for each in found if os.path.exists(each)]
try:
    os.utime(os.path.join(sys.argv[1], "novel-key"))
    with open(os.path.join(sys.argv[1], "novel-needs"), "wb") as told:
        told.write(os.fsencode(found[0]) + b"\n" if found else b"")
except OSError:
    pass
print("starts")' "$1" 2>&1)
    case $novel_said in starts*) ;; *) return 1 ;; esac
}

# Python: novel_misfit() is the path of novel-key in our environment that this interpreter runs in and that was
# built for another version of Python, else None. The link of an environment leads to a newer one after an upgrade.
# shellcheck disable=SC2034
novel_misfit='
import os, sys
def novel_misfit():
    venv = os.path.dirname(os.path.dirname(sys.executable))
    try:
        with open(os.path.join(venv, "pyvenv.cfg"), encoding="utf-8", errors="replace") as told:
            pairs = [line.partition("=") for line in told]
    except OSError:
        return None
    built = [value.strip() + "." for name, _, value in pairs if name.strip() in ("version", "version_info")]
    if not built or built[0].startswith("%d.%d." % sys.version_info[:2]):
        return None
    mark = os.path.join(venv, "novel-key")
    return mark if os.path.exists(mark) else None
'

# Sets novel_data. A relative XDG_DATA_HOME is no setting at all, says its specification.
novel_data_folder() {
    if [ -n "${NOVEL_DATA:-}" ]; then
        novel_data=$NOVEL_DATA
        case $novel_data in /* | [A-Za-z]:*) return 0 ;; esac
        novel_say "NOVEL_DATA 要写成完整路径，现在是「$novel_data」。请改正后再试。"
        return 1
    fi
    case ${XDG_DATA_HOME:-} in /*) novel_data=$XDG_DATA_HOME/novel && return 0 ;; esac
    if [ -z "${HOME:-}" ]; then
        novel_say "不知道该把运行环境放在哪里。请设置环境变量 HOME 或 NOVEL_DATA 后再试。"
        return 1
    fi
    novel_data=$HOME/.local/share/novel
}

novel_ensure_python() {
    novel_find_python "$1"
    case $? in
        0) return 0 ;;
        1) ;;
        *) return 3 ;;
    esac
    sh "$1/scripts/build-venv.sh" "$1" "$novel_venv" </dev/null >&2 || return
    novel_venv_python "$novel_venv" && return 0
    novel_say "运行环境建好了却用不了：$novel_venv。请删除这个文件夹后再试。"
    return 3
}

novel_any_python() {
    novel_find_python "$1" && return
    [ -z "${NOVEL_PYTHON:-}" ] || return
    for novel_python in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python3.9 python; do
        novel_python=$(command -v "$novel_python") && ! novel_is_stub &&
            "$novel_python" -I -S -c 'import sys; sys.exit(sys.version_info < (3, 9))' </dev/null && return
    done
    return 1
}

# macOS ships a python3 that only opens a window asking to install the developer tools.
novel_is_stub() {
    [ "$novel_python" = /usr/bin/python3 ] && [ -d /System/Library ] && ! xcode-select -p >/dev/null
}
