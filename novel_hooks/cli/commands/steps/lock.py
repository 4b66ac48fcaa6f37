"""`novel lock status|acquire|release|clear`: the session lock. Source: protocol §6."""

from __future__ import annotations

from novel_hooks import errors, roles
from novel_hooks.cli.answer import Answer, build, note
from novel_hooks.cli.arguments import Parser, chapter
from novel_hooks.cli.context import Context
from novel_hooks.rules.steps import break_points
from novel_hooks.rules.text import typed_words
from novel_hooks.store.lock import lockstate

_KINDS = {
    "free": "没有人在写",
    "own": "本会话正持有写作锁",
    "other": "别的会话正在写",
    "stale": "留着一把没人用的写作锁",
}


def arguments(parser: Parser) -> None:
    parser.value(
        "action",
        "动作",
        "status 查看；acquire 取得；release 归还；clear 清除没人用的锁",
        choices=("status", "acquire", "release", "clear"),
    )
    parser.value(
        "--step",
        "步骤",
        "acquire 时：这一次做完哪几步停下来给你看，如 写初稿,评审（或 draft,judge）；"
        "不写步骤是每一步，none 是都不停",
        nargs="?",
        const=break_points.EVERY,
    )
    parser.value("--run", "章数", "acquire 时：一趟从这里开始，要写几章；一趟的预算从这里算起", type=chapter)
    parser.flag("--force", "clear 时连别人正用着的锁也清除")


def run(context: Context) -> Answer:
    if context.args.step is not None and context.args.action != "acquire":
        raise errors.UsageError(case="lock step")
    if context.args.run is not None and context.args.action != "acquire":
        raise errors.UsageError(case="lock run")
    return _ACTIONS[context.args.action](context)


def _status(context: Context) -> Answer:
    project = context.project()
    caller = context.caller()
    state = lockstate.lock_state(project, caller.owner, caller.now)
    info = {k: v for k, v in (state.info or {}).items() if k != "token"}
    told = {"free": "", "own": ""}.get(state.kind, f"：{state.reason}")
    number = info.get("chapter")
    told_at = lockstate.since_text(state, caller.now)
    since = "" if state.since is None or state.kind == "free" else f"，从 {told_at} 开始"
    said = told + (f"（第 {number} 章{since}）" if isinstance(number, int) else since)
    return build({"kind": state.kind, "reason": state.reason, "info": info}, f"{_KINDS[state.kind]}{said}")


def _acquire(context: Context) -> Answer:
    from novel_hooks.flows.pipeline import lock

    found = lock.acquire(context.project(), context.caller(), _stops(context.args.step), context.args.run)
    if found.begun:
        said = f"已取得写作锁，开始第 {found.chapter} 章。"
    elif found.chapter:
        said = f"已取得写作锁，接着写第 {found.chapter} 章。"
    else:
        said = "已取得写作锁。"
    if found.stop_after:
        said += f"做完这几步会停下来给你看：{'、'.join(roles.PHASE_TITLES[p] for p in found.stop_after)}。"
    data = {"chapter": found.chapter, "begun": found.begun, "stop_after": list(found.stop_after)}
    shown = build(data, said)
    return shown._replace(diagnostics=tuple(note(n) for n in found.notes))


def _stops(told: str | None) -> tuple[str, ...] | None:
    """`draft,judge` → the phases; None when nothing was said. Raises UsageError."""
    if told is None:
        return None
    found = break_points.parse_phases(
        [typed_words.find_key(typed_words.STOPS, one) for one in typed_words.split_list(told) or [told]]
    )
    if found is None:
        names = (break_points.EVERY, break_points.NONE, *break_points.PHASES)
        legal = "、".join(f"{typed_words.word_of(typed_words.STOPS, name)}（{name}）" for name in names)
        raise errors.UsageError(case="lock phases", phases=told, known=legal)
    return found


def _release(context: Context) -> Answer:
    from novel_hooks.flows.pipeline import lock

    released = lock.release(context.project(), context.caller())
    return build({"released": released}, "已归还写作锁。" if released else "本会话没有持有写作锁。")


def _clear(context: Context) -> Answer:
    from novel_hooks.flows.pipeline import lock

    said = lock.clear(context.project(), context.caller(), bool(context.args.force))
    return build({"cleared": said is not None}, said or "没有要清除的写作锁。")


_ACTIONS = {"status": _status, "acquire": _acquire, "release": _release, "clear": _clear}
