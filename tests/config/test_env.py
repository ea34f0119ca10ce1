"""A wrong setting stops the start with its name and the remedy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import env

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("name", "value", "read", "message"),
    [
        ("DEBUG", "perhaps", lambda: env.flag("DEBUG", False), "DEBUG='perhaps' is neither yes nor no. Write 1 or 0."),
        ("N", "many", lambda: env.integer("N", 1), "N='many' is not a whole number"),
        ("N", "0", lambda: env.integer("N", 1, minimum=1), "N=0 is too small. Write 1 or more."),
        ("DATABASE_URL", "mysql://x/y", lambda: env.database(Path("x")), "Write sqlite:///PATH or postgresql://"),
        ("DATABASE_URL", "postgresql://h:99999999/x", lambda: env.database(Path("x")), "a port that is no number"),
        ("DATABASE_URL", "postgresql://u:secret@h", lambda: env.database(Path("x")), "Add /NAME at its end"),
        ("REDIS_URL", "http://h", env.redis_url, "Write redis://HOST:6379/0"),
    ],
)
def test_a_wrong_value_is_named_with_its_remedy(monkeypatch, name, value, read, message) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv(name, value)
    with pytest.raises(env.ConfigurationError) as caught:
        read()
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_short_secret_key_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SECRET_KEY", "short")
    with pytest.raises(env.ConfigurationError, match="SECRET_KEY is shorter"):
        env.secret_key(tmp_path / "key", loopback_only=True)


def test_a_site_others_can_reach_needs_a_secret_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with pytest.raises(env.ConfigurationError, match="SECRET_KEY is not set"):
        env.secret_key(tmp_path / "key", loopback_only=False)


def test_a_loopback_site_keeps_one_random_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    first, second = (env.secret_key(tmp_path / "key", loopback_only=True) for _ in range(2))
    assert first == second
    assert len(first) >= 50
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


def test_postgresql_address_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://us%40er:pa%3Ass@db.example:6543/my%20base?sslmode=require")
    made = env.database(Path("unused"))
    assert (made["USER"], made["PASSWORD"], made["HOST"], made["PORT"], made["NAME"]) == (
        "us@er",
        "pa:ss",
        "db.example",
        "6543",
        "my base",
    )
    assert made["OPTIONS"]["sslmode"] == "require"


def test_manage_py_stops_at_a_wrong_setting(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "oracle://x", "TIEBREAK_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert run.stderr.startswith("DATABASE_URL='oracle://x' names no database that Tiebreak knows.")
