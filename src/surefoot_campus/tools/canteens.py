"""Recommending a canteen: what it will be like at arrival, with reasons."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from surefoot.contracts import ToolContext
from surefoot.errors import BusinessEmpty
from surefoot.texts import Text
from surefoot_campus.hours import at_clock
from surefoot_campus.walking import building_of, minutes_between, zone_id

WEIGHTS = {"crowd": 0.3, "distance": 0.25, "taste": 0.2, "rating": 0.2, "price": 0.05}
CROWD_MATTERS = 0.5
PRIOR_RATING, PRIOR_COUNT = 4.0, 100
FAR_MINUTES = 20.0
DEAR = 30.0
UNKNOWN_CROWD = 0.5


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
) -> dict[str, Any]:
    """Return open canteens, best first, each with its score and reasons."""
    return await _ranked(
        ctx, arrive, near, zone, crowd, taste or [], taste_not or [], diet or [], price_max, max_walk_min, forecast=True
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
) -> dict[str, Any]:
    """Return open canteens without a crowding forecast, for when that cannot be had; says so."""
    return await _ranked(
        ctx,
        arrive,
        near,
        zone,
        crowd,
        taste or [],
        taste_not or [],
        diet or [],
        price_max,
        max_walk_min,
        forecast=False,
    )


async def _ranked(
    ctx: ToolContext,
    arrive: str,
    near: str | None,
    zone: str | None,
    crowd: str | None,
    taste: list[str],
    taste_not: list[str],
    diet: list[str],
    price_max: float | None,
    max_walk_min: int | None,
    *,
    forecast: bool,
) -> dict[str, Any]:
    profile = await ctx.systems.profile()
    leave = datetime.fromisoformat(arrive)
    origin = building_of(profile, near)
    wanted_zone = zone_id(profile, zone)
    scored = []
    for canteen in profile["canteens"]:
        building = next(b for b in profile["buildings"] if b["id"] == canteen["building"])
        walk = minutes_between(profile, origin, building["id"]) if origin else None
        there = leave + timedelta(minutes=walk or 0)
        closes = _closes(profile, canteen, there)
        if closes is None or not _allowed(canteen, building, wanted_zone, diet, taste_not, price_max):
            continue
        if max_walk_min is not None and walk is not None and walk > max_walk_min:
            continue
        level = _crowding(profile, canteen["canteen_id"], there) if forecast else None
        scored.append(_scored(canteen, building, there, closes, walk, level, taste, crowd))
    if not scored:
        raise BusinessEmpty(_nobody(leave, diet), details={"alternatives": _later(profile, leave)})
    scored.sort(key=lambda item: (-item["score"], item["canteen_id"]))
    return {"arrive": arrive, "canteens": scored[:5]}


def _closes(profile: dict[str, Any], canteen: dict[str, Any], there: datetime) -> datetime | None:
    """Return when the sitting that is open at ``there`` ends; windows may run past midnight."""
    zone = ZoneInfo(profile["timezone"])
    for day in (there.date(), there.date() - timedelta(days=1)):
        for opens, closes in canteen["hours"]:
            start, end = at_clock(day, opens, zone), at_clock(day, closes, zone)
            end = end if end > start else end + timedelta(days=1)
            if start <= there < end - timedelta(minutes=10):
                return end
    return None


def _allowed(
    canteen: dict[str, Any],
    building: dict[str, Any],
    zone: str | None,
    diet: list[str],
    taste_not: list[str],
    price_max: float | None,
) -> bool:
    return (
        set(diet) <= set(canteen["diet"])
        and (zone is None or building["zone"] == zone)
        and (price_max is None or canteen["price"] <= price_max)
        and not (canteen["taste"] and set(canteen["taste"]) <= set(taste_not))
    )


def _crowding(profile: dict[str, Any], canteen_id: str, there: datetime) -> float:
    clock = f"{there:%H:%M}"
    for name, start, end, level in profile["crowding"]:
        if name == canteen_id and start <= clock < end:
            return float(level)
    return UNKNOWN_CROWD


def _scored(
    canteen: dict[str, Any],
    building: dict[str, Any],
    there: datetime,
    closes: datetime,
    walk: int | None,
    level: float | None,
    taste: list[str],
    crowd: str | None,
) -> dict[str, Any]:
    rating = (PRIOR_RATING * PRIOR_COUNT + canteen["rating"] * canteen["ratings"]) / (PRIOR_COUNT + canteen["ratings"])
    parts = {
        "crowd": 1 - (UNKNOWN_CROWD if level is None else level),
        "distance": 1 - min((walk or 0) / FAR_MINUTES, 1.0),
        "taste": len(set(taste) & set(canteen["taste"])) / len(taste) if taste else 0.5,
        "rating": (rating - 3) / 2,
        "price": 1 - min(canteen["price"] / DEAR, 1.0),
    }
    weights = {**WEIGHTS, "crowd": CROWD_MATTERS} if crowd == "low" else WEIGHTS
    contributions = {name: round(weights[name] * value, 4) for name, value in parts.items()}
    return {
        "canteen_id": canteen["canteen_id"],
        "name": canteen["name"],
        "zone": building["zone"],
        "building": building["id"],
        "arrive": there.isoformat(),
        "walk_min": walk,
        "crowding": level,
        "rating": canteen["rating"],
        "price": canteen["price"],
        "closes": closes.isoformat(),
        "score": round(sum(contributions.values()), 4),
        "contributions": contributions,
        "reasons": _reasons(canteen, walk, level, taste, closes),
    }


def _reasons(
    canteen: dict[str, Any], walk: int | None, level: float | None, taste: list[str], closes: datetime
) -> list[dict[str, str]]:
    if level is None:
        reasons = [{"zh": "暂时查不到人流预测", "en": "no crowding forecast right now"}]
    else:
        zh = "人少" if level < 0.4 else "人不算多" if level < 0.7 else "人较多"
        en = "quiet" if level < 0.4 else "moderately busy" if level < 0.7 else "busy"
        percent = f"{level:.0%}"
        reasons = [{"zh": f"预计到达时{zh}（上座约 {percent}）", "en": f"{en} at arrival (about {percent} full)"}]
    if walk is not None:
        reasons.append({"zh": f"步行 {walk} 分钟", "en": f"{walk} min on foot"})
    reasons.append(
        {
            "zh": f"评分 {canteen['rating']}（{canteen['ratings']} 人）",
            "en": f"rated {canteen['rating']} by {canteen['ratings']}",
        }
    )
    liked = [word for word in taste if word in canteen["taste"]]
    if liked:
        reasons.append({"zh": f"有{'、'.join(liked)}", "en": f"serves {', '.join(liked)}"})
    return [*reasons, {"zh": f"营业到 {closes:%H:%M}", "en": f"open until {closes:%H:%M}"}]


def _nobody(leave: datetime, diet: list[str]) -> Text:
    kind = "、".join(diet)
    return Text(
        f"{leave:%H:%M} 没有符合要求的{kind}食堂在营业。",
        f"No canteen that fits{' (' + ', '.join(diet) + ')' if diet else ''} is open at {leave:%H:%M}.",
    )


def _later(profile: dict[str, Any], leave: datetime) -> list[dict[str, Any]]:
    zone = ZoneInfo(profile["timezone"])
    starts = sorted(
        {at_clock(leave.date(), opens, zone) for canteen in profile["canteens"] for opens, _ in canteen["hours"]}
    )
    return [
        {
            "label": {"zh": f"{start:%H:%M} 有食堂开门", "en": f"canteens open at {start:%H:%M}"},
            "changes": {"meal_start": start.isoformat()},
        }
        for start in starts
        if start > leave
    ][:2]
