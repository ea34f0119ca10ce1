"""What labelling costs the server: CPU of the gunicorn processes per pair, "next" and "submit" together.

    python -m benchmarks.bench_labelling [--pairs 1000] [--in-round 1000]

One signed-in annotator, 5 kB candidates, every middleware on, SQLite as shipped. Beside it, in the same server, the
help page: a signed-in page that reads its session, its person and their studies, and nothing else. Promise: at most
12 ms of CPU per pair, and no more in a round a hundred times as large. CPU time is read from /proc, so this runs on
Linux.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COOKIE = "sessionid={}; csrftoken=" + "a" * 32
TOKEN = "a" * 32
ANSWERS = {
    "final_answers_equivalent": "yes",
    "more_complete_support": "same",
    "more_specific_reasoning": "same",
    "display_adds_substance": "no",
    "preference": "Tie",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000, help="pairs that are labelled")
    parser.add_argument("--in-round", type=int, default=0, help="pairs in the round (default: those labelled)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tiebreak-bench-") as folder:
        os.environ.update(DATABASE_URL=f"sqlite:///{folder}/bench.sqlite3", TIEBREAK_VAR=folder, DEBUG="0")
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        place, session = prepare(Path(folder), max(options.pairs, options.in_round))
        port = free_port()
        server = start(port)
        try:
            report(port, server.pid, place, session, options.pairs)
        finally:
            server.terminate()
            server.wait(10)


def prepare(folder: Path, n_pairs: int) -> tuple[str, str]:
    """A round of ``n_pairs`` pairs, made by the steps; the annotator's place and session."""
    import django

    django.setup()
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command

    from annotation.enums import MemberRole
    from annotation.models import RoundAnnotator, Split, Study, User
    from annotation.places import address_of
    from annotation.steps.assign import create_round, open_round
    from annotation.steps.ingest import import_pairs
    from annotation.steps.label import read_guideline
    from annotation.steps.members import set_member

    call_command("migrate", verbosity=0)
    study = Study.objects.create(slug="bench", name="Benchmark")
    people = [User.objects.create_user(f"annotator-{number}") for number in (1, 2)]
    for user in people:
        set_member(study=study, user=user, role=MemberRole.ANNOTATOR, actor=None)
    text = "One sentence of an answer, as long as answers are. " * 100
    path = folder / "pairs.jsonl"
    with path.open("w") as file:
        for number in range(n_pairs):
            row = {"pair_id": f"p{number}", "task": f"Question {number}?", "roles": ["plain", "cited"]}
            file.write(json.dumps({**row, "candidates": {"plain": text, "cited": f"{text}[{number}]"}}) + "\n")
    import_pairs(study=study, path=path, split="bench")
    split = Split.objects.get()
    made = create_round(split=split, name="bench", scheme="graded", actor=None, guideline="Read both.")
    open_round(round=made, annotators=people, actor=None)
    place = RoundAnnotator.objects.get(user=people[0])
    read_guideline(place=place, version=1)
    session = SessionStore()
    session[SESSION_KEY] = str(people[0].pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = people[0].get_session_auth_hash()
    session.save()
    return address_of(place.pk), str(session.session_key)


def start(port: int) -> subprocess.Popen[bytes]:
    command = [
        "gunicorn",
        "config.wsgi:application",
        "-b",
        f"127.0.0.1:{port}",
        "--threads",
        "4",
        "--log-level",
        "error",
    ]
    server = subprocess.Popen([sys.executable, "-m", *command])
    for _ in range(120):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
        time.sleep(0.25)
    raise SystemExit("The server did not start.")


def report(port: int, pid: int, place: str, session: str, n_pairs: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Cookie": COOKIE.format(session), "X-CSRFToken": TOKEN, "Content-Type": "application/json"}

    def ask(method: str, url: str, body: object = None) -> dict[str, object] | str:
        connection.request(method, url, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, (answer.status, text[:300])
        return json.loads(text) if answer.headers["Content-Type"].startswith("application/json") else text

    def label(number: int) -> None:
        shown = ask("GET", f"/api/work/{place}/next")
        pair = shown["pair"]["assignment"]  # type: ignore[index, call-overload]
        body = {"answers": ANSWERS, "client_key": f"key-of-bench-{number}", "seen_revision": 0, "seconds": 9.5}
        ask("POST", f"/api/work/{place}/pairs/{pair}/submit", body)

    for number in range(5):  # what is imported and compiled once
        ask("GET", "/help/")
        label(-1 - number)
    page = cpu_of(pid, lambda: [ask("GET", "/help/") for _ in range(200)]) / 200
    pairs = cpu_of(pid, lambda: [label(number) for number in range(n_pairs - 5)]) / (n_pairs - 5)
    print(f"help page     {1000 * page:6.2f} ms of CPU")
    print(f"next + submit {1000 * pairs:6.2f} ms of CPU per pair, {pairs / page:.2f} times the help page")


def cpu_of(pid: int, work: object) -> float:
    """Seconds of CPU that the server's processes spend while ``work`` runs."""
    before = sum(map(cpu_seconds, family(pid)))
    work()  # type: ignore[operator]
    return sum(map(cpu_seconds, family(pid))) - before


def family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
