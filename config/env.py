"""Typed readers of the environment. A wrong value stops the start with its name and the remedy."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


class ConfigurationError(Exception):
    """An environment variable that cannot be used, named, with what to write instead."""


def _raw(name: str) -> str | None:
    value = os.environ.get(name)
    return value.strip() if value is not None and value.strip() else None


def text(name: str, default: str = "") -> str:
    return _raw(name) or default


def flag(name: str, default: bool) -> bool:
    value = _raw(name)
    if value is None:
        return default
    if value.lower() in {"1", "true", "yes", "on"}:
        return True
    if value.lower() in {"0", "false", "no", "off"}:
        return False
    raise ConfigurationError(f"{name}={value!r} is neither yes nor no. Write 1 or 0.")


def integer(name: str, default: int, *, minimum: int = 0) -> int:
    value = _raw(name)
    if value is None:
        return default
    try:
        number = int(value)
    except ValueError:
        raise ConfigurationError(f"{name}={value!r} is not a whole number. Write digits only.") from None
    if number < minimum:
        raise ConfigurationError(f"{name}={number} is too small. Write {minimum} or more.")
    return number


def words(name: str, default: list[str]) -> list[str]:
    """A comma-separated list."""
    value = _raw(name)
    return default if value is None else [word.strip() for word in value.split(",") if word.strip()]


def secret_key(kept_in: Path, *, loopback_only: bool) -> str:
    """SECRET_KEY. A site that only this machine can reach may do without: a random one is kept beside its data."""
    value = _raw("SECRET_KEY")
    if value is not None:
        if len(value) < 32:
            raise ConfigurationError("SECRET_KEY is shorter than 32 characters. Write a longer random text.")
        return value
    if not loopback_only:
        raise ConfigurationError("SECRET_KEY is not set, and ALLOWED_HOSTS lets others in. Set it to a random text.")
    return _kept_secret(kept_in)


def _kept_secret(path: Path) -> str:
    # Written aside and linked into place, so that two processes starting together read the same whole secret.
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            file.write(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):
            os.link(file.name, path)
        os.unlink(file.name)
    return path.read_text()


def redis_url() -> str:
    value = text("REDIS_URL")
    if value and urlsplit(value).scheme not in {"redis", "rediss", "unix"}:
        raise ConfigurationError(f"REDIS_URL={_masked(value)!r} is no Redis address. Write redis://HOST:6379/0.")
    return value


def database(default_path: Path) -> dict[str, Any]:
    """DATABASE_URL as Django's DATABASES entry: sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME."""
    value = _raw("DATABASE_URL")
    if value is None:
        return _sqlite(str(default_path))
    parts = urlsplit(value)
    if parts.scheme == "sqlite":
        return _sqlite(unquote(parts.path[1:]) or ":memory:")
    if parts.scheme in {"postgres", "postgresql"}:
        return _postgresql(value)
    raise ConfigurationError(
        f"DATABASE_URL={_masked(value)!r} names no database that Tiebreak knows. "
        "Write sqlite:///PATH or postgresql://USER:PASSWORD@HOST:5432/NAME."
    )


def _sqlite(path: str) -> dict[str, Any]:
    # Immediate transactions and a write-ahead log: with Django's defaults, sixteen people who read and then
    # write in one transaction see "database is locked" on every second request.
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000; "
            "PRAGMA foreign_keys=ON;",
        },
    }


def _postgresql(value: str) -> dict[str, Any]:
    parts = urlsplit(value)
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise ConfigurationError(f"DATABASE_URL={_masked(value)!r} names no database. Add /NAME at its end.")
    try:
        port = parts.port
    except ValueError:
        raise ConfigurationError(f"DATABASE_URL={_masked(value)!r} has a port that is no number.") from None
    options: dict[str, Any] = {"pool": {"min_size": 1, "max_size": 16, "timeout": 20}}
    options.update(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 0,
        "OPTIONS": options,
    }


def _masked(url: str) -> str:
    """The address without its password, fit for an error message."""
    parts = urlsplit(url)
    return url.replace(f":{parts.password}@", ":***@") if parts.password else url
