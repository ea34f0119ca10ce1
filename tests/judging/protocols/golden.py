"""Golden transcripts: every request of a protocol, in both orders, with the replies of a scripted judge.

Written to tests/data/judging/transcripts by ``python -m tests.judging.protocols.golden``; a change of any prompt shows
there as a difference to be read.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from judging.enums import Probe
from judging.protocols.comparison import Reply, ShownPair, StageRequest
from judging.protocols.composing import compose_reply, walk
from judging.protocols.registry import PROTOCOLS
from judging.protocols.stages import Protocol, Shape

FOLDER = Path(__file__).resolve().parents[2] / "data" / "judging" / "transcripts"

TASK = "Which river that rises at Lake Tana joins the White Nile at Khartoum?"
CONTEXT = "The Blue Nile rises at Lake Tana in Ethiopia. At Khartoum it joins the White Nile."
FULL = "The Blue Nile: it rises at Lake Tana and joins the White Nile at Khartoum."
SHORT = "The Blue Nile [1].\n[1] Source: Blue Nile"
ORDERS = {"full shown as A": (FULL, SHORT), "short shown as A": (SHORT, FULL)}
CUES = {FULL: "written by a person", SHORT: "written by a program"}


def shown_pair(protocol: Protocol, texts: tuple[str, str], probe: Probe | None = None) -> ShownPair:
    """The example pair in one order under the richest probe the protocol has, and its first variant."""
    level, paraphrases = next(iter(protocol.variants.items()))
    probe = probe or (Probe.REVEAL_AFTER if Probe.REVEAL_AFTER in protocol.probes else Probe.BLIND)
    true = (CUES[texts[0]], CUES[texts[1]])
    return ShownPair(
        task=TASK,
        texts=texts,
        context=CONTEXT,
        level=level,
        paraphrase=paraphrases[0],
        probe=probe,
        cues=None if probe is Probe.BLIND else (true if probe is Probe.TRUTH else true[::-1]),
        revealed=true if probe is Probe.REVEAL_AFTER else None,
        audited="Candidate A names the lake." if protocol.needs_audited else "",
    )


def scripted_judge(request: StageRequest) -> Reply:
    """Prefers the side whose displayed text is longer, and scores accordingly."""
    view = request.view
    if len(view.texts) == 2:
        longer = "A" if len(view.texts[0]) > len(view.texts[1]) else "B"
        better = {longer: {criterion.name: 5 for criterion in view.criteria}}
    else:
        longer, better = "", {}
    winner = longer if view.shape is Shape.VERDICT else ""
    return Reply(text=compose_reply(view, winner=winner, reason="It names lake and confluence.", scores=better))


def transcript(protocol: Protocol) -> str:
    parts = []
    for order, texts in ORDERS.items():
        done, exchange = walk(protocol, shown_pair(protocol, texts), scripted_judge)
        parts.append(f"######## {protocol.key}, {order}")
        for request, reply in exchange:
            parts.append(f"==== {request.key.phase} {request.key.stage} (max_tokens {request.max_tokens})")
            parts += [f"---- {message.role}\n{message.content}" for message in request.messages]
            parts.append(f"---- reply\n{reply.text}")
        parts += [f"==== reading\n{_reading(reading)}" for reading in done.readings]
    return "\n".join(parts) + "\n"


def _reading(reading: Any) -> str:
    kept = {name: value for name, value in asdict(reading).items() if name not in {"record", "extractor_version"}}
    return "\n".join(f"{name}: {value}" for name, value in kept.items())


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in PROTOCOLS:
        (FOLDER / f"{each.name}.txt").write_text(transcript(each), encoding="utf-8")
