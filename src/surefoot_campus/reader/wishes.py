"""Wishes: everything a sentence says of a room or a meal besides when. Guesses nothing."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from surefoot.language.calendar import Calendar
from surefoot.language.lengths import Duration, read_durations
from surefoot.language.numerals import NotANumber, read_count
from surefoot.language.people import read_party_size
from surefoot_campus.reader.cues import compiled, load, says
from surefoot_campus.reader.places import Places, room_in
from surefoot_campus.reader.reading import Found

_N = r"(?:\d{1,4}|[一二两三四五六七八九十百]{1,5})"
_MONEY = r"(?:元|块钱?|rmb|yuan|kuai)"
_PRICE = (
    re.compile(rf"(?P<n>{_N}) ?{_MONEY}(?:钱)?(?:以内|以下|之内|封顶|左右以内|内|or less|max)", re.IGNORECASE),
    re.compile(rf"(?:不超过|别超过|不要超过|低于|少于|最多|控制在|预算) ?(?P<n>{_N}) ?{_MONEY}", re.IGNORECASE),
    re.compile(
        rf"(?:under|below|less than|at most|up to|within|max|no more than|cheaper than|budget(?: of| is| around|:)?)"
        rf" ?(?:¥|rmb|￥)? ?(?P<n>\d{{1,4}}) ?{_MONEY}",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:under|below|less than|at most|up to|within|max|no more than) ?(?:¥|￥|\$) ?(?P<n>\d{1,4})", re.IGNORECASE
    ),
    re.compile(rf"(?P<n>{_N})(?:以内|以下|之内)(?!走|到)"),
)
_WALK_AROUND = (
    re.compile(
        r"(?:走路?|步行|路程|脚程)[^，,。]{0,8}$|(?:能走|"
        r"walk(?:ing)?(?: time| distance)?(?: of| under| within| less than|"
        r" max| at most| no more than| for| is| up to)*) ?$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:之?内|以内)?(?:就能|能|可以)?(?:走|步行|路程|脚程|的路)|^'?s? ?-?(?:walk|on foot|walking|away)",
        re.IGNORECASE,
    ),
)
_OFFSET = re.compile(r"^(?:之后|以后|后|前|之前|以前|内(?!走)|里| later| from now| ago)")
_BEFORE_OFFSET = re.compile(
    r"(?:(?<![a-z])(?:in|within|next|every|first) (?:about )?|提前|每隔?|过了?|再过)$", re.IGNORECASE
)
_ALONE = re.compile(
    r"(?:我|就我)?(?:自己|一个人|独自)(?:一个人)?(?:看书|学习?|自习|复习|用|待|呆|"
    r"刷)|单间|单人|没人打扰|(?<![a-z])(?:by myself|on my own|"
    r"alone|just me|solo)(?![a-z])",
    re.IGNORECASE,
)
_TWO = re.compile(
    r"我(?:和|跟|与)(?:我)?(?:一个)?(?:室友|同学|朋友|队友|对象|女朋友|男朋友|学长|学姐|同桌|舍友|搭档|闺蜜|学妹|"
    r"学弟)(?!们)(?![^，,。]{0,3}[一二两三四五六七八九十\d])|(?:带|陪)[他她]|"
    r"(?<![a-z])(?:me and (?:my|a) (?:friend|roommate|classmate|teammate|partner)|with (?:a|my) (?:friend|"
    r"roommate|classmate|partner))(?![a-z])",
    re.IGNORECASE,
)
_BESIDES_ME = re.compile(r"(?<!我)(?:和|跟|与|约|叫|拉|喊)(?:了|上|着)?$|(?:和|跟|与)(?:另外|其他)$")
_OTHERS = re.compile(r"(?:另外|其他)$")
_HEADS = re.compile(rf"人数(?:是|为|大概|大约|:| )?(?P<n>{_N})")
_MATES = re.compile(r"同学|室友|朋友|队友|组员|舍友|学生|伙伴")
_TOTAL = re.compile(r"(?:总共|一共|共|in total|altogether|total of)[^，,。]{0,3}$", re.IGNORECASE)
_CAPACITY = re.compile(
    r"(?:能|可|够|可以|要)?(?:坐|装|容纳|容|放)(?:得下|下|个)? ?$|(?:seats?|seating|capacity (?:of|for)|fits?|hold(?:s|"
    r"ing)?)(?: for| at least)? ?$",
    re.IGNORECASE,
)
_BARE_CAPACITY = re.compile(rf"(?:坐|装|容纳|容)(?:得下|下)? ?(?P<n>{_N})(?:个|人)?")


def wishes(text: str, calendar: Calendar, places: Places) -> dict[str, Found]:
    """Return the slots of ``text`` that are not times: who, where, with what, what to eat, at what price."""
    slots: dict[str, Found] = dict(_coded(text))
    slots |= _where(text, places)
    slots |= _how_many(text)
    slots |= _price(text)
    walks, lengths = _lengths(text, calendar)
    if walks:
        slots["max_walk_min"] = Found(walks[0].minutes, (walks[0].start, walks[0].end))
    if lengths:
        slots["duration_min"] = Found(lengths[0].minutes, (lengths[0].start, lengths[0].end))
    return slots


@cache
def _codes() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    words = load("wishes.yaml")
    return {
        slot: {code: compiled(entry) for code, entry in words[slot].items()} for slot in ("equipment", "taste", "diet")
    }


@cache
def _single(name: str) -> re.Pattern[str]:
    return compiled(load("wishes.yaml")[name])


@cache
def _unwanted() -> re.Pattern[str]:
    entry = load("wishes.yaml")["taste_not"]
    return re.compile("|".join([*entry["zh"], *entry["en"]]), re.IGNORECASE)


def _coded(text: str) -> Iterator[tuple[str, Found]]:
    for slot in ("equipment", "diet"):
        found = [(m.start(), m.end(), code) for code, p in _codes()[slot].items() for m in [p.search(text)] if m]
        wanted = [item for item in found if slot == "diet" or not _refused(text, item[0])]
        if wanted:
            yield slot, Found([code for _, _, code in sorted(wanted)], (min(wanted)[0], min(wanted)[1]))
    yield from _tastes(text)
    crowd = _single("crowd").search(text)
    if crowd:
        yield "crowd", Found("low", crowd.span())


def _tastes(text: str) -> Iterator[tuple[str, Found]]:
    wanted: list[tuple[int, int, str]] = []
    unwanted: list[tuple[int, int, str]] = []
    for code, pattern in _codes()["taste"].items():
        for match in pattern.finditer(text):
            refused = _unwanted().search(text[max(0, match.start() - 14) : match.start()])
            (unwanted if refused else wanted).append((match.start(), match.end(), code))
            break
    if any(code not in ("清淡", "小吃") for _, _, code in wanted):
        # a named cuisine says more than "light" beside it
        wanted = [item for item in wanted if item[2] not in ("清淡", "小吃")]
    for slot, items in (("taste", wanted), ("taste_not", unwanted)):
        if items:
            yield slot, Found([code for _, _, code in sorted(items)], (min(items)[0], min(items)[1]))


def _refused(text: str, at: int) -> bool:
    before = text[max(0, at - 8) : at]
    return bool(
        re.search(r"(?:不用|不要|不需要|无需|没有?也行|别)[^，,。]{0,2}$|(?:no|without|not need)(?: an?)? $", before)
    )


def _where(text: str, places: Places) -> Iterator[tuple[str, Found]]:
    slots: dict[str, Found] = {}
    for zone, wanted, place in places.zones_in(text):
        slots.setdefault("zone" if wanted else "zone_not", Found(zone, (place.start, place.end)))
    near = places.near_in(text)
    if near is not None:
        slots["near"] = Found(near.name, (near.start, near.end))
    room = room_in(text)
    if room is not None and not says("cancel", text):
        slots["room"] = Found(room.name, (room.start, room.end))
        slots.pop("near", None)
    yield from slots.items()


def _how_many(text: str) -> Iterator[tuple[str, Found]]:
    sizes = read_party_size(text)
    total = [size for size in sizes if _TOTAL.search(text[max(0, size.start - 8) : size.start])]
    capacity = next((s for s in sizes if s.capacity or _CAPACITY.search(text[max(0, s.start - 8) : s.start])), None)
    people = next((size for size in (*total, *sizes) if size is not capacity and not size.capacity), None)
    if capacity is not None:
        yield "capacity_min", Found(capacity.high, (capacity.start, capacity.end))
    else:
        bare = _BARE_CAPACITY.search(text)
        if bare:
            yield "capacity_min", Found(_count(bare["n"]), bare.span())
            people = None if people and bare.start() <= people.start < bare.end() else people
    if people is not None:
        extra = (
            1
            if _BESIDES_ME.search(text[max(0, people.start - 4) : people.start])
            and (_MATES.search(people.text) or _OTHERS.search(text[: people.start]))
            else 0
        )
        yield "party_size", Found(people.high + extra, (people.start, people.end))
    elif capacity is None:
        yield from _implied_size(text)


def _implied_size(text: str) -> Iterator[tuple[str, Found]]:
    heads = _HEADS.search(text)
    if heads:
        yield "party_size", Found(_count(heads["n"]), heads.span())
        return
    for pattern, size in ((_ALONE, 1), (_TWO, 2)):
        match = pattern.search(text)
        if match:
            yield "party_size", Found(size, match.span())
            return


def _price(text: str) -> Iterator[tuple[str, Found]]:
    for pattern in _PRICE:
        match = pattern.search(text)
        if match:
            try:
                yield "price_max", Found(read_count(match["n"]), match.span())
            except NotANumber:
                continue
            return


def _count(words: str) -> int:
    try:
        return read_count(words)
    except NotANumber:
        return 1


def _lengths(text: str, calendar: Calendar) -> tuple[list[Duration], list[Duration]]:
    """Return the lengths of a walk, and the lengths of a stay."""
    walks, stays = [], []
    for length in read_durations(text, calendar=calendar):
        before, after = text[max(0, length.start - 14) : length.start], text[length.end : length.end + 12]
        if _WALK_AROUND[0].search(before) or _WALK_AROUND[1].search(after):
            walks.append(length)
        elif not _OFFSET.search(after) and not _BEFORE_OFFSET.search(before):
            stays.append(length)
    return walks, stays
