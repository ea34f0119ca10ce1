"""Which addresses judges may be reached at, and which keys may go where. Keys are named here, never read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

from annotation.errors import Refused

#: Keys that belong to one host and are never sent to another.
KEY_HOSTS = {
    "OPENAI_API_KEY": "api.openai.com",
    "DEEPSEEK_API_KEY": "api.deepseek.com",
    "ANTHROPIC_API_KEY": "api.anthropic.com",
}
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
# Only names that say they hold such a key: a judge must not be able to name SECRET_KEY or DATABASE_URL.
_KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]*_API_(?:KEY|TOKEN)")


def check_base_url(url: str, *, allowed: Iterable[str]) -> str:
    """``url`` without a closing slash. Raises Refused where the allow-list does not cover it.

    An entry covers an address of the same scheme, host and port whose path begins with the entry's; an entry for a
    loopback host without a port covers every port.
    """
    parts = _split(url)
    if parts is None or parts.username or parts.password or parts.query or parts.fragment:
        raise Refused(f"{url!r} is no address of an endpoint. Write https://HOST[:PORT]/PATH, without user or query.")
    if not any(_covers(_split(entry), parts) for entry in allowed):
        raise Refused(f"{url} is not covered by JUDGE_BASE_URLS. Whoever runs this site may add it there.")
    return url.rstrip("/")


def check_key_name(name: str, *, base_url: str) -> str:
    """``name`` where it may hold the key for ``base_url``; '' is no key. Raises Refused."""
    if not name:
        return ""
    if not _KEY_NAME.fullmatch(name):
        raise Refused(f"{name!r} names no key. A key's variable is named like PROVIDER_API_KEY.")
    host = urlsplit(base_url).hostname
    if KEY_HOSTS.get(name, host) != host:
        raise Refused(f"{name} is for {KEY_HOSTS[name]} and is not sent to {host}. Name a key of that endpoint's own.")
    return name


def default_key_name(base_url: str) -> str:
    """The key that belongs to the endpoint's host, or '' where none is known to."""
    host = urlsplit(base_url).hostname
    return next((name for name, its_host in KEY_HOSTS.items() if its_host == host), "")


def is_loopback(base_url: str) -> bool:
    return urlsplit(base_url).hostname in _LOOPBACK


def kind_of_address(base_url: str) -> str:
    """``loopback`` or ``remote``: what a call's log says of where it went."""
    return "loopback" if is_loopback(base_url) else "remote"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.port == 0:
            return None
    except ValueError:
        return None
    return parts


def _covers(entry: SplitResult | None, url: SplitResult) -> bool:
    if entry is None or (entry.scheme, entry.hostname) != (url.scheme, url.hostname):
        return False
    any_port = entry.port is None and entry.hostname in _LOOPBACK
    if not any_port and _port(entry) != _port(url):
        return False
    path = entry.path.rstrip("/")
    if ".." in url.path.split("/"):
        return False
    return not path or url.path.rstrip("/") == path or url.path.startswith(path + "/")


def _port(parts: SplitResult) -> int:
    return parts.port or _DEFAULT_PORTS[parts.scheme]
