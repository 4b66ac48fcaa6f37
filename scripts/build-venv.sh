#!/bin/sh
# Builds the Python environment that novel runs in, whole or not at all.
#
# Usage: build-venv.sh ROOT TARGET [PYTHON]
#   ROOT    the folder of novel, with requirements/runtime.txt and runtime.key
#   TARGET  the environment's folder, made by one rename at the end
#   PYTHON  the interpreter to build on; without it, the newest suitable one on PATH
# Exit: 0 TARGET is there and whole, whoever built it; 3 it could not be built: one line on stderr says
# what to do, and nothing is left behind. Progress goes to stderr. Several at once are safe.
set -u

root=$1
target=$2
given=${3:-}
work=
made_parent=

# shellcheck source=scripts/find-python.sh
. "$root/scripts/find-python.sh"

fail() {
    novel_say "$1"
    exit 3
}

[ -w /dev/null ] || fail "这台电脑的 /dev/null 不让写入，运行环境建不了。请恢复它（chmod 666 /dev/null）后再试。"

clean_up() {
    [ -z "$work" ] || rm -rf "$work"
    [ -z "$made_parent" ] || rmdir "$made_parent" 2>/dev/null
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# --- which Python ----------------------------------------------------------------------------------

# Answers "ok PATH" with the interpreter's real path: behind a version manager's shim, and ending when that
# very version is removed. Runs on Python 2 too, and in `/`, where no file of the author's shadows a module.
question='
import os, sys
if sys.version_info < (3, 9):
    sys.stdout.write("old %d.%d" % sys.version_info[:2])
    sys.exit(0)
try:
    import ensurepip, ssl, venv, zlib
except ImportError:
    sys.stdout.write("bare")
    sys.exit(0)
base = getattr(sys, "_base_executable", None) or sys.executable
sys.stdout.buffer.write(b"ok " + os.fsencode(os.path.realpath(base)))
'
python=
too_old=
bare=
stub=

# Asks the command "$@"; sets python, or notes why not.
ask() {
    is_stub "$1" && stub=yes && return 1
    answer=$(cd / && "$@" -E -s -c "$question" 2>/dev/null </dev/null) || answer=
    case $answer in
        "ok "*) python=${answer#ok } && return 0 ;;
        "old "*) too_old=${answer#old } ;;
        bare) bare=$1 ;;
        *) case $1 in *[Ww]indows[Aa]pps*) stub=yes ;; esac ;;
    esac
    return 1
}

# macOS ships a python3 that only opens a window asking to install the developer tools.
is_stub() {
    [ "$1" = /usr/bin/python3 ] && [ "$(uname)" = Darwin ] && ! xcode-select -p >/dev/null 2>&1
}

choose_python() {
    if [ -n "$given" ]; then
        ask "$given" && return
    else
        for name in python3.14 python3.13 python3.12 python3.11 python3.10 python3.9 python3 python; do
            path=$(command -v "$name") && ask "$path" && return
        done
        path=$(command -v py) && ask "$path" -3 && return
    fi
    if [ -n "$bare" ]; then
        fail "$bare 缺少 venv 组件。请先运行 $(how_to_add_venv)，再试一次。"
    elif [ -n "$too_old" ]; then
        fail "这台电脑上的 Python 是 $too_old，太旧了。请安装 Python 3.9 或更新的版本：$(how_to_install)。"
    elif [ -n "$stub" ]; then
        fail "这台电脑上的 python 只是系统放的空壳，并没有装 Python。请安装 Python 3.9 或更新的版本：$(how_to_install)。"
    fi
    fail "没有找到 Python。请安装 Python 3.9 或更新的版本：$(how_to_install)。"
}

has() {
    command -v "$1" >/dev/null 2>&1
}

how_to_install() {
    if has apt-get; then
        echo "sudo apt install python3 python3-venv"
    elif has dnf; then
        echo "sudo dnf install python3"
    elif has pacman; then
        echo "sudo pacman -S python"
    elif has apk; then
        echo "apk add python3"
    elif has brew; then
        echo "brew install python3"
    else
        echo "从 Python 官网下载安装包，装好后重开终端"
    fi
}

how_to_add_venv() {
    if has apt-get; then
        echo "sudo apt install python3-venv"
    else
        how_to_install
    fi
}

# --- build and publish -----------------------------------------------------------------------------

prepare_folder() {
    parent=${target%/*}
    if [ "$parent" = "$target" ]; then
        parent=.
    fi
    if [ ! -d "$parent" ]; then
        mkdir -p "$parent" 2>/dev/null || fail "建不了文件夹「$parent」。请检查它的权限，或用 NOVEL_DATA 指定别的文件夹。"
        made_parent=$parent
    fi
    # What a killed run left behind: at once when it ran here and is dead, anybody's a day later.
    mine=$target.tmp-$(uname -n)
    for left in "$mine".*; do
        is_dead "${left#"$mine."}" && rm -rf "$left"
    done
    find "$parent" -maxdepth 1 -name "${target##*/}.tmp-*" -mtime +0 -exec rm -rf {} + 2>/dev/null
    work=$(mktemp -d "$mine.$$.XXXXXX" 2>/dev/null) ||
        fail "写不进文件夹「$parent」。请检查磁盘空间和它的权限，或用 NOVEL_DATA 指定别的文件夹。"
}

# Of a folder named PID.XXXXXX: does that process not run any more?
is_dead() {
    builder=${1%%.*}
    case $builder in '' | *[!0-9]*) return 1 ;; esac
    ! kill -0 "$builder" 2>/dev/null
}

# Runs "$@" quietly; what it printed decides what the author is told to do.
attempt() {
    said=$("$@" 2>&1) && return 0
    case $said in
        *"No space left"* | *"Disk quota"*) fail "磁盘满了，装不下运行环境。请腾出约 100 MB 空间后再试。" ;;
        *ensurepip*) fail "$python 缺少 venv 组件。请先运行 $(how_to_add_venv)，再试一次。" ;;
        *"DO NOT MATCH THE HASHES"*) fail "下载到的文件与登记的不符，没有安装。请换一个网络或下载镜像后再试。" ;;
        *NewConnection* | *ConnectTimeout* | *ReadTimeout* | *"onnection broken"* | *"onnection aborted"* | \
            *"onnection refused"* | *"name resolution"* | *ProxyError* | *SSLError* | *"etwork is unreachable"*)
            fail "连不上网，没能下载运行环境。请检查网络（或用 PIP_INDEX_URL 指定可用的镜像）后再试。" ;;
        *"No matching distribution"* | *"Could not find a version"*)
            fail "下载源里没有适合这台电脑的文件。请检查网络或镜像设置（PIP_INDEX_URL）后再试。" ;;
    esac
    fail "运行环境没有装好：$(printf '%s\n' "$said" | tail -n 1)"
}

# Wheels only: with a source package, what builds it would come unpinned.
install_requirements() {
    unset PIP_TARGET PIP_PREFIX PIP_ROOT PIP_USER PIP_REQUIRE_VIRTUALENV PYTHONHOME PYTHONPATH
    PIP_RETRIES=${PIP_RETRIES:-2}
    export PIP_RETRIES
    attempt "$(venv_python "$work/venv")" -I -m pip install --quiet --no-input --disable-pip-version-check \
        --no-user --require-hashes --no-deps --only-binary :all: -r "$root/requirements/runtime.txt"
}

venv_python() {
    if [ -x "$1/Scripts/python.exe" ]; then
        echo "$1/Scripts/python.exe"
    else
        echo "$1/bin/python"
    fi
}

# One rename that fails when the other name is taken; `mv` would move into the folder instead.
rename() {
    "$python" -I -c 'import os, sys; os.rename(sys.argv[1], sys.argv[2])' "$1" "$2" 2>/dev/null
}

# Another run may have been first: then its environment stays and ours goes. A broken one gives way.
publish() {
    rename "$work/venv" "$target" && return
    novel_venv_python "$target" && return
    rename "$target" "$work/old"
    if novel_venv_python "$work/old"; then
        rename "$work/old" "$target"
    else
        rename "$work/venv" "$target"
    fi
    novel_venv_python "$target" || fail "换不掉损坏的运行环境「$target」。请删除这个文件夹后再试。"
}

IFS= read -r novel_key <"$root/requirements/runtime.key" || fail "插件文件不完整。请重新安装 novel。"
choose_python
prepare_folder
novel_say "正在准备运行环境（只在第一次，约需半分钟）……"
attempt "$python" -m venv "$work/venv"
novel_say "正在下载并安装两个依赖……"
install_requirements
printf '%s\n' "$novel_key" >"$work/venv/novel-key" || fail "磁盘满了，装不下运行环境。请腾出约 100 MB 空间后再试。"
publish
made_parent=
novel_say "运行环境准备好了。"
