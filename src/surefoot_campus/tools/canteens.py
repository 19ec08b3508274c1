"""Recommending a canteen: what it will be like at arrival, with reasons."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from surefoot.contracts import ToolContext
from surefoot.errors import BusinessEmpty, BusinessRefused
from surefoot.texts import Text
from surefoot_campus.crowding import Forecast, forecast, usual
from surefoot_campus.hours import at_clock, campus_closed
from surefoot_campus.timetable import local
from surefoot_campus.walking import building_of, minutes_between, zone_id

WEIGHTS = {"crowd": 0.3, "distance": 0.25, "taste": 0.2, "rating": 0.2, "price": 0.05}
CROWD_MATTERS = 0.5
PRIOR_RATING, PRIOR_COUNT = 4.0, 100
FAR_MINUTES = 20.0
DEAR = 30.0
LAST_ORDERS = timedelta(minutes=10)
MOST, MOST_ALTERNATIVES = 5, 4
NO_COUNT = Text("没有实时人流数据，按平日同一时段估计", "no live head count; estimated from what is usual at this time")
Record = dict[str, Any]
Crowding = Callable[[str, datetime], Forecast]
"""How full a canteen (by id) will be at a moment."""


@dataclass(frozen=True)
class Wish:
    """What a canteen should be like. ``leave`` is when the walk from ``origin`` (a building) begins."""

    leave: datetime
    origin: str | None
    zone: str | None
    quiet: bool
    taste: tuple[str, ...]
    taste_not: tuple[str, ...]
    diet: tuple[str, ...]
    price_max: float | None
    max_walk_min: int | None


async def recommend_canteen(
    arrive: str,
    near: str | None = None,
    zone: str | None = None,
    crowd: str | None = None,
    taste: list[str] | None = None,
    taste_not: list[str] | None = None,
    diet: list[str] | None = None,
    price_max: float | None = None,
    max_walk_min: int | None = None,
    *,
    ctx: ToolContext,
) -> Record:
    """Return open canteens, best first, each with its score and reasons.

    Raises:
        BusinessRefused: there is no such zone or place, or the campus is closed.
        BusinessEmpty: none that fits is open then; ``details.alternatives`` say when or what would do.
    """
    profile = await ctx.systems.profile()
    wish = _wish(profile, arrive, near, zone, crowd, taste, taste_not, diet, price_max, max_walk_min)
    counts, now = await ctx.systems.crowding(), ctx.now.astimezone(wish.leave.tzinfo)
    return _ranked(
        profile, wish, arrive, lambda canteen, there: forecast(profile, counts, canteen, there=there, now=now)
    )


async def list_canteens(
    arrive: str,
    near: str | None = None,
    zone: str | None = None,
    crowd: str | None = None,
    taste: list[str] | None = None,
    taste_not: list[str] | None = None,
    diet: list[str] | None = None,
    price_max: float | None = None,
    max_walk_min: int | None = None,
    *,
    ctx: ToolContext,
) -> Record:
    """Do the same without live head counts, for when they cannot be had; each reason list says so.

    Raises:
        BusinessRefused, BusinessEmpty: as :func:`recommend_canteen`.
    """
    profile = await ctx.systems.profile()
    wish = _wish(profile, arrive, near, zone, crowd, taste, taste_not, diet, price_max, max_walk_min)
    return _ranked(profile, wish, arrive, lambda canteen, there: Forecast(usual(profile, canteen, there), NO_COUNT))


def _wish(
    profile: Record,
    arrive: str,
    near: str | None,
    zone: str | None,
    crowd: str | None,
    taste: list[str] | None,
    taste_not: list[str] | None,
    diet: list[str] | None,
    price_max: float | None,
    max_walk_min: int | None,
) -> Wish:
    leave = local(profile, arrive)
    known, origin = zone_id(profile, zone), building_of(profile, near)
    if zone is not None and known is None:
        zones = profile["zones"]
        raise BusinessRefused(
            Text(
                f"没有“{zone}”，校区有：{'、'.join(item['id'] for item in zones)}。",
                f"No zone {zone!r}; there are {', '.join(item['en'] for item in zones)}.",
            )
        )
    if near is not None and origin is None:
        raise BusinessRefused(Text(f"校园里没有找到“{near}”。", f"There is no place called {near!r} on this campus."))
    closed = campus_closed(profile, (leave, leave + timedelta(minutes=1)))
    if closed is not None:
        raise BusinessRefused(closed)
    words = [tuple(value or ()) for value in (taste, taste_not, diet)]
    return Wish(leave, origin, known, crowd == "low", words[0], words[1], words[2], price_max, max_walk_min)


def _ranked(profile: Record, wish: Wish, arrive: str, crowding: Crowding) -> Record:
    scored = [
        _scored(canteen, building, walk, closes, crowding(canteen["canteen_id"], _there(wish, walk)), wish)
        for canteen, building, walk, closes in _open(profile, wish)
    ]
    if not scored:
        raise BusinessEmpty(_none_open(wish), details={"alternatives": _alternatives(profile, wish)})
    scored.sort(key=lambda item: (-item["score"], item["canteen_id"]))
    return {"arrive": arrive, "canteens": scored[:MOST]}


def _open(profile: Record, wish: Wish) -> list[tuple[Record, Record, int | None, datetime]]:
    """Return the canteens that fit and are open on arrival: canteen, building, walking minutes, closing time."""
    found = []
    for canteen, building, walk in _walks(profile, wish):
        closes = _closes(profile, canteen, _there(wish, walk))
        if closes is not None and _allowed(canteen, building, walk, wish):
            found.append((canteen, building, walk, closes))
    return found


def _walks(profile: Record, wish: Wish) -> Iterator[tuple[Record, Record, int | None]]:
    buildings = {building["id"]: building for building in profile["buildings"]}
    for canteen in profile["canteens"]:
        walk = minutes_between(profile, wish.origin, canteen["building"]) if wish.origin else None
        yield canteen, buildings[canteen["building"]], walk


def _there(wish: Wish, walk: int | None) -> datetime:
    return wish.leave + timedelta(minutes=walk or 0)


def _closes(profile: Record, canteen: Record, there: datetime) -> datetime | None:
    """Return when the sitting that is open at ``there`` ends; windows may run past midnight."""
    zone = ZoneInfo(profile["timezone"])
    for day in (there.date(), there.date() - timedelta(days=1)):
        for opens, closes in canteen["hours"]:
            start, end = at_clock(day, opens, zone), at_clock(day, closes, zone)
            end = end if end > start else end + timedelta(days=1)
            if start <= there < end - LAST_ORDERS:
                return end
    return None


def _allowed(canteen: Record, building: Record, walk: int | None, wish: Wish) -> bool:
    unwanted = canteen["taste"] and set(canteen["taste"]) <= set(wish.taste_not)
    return (
        set(wish.diet) <= set(canteen["diet"])
        and (wish.zone is None or building["zone"] == wish.zone)
        and (wish.price_max is None or canteen["price"] <= wish.price_max)
        and (wish.max_walk_min is None or walk is None or walk <= wish.max_walk_min)
        and not unwanted
    )


def _scored(
    canteen: Record,
    building: Record,
    walk: int | None,
    closes: datetime,
    expected: Forecast,
    wish: Wish,
) -> Record:
    rating = (PRIOR_RATING * PRIOR_COUNT + canteen["rating"] * canteen["ratings"]) / (PRIOR_COUNT + canteen["ratings"])
    parts = {
        "crowd": 1 - expected.level,
        "distance": 1 - min((walk or 0) / FAR_MINUTES, 1.0),
        "taste": len(set(wish.taste) & set(canteen["taste"])) / len(wish.taste) if wish.taste else 0.5,
        "rating": (rating - 3) / 2,
        "price": 1 - min(canteen["price"] / DEAR, 1.0),
    }
    weights = {**WEIGHTS, "crowd": CROWD_MATTERS} if wish.quiet else WEIGHTS
    contributions = {name: round(weights[name] * value, 4) for name, value in parts.items()}
    return {
        "canteen_id": canteen["canteen_id"],
        "name": canteen["name"],
        "zone": building["zone"],
        "building": building["id"],
        "arrive": _there(wish, walk).isoformat(),
        "walk_min": walk,
        "crowding": expected.level,
        "rating": canteen["rating"],
        "price": canteen["price"],
        "closes": closes.isoformat(),
        "score": round(sum(contributions.values()), 4),
        "contributions": contributions,
        "reasons": _reasons(canteen, walk, expected, wish.taste, closes),
    }


def _reasons(
    canteen: Record, walk: int | None, expected: Forecast, taste: tuple[str, ...], closes: datetime
) -> list[dict[str, str]]:
    level = expected.level
    zh = "人少" if level < 0.4 else "人不算多" if level < 0.7 else "人较多"
    en = "quiet" if level < 0.4 else "moderately busy" if level < 0.7 else "busy"
    reasons = [Text(f"预计到达时{zh}（上座约 {level:.0%}）", f"{en} at arrival (about {level:.0%} full)")]
    if expected.note is not None:
        reasons.append(expected.note)
    if walk is not None:
        reasons.append(Text(f"步行 {walk} 分钟", f"{walk} min on foot"))
    rating, ratings = canteen["rating"], canteen["ratings"]
    reasons.append(Text(f"评分 {rating}（{ratings} 人）", f"rated {rating} by {ratings}"))
    liked = [word for word in taste if word in canteen["taste"]]
    if liked:
        reasons.append(Text(f"有{'、'.join(liked)}", f"serves {', '.join(liked)}"))
    reasons.append(Text(f"营业到 {closes:%H:%M}", f"open until {closes:%H:%M}"))
    return [reason.to_json() for reason in reasons]


def _none_open(wish: Wish) -> Text:
    diet, clock = wish.diet, f"{wish.leave:%H:%M}"
    return Text(
        f"{clock} 没有符合要求的{'、'.join(diet)}食堂在营业。",
        f"No canteen that fits{' (' + ', '.join(diet) + ')' if diet else ''} is open at {clock}.",
    )


def _alternatives(profile: Record, wish: Wish) -> list[Record]:
    """Return what would do instead: a wish less (never the diet), or a time at which one that fits opens."""
    return [*_with_less(profile, wish), *_later(profile, wish)][:MOST_ALTERNATIVES]


def _with_less(profile: Record, wish: Wish) -> list[Record]:
    eased: list[tuple[str, Any, Text]] = [
        ("zone", wish.zone, Text("不限校区", "in any zone")),
        ("price_max", wish.price_max, Text("不限价格", "at any price")),
        ("max_walk_min", wish.max_walk_min, Text("走远一点", "a longer walk")),
        ("taste_not", wish.taste_not or None, Text("不排除口味", "with any taste")),
    ]
    found = []
    for name, value, label in eased:
        without = replace(wish, **{name: () if name == "taste_not" else None})  # type: ignore[arg-type]
        if value is not None and _open(profile, without):
            found.append({"label": label.to_json(), "changes": {name: None}})
    return found


def _later(profile: Record, wish: Wish) -> list[Record]:
    """Return the next times, today or else the next day, at which a canteen opens that fits."""
    suitable = [canteen for canteen, building, walk in _walks(profile, wish) if _allowed(canteen, building, walk, wish)]
    zone, today = ZoneInfo(profile["timezone"]), wish.leave.date()
    starts = {
        at_clock(day, opens, zone)
        for canteen in suitable
        for opens, _ in canteen["hours"]
        for day in (today, today + timedelta(days=1))
    }
    coming = sorted(start for start in starts if start > wish.leave)
    same_day = [start for start in coming if start.date() == today]
    return [_at(start, today) for start in (same_day or coming[:1])[:2]]


def _at(start: datetime, today: date) -> Record:
    day = Text("", "") if start.date() == today else Text(f"{start:%m月%d日} ", f" on {start:%d %b}")
    label = Text(f"{day.zh}{start:%H:%M} 有食堂开门", f"canteens open at {start:%H:%M}{day.en}")
    return {"label": label.to_json(), "changes": {"meal_start": start.isoformat()}}
