"""Time, tokens and money as a person reads them. An unknown amount is shown as unknown, never as 0."""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping
from novel_hooks.rules.settings import prices

_SECOND = 1000


def usage_text(told: Mapping[str, Any], currency: str | None) -> str:
    """Return time, tokens and cost in one line, as far as they are known."""
    parts = [duration(told["duration_ms"])]
    if told["input_tokens"] is not None or told["output_tokens"] is not None:
        read = [told[key] for key in prices.AMOUNTS if key.endswith("input_tokens")]
        cached = sum(amount or 0 for amount in read[1:])
        hit = f"（另有缓存 {cached:,}）" if cached else ""
        parts.append(f"词元 读 {_count(read[0])}{hit} 写 {_count(told['output_tokens'])}")
    else:
        parts.append("词元未记")
    if told["cost"] is not None:
        parts.append(f"花费 {cost(told['cost'], currency)}")
    return "　".join(parts)


def omission_text(told: Mapping[str, Any]) -> str:
    """Describe the stages that a total leaves out: `（有 2 步算不出花费）`; "" when none is left out."""
    left = [f"{told['uncounted']} 步没有词元数"] if 0 < told["uncounted"] < told["stages"] else []
    if told["cost"] is not None and told["unpriced"]:
        left.append(f"{told['unpriced']} 步算不出花费")
    return f"（有 {'，'.join(left)}）" if left else ""


def duration(milliseconds: int | None) -> str:
    """Return milliseconds as a person reads them: `1 小时 5 分`, `3 分 20 秒`, `8 秒`."""
    if milliseconds is None:
        return "用时未记"
    if milliseconds < _SECOND:
        return "不到 1 秒"
    minutes, seconds = divmod((milliseconds + 500) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} 小时 {minutes} 分"
    return f"{minutes} 分 {seconds} 秒" if minutes else f"{seconds} 秒"


def cost(amount: float, currency: str | None) -> str:
    return f"{amount:.2f} {currency}" if currency else f"{amount:.2f}"


def _count(amount: int | None) -> str:
    return "未记" if amount is None else f"{amount:,}"
