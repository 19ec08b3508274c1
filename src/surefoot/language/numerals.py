"""Numbers written in words, read on spans that are already known to be numbers.

Nothing here searches a sentence: 一起, 下周三 and 三四个人 are full of digits that count nothing.
"""

ZH_DIGITS = "零〇一二两三四五六七八九十百千廿卅俩仨"

_ZH = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3}
_ZH_UNITS = {"十": 10, "百": 100, "千": 1000}
_EN = {
    word: number
    for number, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
            *("eighteen", "nineteen"),
        )
    )
} | {"a": 1, "an": 1, "couple": 2, "half": 0.5, "dozen": 12}
_EN_TENS = {
    word: (number + 2) * 10
    for number, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"))
}
_EN_ORDINALS = {
    word: number + 1
    for number, word in enumerate(
        (
            *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
            *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
            *("seventeenth", "eighteenth", "nineteenth"),
        )
    )
} | {"twentieth": 20, "thirtieth": 30}


class NotANumber(ValueError):
    """The span does not spell a number."""


def read_number(span: str) -> float:
    """The number that ``span`` spells, in digits, Chinese or English ("12", "三十五", "半", "twenty one").

    An int where it is whole. Raises NotANumber.
    """
    text = span.strip().lower()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text) if "." in text else int(text)
    if text.isascii():
        return _read_english(text)
    return _read_chinese(text)


def read_count(span: str) -> int:
    """As ``read_number`` for what must be whole. Raises NotANumber for a fraction."""
    number = read_number(span)
    if number != int(number):
        raise NotANumber(f"{span!r} is no whole number")
    return int(number)


def _read_chinese(text: str) -> float:
    if text == "半":
        return 0.5
    if text.isdigit() and not all(c in _ZH for c in text):
        return int(text)
    if text and all(c in _ZH for c in text):
        # 二零二六 spells its digits; a lone digit is the same case.
        return int("".join(str(_ZH[c]) for c in text))
    total, digit, last_unit = 0, 0, 10_000
    for char in text.replace("廿", "二十").replace("卅", "三十"):
        if char in _ZH_UNITS:
            unit = _ZH_UNITS[char]
            if unit >= last_unit:
                raise NotANumber(f"{text!r} is no Chinese number")
            total += (digit or 1) * unit
            digit, last_unit = 0, unit
        elif char in _ZH and (not digit):
            digit = _ZH[char]
        else:
            raise NotANumber(f"{text!r} is no Chinese number")
    if not text:
        raise NotANumber("an empty span spells no number")
    return total + digit


def _read_english(text: str) -> float:
    words = [w for w in text.replace("-", " ").split() if w != "and"]
    if len(words) == 1 and words[0] in _EN:
        return _EN[words[0]]
    if "thousand" in words:
        at = words.index("thousand")
        return _tens(words[:at]) * 1000 + (_read_english(" ".join(words[at + 1 :])) if words[at + 1 :] else 0)
    if "hundred" in words:
        at = words.index("hundred")
        return _tens(words[:at]) * 100 + (_tens(words[at + 1 :]) if words[at + 1 :] else 0)
    if len(words) in (2, 3) and (words[0] == "twenty" or _is_teen(words[0])) and _starts_two_digits(words[1]):
        return _tens(words[:1]) * 100 + _tens(words[1:])
    return _tens(words)


def _is_teen(word: str) -> bool:
    return 10 <= _EN.get(word, 0) < 20


def _starts_two_digits(word: str) -> bool:
    return word in _EN_TENS or _is_teen(word)


def _tens(words: list[str]) -> float:
    if len(words) == 1 and (words[0] in _EN or words[0] in _EN_TENS):
        return _EN.get(words[0]) or _EN_TENS.get(words[0], 0)
    if len(words) == 2 and words[0] in _EN_TENS and 1 <= _EN.get(words[1], 0) <= 9:
        return _EN_TENS[words[0]] + _EN[words[1]]
    raise NotANumber(f"{' '.join(words)!r} is no English number")


def read_ordinal(span: str) -> int:
    """The rank that ``span`` spells ("third", "21st", "twenty first", "第三"). Raises NotANumber."""
    text = span.strip().lower().replace("-", " ")
    if text.startswith("第"):
        return read_count(text[1:])
    for suffix in ("st", "nd", "rd", "th"):
        if text.endswith(suffix) and text[:-2].isdigit():
            return int(text[:-2])
    if text in _EN_ORDINALS:
        return _EN_ORDINALS[text]
    words = text.split()
    if len(words) == 2 and words[0] in _EN_TENS and _EN_ORDINALS.get(words[1], 99) < 10:
        return int(_EN_TENS[words[0]] + _EN_ORDINALS[words[1]])
    raise NotANumber(f"{span!r} is no rank")
