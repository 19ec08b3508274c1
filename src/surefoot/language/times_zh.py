"""The Chinese rules, gathered: what ``scanning`` needs to read Chinese time expressions."""

from functools import cache

from surefoot.language import clocks_zh, dates_zh, spans_zh
from surefoot.language.scanning import RuleTable, table


@cache
def rules() -> RuleTable:
    """All Chinese rules by first character."""
    return table((*dates_zh.RULES, *spans_zh.RULES, *clocks_zh.CLOCKS, *clocks_zh.WORDS))
