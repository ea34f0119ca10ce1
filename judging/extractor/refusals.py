"""Does a reply decline the task? Only an opening that says so in the first person counts.

A judge that says "I cannot tell which is better" declines nothing (that is no verdict), and one that reports
"Response A says it cannot help" speaks of a candidate.
"""

from __future__ import annotations

import re
import unicodedata

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "´": "'", "`": "'"})

_ABLE = (
    r"(?: be able to| be comfortable| comfortable| able to| allowed to| permitted to| willing to| going to"
    r"| in a position to)"
)
_MANNER = r"(?: respectfully| politely| unfortunately| in good conscience)"
_CANNOT = (
    r"(?:(?:can ?not|can't|cant|could ?n[o']t|won't|will not|do not|don't|am not|'m not|am unable to|'m unable to)"
    rf"(?:{_ABLE}|{_MANNER})*"
    rf"|(?:(?:must|have to|need to|will have to|'ll have to|would have to){_MANNER}? )?(?:decline|refuse))"
)
# Verbs of doing the task. Telling, deciding and determining are left out: those are a judge's doubt, not a refusal.
_TASK = (
    r"(?:to |feel comfortable )?(?:help|assist|comply|fulfil|fulfill|provide|compare|comparing|evaluate|evaluating"
    r"|judge|judging|assess|assessing|rate|rating|rank|engage|engaging|continue|complete|answer|respond|discuss"
    r"|participate|perform|process|support|do (?:that|this|so|it)|create|generate|produce|offer|review|accommodate|make"
    r"|with (?:that|this)|this request|that request|your request|this task)"
)
_SORRY = (
    r"(?:(?:i'm|i am|we're|we are)?\s*(?:very |so |really |truly )?sorry"
    r"|my apologies|apologies|i apologi[sz]e|unfortunately|regrettably|(?:i'm|i am) afraid)"
)

_ENGLISH = (
    re.compile(rf"^{_SORRY}\b.{{0,80}}?\b(?:i|we)\b\s*{_CANNOT}\s+(?:\w+ly )?{_TASK}\b"),
    re.compile(rf"^(?:as an? [\w\s\-]{{0,60}},\s*)?(?:no[,.]\s*)?(?:i|we)\s*{_CANNOT}\s+(?:\w+ly )?{_TASK}\b"),
    re.compile(rf"^{_SORRY}\b[\s,.;:\-—–]{{0,4}}(?:but )?(?:i|we)\s*{_CANNOT}\s*[.!]?\s*$"),
    re.compile(
        r"^(?:this|the|that|your) (?:request|content|prompt|task)"
        r" (?:(?:may |might |could )?violates?|goes against|is against)\b"
    ),
)
_OTHER_LANGUAGES = (
    re.compile(r"^(?:lo siento|lo lamento|disculpa|disculpe)\b.{0,40}\bno (?:puedo|podemos)\b"),
    re.compile(r"^(?:je suis (?:vraiment )?désolée?|désolée?)\b.{0,40}\bje ne (?:peux|puis)\b"),
    re.compile(r"^(?:es tut mir leid|entschuldigung|tut mir leid)\b.{0,60}\b(?:nicht|kein\w*)\b"),
    re.compile(r"^(?:desculpe|sinto muito|lamento)\b.{0,40}\bnão (?:posso|podemos)\b"),
    re.compile(r"^(?:mi dispiace|spiacente)\b.{0,40}\bnon (?:posso|possiamo)\b"),
    re.compile(r"^(?:很抱歉|非常抱歉|抱歉|对不起|對不起).{0,12}(?:无法|無法|不能)"),
    re.compile(r"^(?:申し訳(?:ありません|ございません)|すみません).{0,40}(?:できません|できかねます|お手伝い)"),
)
# A reply that goes on to choose, in a later sentence, has not refused, whatever its first words were.
_CHOOSES = re.compile(
    r"[.!?]\s.*\b(?:i|we) (?:must |would |will |'d |'ll |still )*(?:choose|pick|select|prefer|go with|favou?r)\b"
    r"|[.!?]\s.*\b(?:winner|verdict|therefore|is (?:the )?(?:better|best)|equally good|a tie)\b"
)
_LONGEST = 1200


def is_refusal(text: str) -> bool:
    """Whether the whole reply declines the task. ``text`` is cleaned; replies that carry a verdict are not asked."""
    flat = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES)
    flat = re.sub(r"\s+", " ", flat).strip(" *_#>\t").casefold()
    if not flat or len(flat) > _LONGEST:
        return False
    if any(pattern.search(flat) for pattern in _OTHER_LANGUAGES):
        return True
    opening = flat[:300]
    found = next((match for pattern in _ENGLISH if (match := pattern.search(opening))), None)
    return found is not None and not _CHOOSES.search(flat[found.end() :])
