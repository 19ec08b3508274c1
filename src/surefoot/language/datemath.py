"""Arithmetic on days that the standard library leaves out."""

import calendar as _calendar
from datetime import date, datetime, timedelta


def monday_of(day: date) -> date:
    """The Monday of the week that holds ``day``."""
    return day - timedelta(days=day.weekday())


def weekend_of(monday: date) -> tuple[date, date]:
    """[Saturday, Monday) of the week that starts at ``monday``."""
    return monday + timedelta(days=5), monday + timedelta(days=7)


def month_start(day: date) -> date:
    """The first day of the month that holds ``day``."""
    return day.replace(day=1)


def add_months(day: date, months: int) -> date:
    """``day`` moved by whole months, kept inside the target month.

    Raises OverflowError outside the years 1 to 9999.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        raise OverflowError("the year lies outside the calendar")
    return date(year, month + 1, min(day.day, _calendar.monthrange(year, month + 1)[1]))


def add_months_to_moment(at: datetime, months: int) -> datetime:
    """``at`` moved by whole months, its time of day kept."""
    return datetime.combine(add_months(at.date(), months), at.timetz())
