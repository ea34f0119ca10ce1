"""Which addresses and keys a judge may have."""

from __future__ import annotations

import pytest

from annotation.errors import Refused
from judging.providers.addresses import check_base_url, check_key_name, default_key_name

ALLOWED = ["https://api.openai.com/", "http://127.0.0.1", "https://models.example.org:8443/v1"]


@pytest.mark.parametrize(
    "url",
    [
        "https://api.openai.com/v1",
        "https://api.openai.com:443/v1/",
        "http://127.0.0.1:8080/v1",
        "https://models.example.org:8443/v1/chat",
    ],
)
def test_address_on_the_list_is_taken(url: str) -> None:
    assert check_base_url(url, allowed=ALLOWED) == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/v1",
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
        "https://api.openai.com.evil.example/v1",
        "http://127.0.0.1.evil.example/",
        "http://127.0.0.1@evil.example/",
        "https://user:secret@api.openai.com/v1",
        "https://models.example.org:8443/v10",
        "https://models.example.org:8443/v1/../admin",
        "https://api.openai.com/v1?next=http://evil.example",
        "file:///etc/passwd",
        "http://127.0.0.1:notaport/",
        "",
    ],
)
def test_address_off_the_list_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        check_base_url(url, allowed=ALLOWED)


def test_no_address_is_taken_where_the_list_is_empty() -> None:
    with pytest.raises(Refused, match="JUDGE_BASE_URLS"):
        check_base_url("http://127.0.0.1:1/", allowed=[])


@pytest.mark.parametrize("name", ["SECRET_KEY", "DATABASE_URL", "PATH", "openai_api_key", "MY_API_KEY; rm"])
def test_name_that_holds_no_such_key_is_refused(name: str) -> None:
    with pytest.raises(Refused):
        check_key_name(name, base_url="https://api.openai.com/v1")


def test_well_known_key_goes_to_its_own_host_only() -> None:
    assert check_key_name("OPENAI_API_KEY", base_url="https://api.openai.com/v1") == "OPENAI_API_KEY"
    with pytest.raises(Refused, match=r"api\.openai\.com"):
        check_key_name("OPENAI_API_KEY", base_url="http://127.0.0.1:8080/v1")
    assert check_key_name("LAB_API_KEY", base_url="http://127.0.0.1:8080/v1") == "LAB_API_KEY"


def test_default_key_belongs_to_the_host() -> None:
    assert default_key_name("https://api.deepseek.com") == "DEEPSEEK_API_KEY"
    assert default_key_name("http://localhost:8080/v1") == ""
