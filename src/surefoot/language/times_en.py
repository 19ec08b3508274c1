"""The English rules, gathered: what ``scanning`` needs to read English time expressions."""

from functools import cache

from surefoot.language import clocks_en, dates_en, holidays_en, spans_en, weeks_en
from surefoot.language.scanning import RuleTable, table


@cache
def rules() -> RuleTable:
    """All English rules by first character."""
    own = (*weeks_en.RULES, *spans_en.RULES, *dates_en.RULES, *holidays_en.RULES)
    return table((*own, *clocks_en.CLOCKS, *clocks_en.WORDS))


@cache
def inside_chinese() -> RuleTable:
    """The rules for English words inside a Chinese sentence; digits are left to the Chinese rules."""
    return {char: found for char, found in rules().items() if char.isalpha() and char.isascii()}
