"""A cited span counts where the source holds it, however it is spaced, cased or quoted."""

from __future__ import annotations

import pytest

from judging.protocols.spans import occurs_in

SOURCE = "The “Blue Nile” rises at Lake Tana, in Ethiopia.\nIt doesn’t dry up — ever."


@pytest.mark.parametrize(
    "span",
    [
        "rises at Lake Tana",
        '"Blue Nile" rises at',
        "RISES  at\nlake tana,",
        "in Ethiopia. It doesn't dry up",
        "The 'Blue Nile' rises".replace("'", '"'),
        "rises at Lake Tana ... doesn’t dry up",
        "“rises at Lake Tana”",
        "doesn't dry up - ever",
    ],
)
def test_occurs_in_finds_what_is_there(span: str) -> None:
    assert occurs_in(span, SOURCE)


@pytest.mark.parametrize(
    "span", ["", "the", "...", "rises at Lake Victoria", "Lake Tana rises", "rises at Lake Tana ... in Kenya today"]
)
def test_occurs_in_does_not_find_what_is_not(span: str) -> None:
    assert not occurs_in(span, SOURCE)
