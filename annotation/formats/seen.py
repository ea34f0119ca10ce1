"""Remembers which keys a file has had, and in which row, without memory growing with the file."""

from __future__ import annotations

import hashlib
import sqlite3


class Seen:
    """First row of every key. Kept in a temporary database that lives on disk beyond a fixed cache and
    deletes itself."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        # nobody else reads it and nothing outlives it, so neither journal nor sync is wanted
        self._database.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-32768;"
            "CREATE TABLE seen (key BLOB PRIMARY KEY, row INTEGER) WITHOUT ROWID; BEGIN;"
        )

    def earlier(self, row: int, *key: str) -> int | None:
        """The row in which ``key`` was met before; None (and ``row`` is remembered) where it is new."""
        digest = _digest(key)
        added = self._database.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (digest, row)).rowcount
        if added:
            return None
        return int(self._database.execute("SELECT row FROM seen WHERE key = ?", (digest,)).fetchone()[0])

    def close(self) -> None:
        self._database.close()


def _digest(key: tuple[str, ...]) -> bytes:
    # U+0000 never occurs in a text that was accepted, so it keeps ("ab", "c") apart from ("a", "bc")
    return hashlib.blake2b("\x00".join(key).encode("utf-8", "surrogatepass"), digest_size=16).digest()
