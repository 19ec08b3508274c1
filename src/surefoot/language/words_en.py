"""Patterns for English words that several rules share."""

import re

LETTERS = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
WORD_END = r"(?![a-z0-9])"
WEEKDAY = (
    r"(?:mon(?:day)?|tues?(?:day)?|wed(?:s|nesday)?|thu(?:rs|r)?(?:day)?|fri(?:day)?|"
    r"sat(?:urday)?|sun(?:day)?)"
)
_TEN = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
ORDINAL = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)|twenty[- ]{_TEN}|thirty[- ]first|{_TEN}|tenth|"
    r"eleventh|twelfth|thirteenth|"
    r"fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"
)
PLURAL_DAY = r"(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|mornings|afternoons|evenings)"
WHICH_WEEK = {"this": 0, "current": 0, "next": 1, "following": 1, "coming": 1, "upcoming": 1, "last": -1,
          "previous": -1, "past": -1, "prev": -1}  # fmt: skip
NEEDS_COMPANY = frozenset({"may", "mar", "march", "sat", "sun"})
PREPOSITION = re.compile(
    r"(?:in|by|of|since|until|till|next|this|last|from|to|before|after|on|early|"
    r"late|mid|during|and|-|every|each)[ -]?$",
    re.I,
)
WHICH = r"(?P<which>this|next|last|previous|prev|coming|upcoming|past|following|current)"
