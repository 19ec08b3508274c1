"""Prices per head and ratings in Chinese sentences about places to eat: ``50-100元``, ``评分4.5分以上``.

A figure belongs to the place that is named nearest behind it, else nearest before it: in "周边景点里评分4分以上的" the
rating is the sight's and not the restaurant's, and a ticket's price is nobody's dinner.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass

Span = tuple[int, int]

_NUMBER = r"\d{1,5}(?:\.\d)?"
_PRICE = re.compile(
    rf"(?:(?P<low>{_NUMBER}) ?[元块]?钱? ?(?:-|—|–|~|到|至) ?(?P<high>{_NUMBER}) ?[元块])"
    rf"|(?:(?:不超过|不高于|低于|少于|最多) ?(?P<most>{_NUMBER}) ?[元块])"
    rf"|(?:(?:不低于|高于|超过|至少) ?(?P<least>{_NUMBER}) ?[元块])"
    rf"|(?:(?P<only>{_NUMBER}) ?[元块]钱?(?:(?P<below>以下|以内|之内|一下|内)|(?P<above>及?以上|往上|起))?)"
)
_RATING = re.compile(
    r"(?:评分|打分|分数)[^，。,.；;？?！!\d]{0,8}(?P<after>\d(?:\.\d)?)(?! ?[元块小])"
    r"|(?P<before>\d(?:\.\d)?) ?分(?:以上)?的?评分"
    r"|(?<![\d.])(?P<least>\d(?:\.\d)?) ?分及?以上"
    r"|[个家要](?P<bare>\d(?:\.\d)?)分(?=[，,的好])"
)
_LABEL = re.compile(r"(?P<eating>人均)|(?P<other>门票|票价|房价|(?<!消费)价格)")
_PLACE = re.compile(
    r"(?P<eating>餐馆|餐厅|饭店|饭馆|馆子|饭庄|酒楼|小吃|用餐|吃饭|吃的|吃到|人均)"
    r"|(?P<other>(?:酒店|宾馆|旅馆|景点|景区)(?!周边|附近|周围|旁边)|游玩|游览)"
)
_NEAR = 8
_TOP = 5.0


@dataclass(frozen=True, slots=True)
class Price:
    """Yuan per head, both ends as said; ``None`` where there is none. ``span`` is half open."""

    low: float | None
    high: float | None
    span: Span

    def say(self) -> str:
        """Return it in the short usual form: ``50-100元``, ``50元以下``, ``1000元以上``."""
        if self.low is not None and self.high is not None:
            return f"{_short(self.low)}-{_short(self.high)}元"
        return f"{_short(self.low)}元以上" if self.low is not None else f"{_short(self.high or 0)}元以下"


@dataclass(frozen=True, slots=True)
class Rating:
    """The least rating that will do: who asks for 4.5 takes 4.6 too. ``span`` is half open."""

    least: float
    span: Span

    def say(self) -> str:
        """Return it in the short usual form: ``4.5分以上``; ``5分`` where nothing is above it."""
        return f"{_short(self.least)}分" if self.least >= _TOP else f"{_short(self.least)}分以上"


def prices(text: str) -> list[Price]:
    """Return the prices per head in ``text``, in order."""
    found, places = [], _Places(text)
    for match in _PRICE.finditer(text):
        price = _price(match)
        if price is not None and places.of_a_meal(match.span()):
            found.append(price)
    return found


def ratings(text: str) -> list[Rating]:
    """Return the ratings asked of a place to eat, in order."""
    found, places = [], _Places(text)
    for match in _RATING.finditer(text):
        value = float(next(group for group in match.groups() if group))
        if value <= _TOP and places.of_a_meal(match.span()):
            found.append(Rating(value, match.span()))
    return found


def _price(match: re.Match[str]) -> Price | None:
    span = match.span()
    if match["low"]:
        low, high = float(match["low"]), float(match["high"])
        return Price(low, high, span) if low <= high else None
    if match["most"] or match["below"]:
        return Price(None, float(match["most"] or match["only"]), span)
    if match["least"] or match["above"]:
        return Price(float(match["least"] or match["only"]), None, span)
    return None


class _Places:
    """Where places, labels and sentence ends stand in one text, found once: a long text is read in one pass."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places = [(match.start(), match["eating"] is not None) for match in _PLACE.finditer(text)]
        self._ends = [at for at, character in enumerate(text) if character in "。？?！!；;"]

    def of_a_meal(self, span: Span) -> bool:
        """Whether a figure is one of a place to eat: by its own label, the nearest place behind, else before it."""
        label = [*_LABEL.finditer(self._text, max(0, span[0] - _NEAR), span[0])]
        if label:
            return label[-1]["eating"] is not None
        end_at = bisect_left(self._ends, span[1])
        end = self._ends[end_at] if end_at < len(self._ends) else len(self._text)
        behind = bisect_left(self._places, (span[1], False))
        if behind < len(self._places) and self._places[behind][0] < end:
            return self._places[behind][1]
        before = bisect_left(self._places, (span[0], False)) - 1
        return before < 0 or self._places[before][1]


def _short(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)
