"""Rules for the holidays that a calendar names."""

import re
from datetime import timedelta

from surefoot.language.calendar import Calendar
from surefoot.language.normalise import normalise
from surefoot.language.pieces import DaySpan
from surefoot.language.scanning import Build, RuleTable, Scan, rule, table


def holiday_rules(calendar: Calendar) -> RuleTable:
    """One rule for each holiday name of ``calendar``; 假期, 节 and "holiday" may follow it."""
    rules = []
    for name, (first, last) in calendar.holidays.items():
        folded = normalise(name).text.lower()
        if not folded:
            continue
        span = DaySpan(first, last + timedelta(days=1), "day", name)
        tail = r"(?![a-z])(?: (?:holidays?|break))?" if folded[-1].isascii() else "(?:假期|假|期间)?"
        rules.append(rule(folded[0], re.escape(folded) + tail, _always(span)))
    return table(rules)


def _always(span: DaySpan) -> Build:
    def build(_match: re.Match[str], _scan: Scan) -> DaySpan:
        return span

    return build
