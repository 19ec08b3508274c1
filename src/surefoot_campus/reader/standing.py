"""Standing answers: given at once, and only when they cover the whole sentence."""

from datetime import date, datetime, timedelta

from surefoot.texts import Text
from surefoot_campus.reader.facts import Facts
from surefoot_campus.reader.topics import topics

_NOT_SET = Text("以学校通知为准", "see the university's notice")


def standing_answer(topic: str, facts: Facts, now: datetime) -> Text:
    """Return a topic's answer, the campus' own where it has one, with its placeholders filled."""
    answer = facts.answers.get(topic, topics()[topic].answer)
    return Text(_fill(answer.zh, facts, now, "zh"), _fill(answer.en, facts, now, "en"))


def _fill(words: str, facts: Facts, now: datetime, lang: str) -> str:
    calendar = facts.calendar
    last = calendar.term_start + timedelta(weeks=calendar.weeks, days=-1)
    values = {
        "term_start": calendar.term_start.isoformat(),
        "term_end": last.isoformat(),
        "weeks": str(calendar.weeks),
        "week": _week(facts, now.date(), lang),
        "holidays": _holidays(facts, lang),
        "periods": _periods(facts, lang),
        "canteens": _canteens(facts, lang),
        "ahead": str(facts.days_ahead) if facts.days_ahead is not None else _NOT_SET.say(lang),
    }
    return words.format(**values)


def _week(facts: Facts, today: date, lang: str) -> str:
    week = facts.calendar.week_of(today)
    if week is None:
        return ""
    return f"，今天在第 {week} 周" if lang == "zh" else f"; today is in week {week}"


def _holidays(facts: Facts, lang: str) -> str:
    named = [(name, span) for name, span in facts.calendar.holidays.items() if name.isascii() == (lang != "zh")]
    if not named:
        return Text("节假日安排以学校通知为准。", "Holidays are announced by the university.").say(lang)
    listed = [f"{name} {first.isoformat()}–{last.isoformat()}" for name, (first, last) in named]
    return f"放假：{'；'.join(listed)}。" if lang == "zh" else f"Holidays: {'; '.join(listed)}."


def _periods(facts: Facts, lang: str) -> str:
    name = "第 {} 节 " if lang == "zh" else "period {} "
    parts = [f"{name.format(p.number)}{p.start:%H:%M}–{p.end:%H:%M}" for p in facts.calendar.periods]
    return ("，" if lang == "zh" else ", ").join(parts)


def _canteens(facts: Facts, lang: str) -> str:
    if not facts.canteens:
        return Text("请看各食堂门口公告。", "see the notice at each canteen.").say(lang)
    stop, between = ("。", "；") if lang == "zh" else (".", "; ")
    return between.join(f"{name.say(lang)} {hours}" for name, hours in facts.canteens) + stop
