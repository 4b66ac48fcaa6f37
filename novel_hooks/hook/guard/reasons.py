"""The guard's refusals: all sentences in one place, so that they can be proof-read.

Our agents read them, and the author reads them in the audit log. Each sentence says what to do instead.
"""

from __future__ import annotations

REASONS = {
    # --- the call ---
    "no-project": "这里不是小说项目，请停下，告诉作者要在小说项目文件夹里开始写。",
    "read-only-role": "评审只读不写，请把意见直接写在回复里交回。",
    "tool": "这个工具在这里用不了，请只用 Read 读资料，用 Write 或 Edit 写暂存区 staging/ 里的文件。",
    "tool-shell": "这里不能运行命令，请用 Read 读资料，用 Write 或 Edit 写暂存区 staging/ 里的文件。",
    "tool-agent": "不能再派别的代理，请自己做完这一步。",
    "tool-notebook": "不能写笔记本文件，请用 Write 写暂存区 staging/ 里的文件。",
    "tool-codex": "这个工具在这里用不了，请只用 shell 读资料，用 apply_patch 写暂存区 staging/ 里的文件。",
    "command-novel": "novel 不归代理敲，请只读资料、写任务包点名的文件，写完回话就好。",
    "escalation": "代理不能要更多的权限，请只写任务包里 outputs 列出的、暂存区 staging/ 里的文件。",
    "patch": "补丁里没有写明改哪个文件，请用 *** Add File: 或 *** Update File: 写明 staging/ 里的一个文件。",
    # --- how the path is written ---
    "path-missing": "没有写明要写哪个文件，请在 file_path 里给出暂存区 staging/ 里的完整路径。",
    "path-odd": "路径里有不能用的字符，请照任务包里的路径原样再写一次。",
    "path-home": "路径不能以 ~ 开头，请照任务包里的路径写进暂存区 staging/。",
    "path-long": "路径太长，请换一个短些的文件名，写在暂存区 staging/ 里。",
    "path-folder": "这个路径指的是文件夹，请写明暂存区 staging/ 里的一个文件。",
    "path-relative": "不知道当前在哪个文件夹，请给出从根目录写起的完整路径。",
    # --- where it leads ---
    "outside-project": "这个文件不在小说项目里，请改写到项目的暂存区 staging/。",
    "other-project": "这个文件不属于当前这部小说，请写到当前项目的暂存区 staging/。",
    "outside-staging": "暂存区以外的文件不能直接改，请写任务包里 outputs 列出的、暂存区 staging/ 里的文件。",
    "own-evaluations": "评审意见由写作助手存放，请不要写 staging/evaluations/，把内容写在回复里。",
    "own-manifests": "任务包由写作助手存放，只能读不能写，请写任务包里 outputs 列出的文件。",
    "own-checkpoint": "进度只由写作助手记录，请写任务包里 outputs 列出的文件。",
    # --- what is there ---
    "detour": "路径绕过了链接，请照任务包里的路径原样再写一次。",
    "link": "「{part}」是一个链接，不能经过它写，请停下，告诉作者把它换成普通的文件或文件夹。",
    "hard-link": "「{part}」与别处的文件是同一个文件（硬链接），请停下，告诉作者把它换成单独的文件。",
    "not-a-folder": "「{part}」不是文件夹，请换一个路径，写在暂存区 staging/ 里。",
    "not-a-file": "「{part}」不是普通文件，请换一个文件名，写在暂存区 staging/ 里。",
    "unreadable": "看不到「{part}」现在是什么，请停下，告诉作者检查它的权限。",
    # --- not now ---
    "lock": "写作锁{holder}，现在不能写，请停下，告诉作者等那边写完，或运行 novel lock status 查看。",
    "audit": "记录 logs/audit.jsonl 写不进去，所以没有放行，请停下，告诉作者检查它是不是普通文件、能不能写。",
}
ALLOWED = "写在暂存区"


class Refusal(Exception):
    """A call that is denied: `rule` is a key of REASONS, `reason` its sentence, filled with `values`."""

    def __init__(self, rule: str, **values: str) -> None:
        self.rule = rule
        self.reason = REASONS[rule].format(**values)
        super().__init__(rule)
