"""Which database, broker and browser answer on this machine, without touching what they hold."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
from urllib.parse import urlsplit

import psycopg
import redis


def postgresql_url() -> str | None:
    """An address under which this machine's PostgreSQL lets us make databases, or None."""
    stated = os.environ.get("DATABASE_URL", "")
    if stated.startswith("postgres"):
        return stated
    if not _answers("127.0.0.1", 5432):
        return None
    for user in dict.fromkeys([os.environ.get("PGUSER", ""), "postgres", getpass.getuser()]):
        if user:
            url = f"postgresql://{user}@127.0.0.1:5432/postgres"
            try:
                with psycopg.connect(url, connect_timeout=3):
                    return url
            except psycopg.OperationalError:
                continue
    return None


def redis_url() -> str | None:
    """The address of a Redis that answers, or None."""
    url = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"
    parts = urlsplit(url)
    if parts.hostname and not _answers(parts.hostname, parts.port or 6379):
        return None
    try:
        redis.Redis.from_url(url, socket_timeout=3).ping()
    except redis.RedisError:
        return None
    return url


def chromium() -> str | None:
    """The path of a Chromium that Playwright can drive, or None."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def _answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=2):
            return True
    except OSError:
        return False
