"""Who is working: a name for this process, and whether the process behind a name is gone for certain."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
from functools import cache
from pathlib import Path


def new_worker_name() -> str:
    """A name for one stretch of work, at most 64 characters: place, process, its start, and a random part."""
    return f"{_place()}.{os.getpid()}.{_started(os.getpid())}.{secrets.token_hex(6)}"


def is_gone(worker: str) -> bool:
    """True only where the process is known to have ended; of other machines nothing is known but their leases."""
    place, _, rest = worker.partition(".")
    pid, _, rest = rest.partition(".")
    started = rest.partition(".")[0]
    if place != _place() or not pid.isdigit():
        return False
    return _started(int(pid)) != started


@cache
def _place() -> str:
    """This machine since its last start, within one process namespace: where process numbers mean something."""
    parts = [socket.gethostname()]
    boot = Path("/proc/sys/kernel/random/boot_id")
    if boot.exists():
        parts.append(boot.read_text().strip())
    namespace = Path("/proc/self/ns/pid")
    if namespace.exists():
        parts.append(os.readlink(namespace))
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:10]


def _started(pid: int) -> str:
    """When a process started, in ticks since the machine did; '0' where it cannot be told, '' where it is not there."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        fields = stat.read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        if Path("/proc/self/stat").exists():
            return ""
        return "0" if _answers(pid) else ""
    except OSError:
        return "0"
    # A process that ended and was not waited for yet is a zombie; it works no more.
    return "" if fields[0] == "Z" else fields[19]


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
