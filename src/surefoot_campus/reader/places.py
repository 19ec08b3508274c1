"""Places a sentence can name: zones of the campus, buildings, rooms, and what one is near to."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

_NUMBER = r"[一二三四五六七八九十\d]{1,3}"
_LANDMARK = (
    rf"(?:[东南西北中]区)?(?:[A-Za-z]\d?座?楼|[A-Za-z]座|第?{_NUMBER}(?:号|教学|实验)?楼|[一二三四五六]教|教学楼|实验楼|主楼|行政楼|综合楼|图书馆|"
    r"宿舍楼?|寝室|操场|体育馆|体育场|大礼堂|校医院|[东南西北正]门|湖边|学生活动中心|工学院|理学院|文学院|商学院)"
)
_EN_END = (
    r"(?=[,.;!?]| (?:for|with|at|from|on|in|that|that's|where|tomorrow|today|tonight|and|please|which|then|around|"
    r"after|before)\b|$)"
)
_NEAR = (
    re.compile(rf"(?P<place>{_LANDMARK})(?:那边|那儿|这边)?(?:的)?(?:附近|旁边|边上|周边|周围|跟前|对面|近)"),
    re.compile(rf"(?:离|靠近|挨着|靠着?|邻近|临近)(?:我的?)?(?P<place>{_LANDMARK})"),
    re.compile(rf"(?:我(?:现在|正|就)?在|人在|从)(?P<place>{_LANDMARK})"),
    re.compile(
        rf"(?:上回|上次|在)?(?P<place>{_LANDMARK})(?:那个|的)?(?:那?个)?(?:小)?(?:房间|研讨间|自习室|讨论室|食堂|教室)"
    ),
    re.compile(
        rf"(?<![a-z])(?:near(?:by)?|close to|next to|beside|by|around|not far from|"
        rf"(?:near|clos)est(?: \w+){{0,2}} to)(?: to)? (?:the |my |"
        rf"our )?(?P<place>[a-z][a-z' ]{{1,30}}?(?: \d{{1,3}})?){_EN_END}",
        re.IGNORECASE,
    ),
)
_NO_PLACE = re.compile(
    r"^(?:me|here|there|it|that|this|by|us|room|one|now|noon|myself|\d+|mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE
)
NEARBY = re.compile(r"附近|(?<![a-z])(?:nearby|near here|around here|close by|near me)(?![a-z])", re.IGNORECASE)
_NOT = re.compile(
    r"(?:别|不要|不想|不去|不在|除了|避开|不喜欢)(?:给我|推荐?|去|在|选|要|"
    r"安排){0,3}$|(?:not|except|avoid|anywhere but)(?: in| the|"
    r" on){0,2} ?$",
    re.IGNORECASE,
)
_FALLBACK = re.compile(
    r"(?:没有|没有的话|实在不行|不行)(?:的话)?就?(?:去|在|找)?$|(?:otherwise|or else|if not)[, ]*$", re.IGNORECASE
)
_ROOM = re.compile(r"(?<![A-Za-z0-9])(?!BK)([A-Z]{1,3}-?\d{3,4}[A-Z]?)(?![A-Za-z0-9-])")
DEFAULT_ZONES: Mapping[str, tuple[str, ...]] = {
    "东区": ("east",), "南区": ("south",), "西区": ("west",), "北区": ("north",), "中区": ("central",)
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A place as named: ``name`` and its half-open span in the normalised text."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Places:
    """What a campus calls its places.

    ``zones`` maps a zone to its other names; ``landmarks`` maps each name of a building to the building's id.
    """

    zones: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: DEFAULT_ZONES)
    landmarks: Mapping[str, str] = field(default_factory=dict)

    def building(self, name: str) -> str | None:
        """Return the id of the one building that ``name`` means, exactly or in part; ``None`` if none or several."""
        wanted = name.casefold().strip()
        exact = {known.casefold(): ident for known, ident in self.landmarks.items()}
        if wanted in exact:
            return exact[wanted]
        found = {ident for known, ident in exact.items() if len(known) > 1 and (known in wanted or wanted in known)}
        return found.pop() if len(found) == 1 else None

    @cached_property
    def _zone_words(self) -> re.Pattern[str]:
        parts = []
        for number, (zone, others) in enumerate(self.zones.items()):
            names = [re.escape(zone)]
            if zone.endswith("区"):
                names.append(re.escape(zone[:-1]) + r"(?:校区|院|边儿?|侧)")
            for other in others:
                word = re.escape(other)
                kind = r"(?:zone|area|campus|side|district|part|quarter|section|wing)"
                ascii_name = rf"(?<![a-z])(?:{word}(?:ern)? {kind}|(?:in|on) the {word}(?! gate))(?![a-z])"
                names.append(ascii_name if other.isascii() else word)
            parts.append(f"(?P<z{number}>{'|'.join(names)})")
        return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)

    @cached_property
    def _landmark_words(self) -> re.Pattern[str] | None:
        names = sorted(filter(None, self.landmarks), key=len, reverse=True)
        if not names:
            return None
        words = (rf"(?<![a-z0-9]){re.escape(n)}(?![a-z0-9-])" if n.isascii() else re.escape(n) for n in names)
        return re.compile("|".join(words), re.IGNORECASE)

    def zones_in(self, text: str) -> Iterable[tuple[str, bool, Place]]:
        """Yield ``(zone, wanted, place)``; ``wanted`` is false where the zone is to be avoided."""
        names = tuple(self.zones)
        for match in self._zone_words.finditer(text):
            before = text[max(0, match.start() - 16) : match.start()]
            if _FALLBACK.search(before):
                continue
            zone = names[int((match.lastgroup or "z0")[1:])]
            yield zone, _NOT.search(before) is None, Place(zone, match.start(), match.end())

    def near_in(self, text: str) -> Place | None:
        """Return the place the person wants to be near to, if one is named."""
        for pattern in _NEAR:
            for match in pattern.finditer(text):
                if not _NO_PLACE.match(match["place"]):
                    return Place(match["place"].strip(), match.start("place"), match.end("place"))
        known = self._landmark_words.search(text) if self._landmark_words else None
        return Place(known[0], known.start(), known.end()) if known else None


def room_in(text: str) -> Place | None:
    """Return the room that is named by its number (A-203, B203), if one is."""
    match = _ROOM.search(text)
    return Place(match[1], match.start(), match.end()) if match else None
