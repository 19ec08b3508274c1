"""Week strings of timetables, as schools really export them, to week numbers."""

import re
import unicodedata

_NOISE = re.compile(r"[\[\]{}第周\s]+")
_PIECE = re.compile(r"(\d{1,2})(?:-(\d{1,2}))?([单双每]?)")
_PARITY = {"单": 1, "双": 0}


def parse_weeks(text: str, last: int) -> list[int] | None:
    """Return the weeks of ``1-3周(单),4-10周`` and the like, sorted; ``None`` when any part cannot be read.

    ``last`` is the term's last week, for 全周, 单周, 双周. ``None`` means unknown: count it as busy, never as free.
    A reversed range (``4-1``) is read as if it were written the right way round.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    whole = {"全周": range(1, last + 1), "单周": range(1, last + 1, 2), "双周": range(2, last + 1, 2)}
    if plain in whole:
        return list(whole[plain])
    plain = plain.replace("单周", "单").replace("双周", "双").replace("每周", "每")
    plain = re.sub(r"[~至—–―－]", "-", plain).replace("、", ",").replace("，", ",").replace("|", "")
    plain = re.sub(r"[()]", "", plain)
    plain = re.sub(r"(?<=[\d周单双])\s+(?=\d)", ",", plain)
    weeks: set[int] = set()
    for piece in plain.split(","):
        match = _PIECE.fullmatch(_NOISE.sub("", piece))
        if match is None:
            return None
        first, final = int(match[1]), int(match[2] or match[1])
        span = range(min(first, final), max(first, final) + 1)
        weeks |= {week for week in span if match[3] not in _PARITY or week % 2 == _PARITY[match[3]]}
    return sorted(week for week in weeks if week >= 1) or None
