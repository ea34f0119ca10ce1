"""The annotator's API: the next pair, a draft, a submission, taking the last one back. Same steps as the pages.

Every error has the body ``{"code", "message", "permanent"}``; ``permanent`` says that sending it again cannot help.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions, serializers, status
from rest_framework.decorators import api_view, parser_classes
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import set_rollback

from annotation.errors import NotAllowed, TiebreakError
from annotation.labelling import feedback_on, shown, what_is_next
from annotation.permissions import place_or_404, signed_in
from annotation.queries import progress_of
from annotation.steps.label import place_of, save_draft, submit_label, undo_last

#: How many pairs a browser may hold or be sending at once.
MAX_BESIDES = 50
MAX_COMMENT = 10_000
#: A day: more active time than one pair can take.
MAX_SECONDS = 86_400.0

#: Refusals that speak of the state of things rather than of what was sent.
_CONFLICTS = {
    "answered_elsewhere",
    "assignment_released",
    "nothing_to_undo",
    "place_ended",
    "round_closed",
    "training_not_passed",
}


class FlatJSONParser(JSONParser):
    """JSON nested too deeply to be read is a bad request, not a crash."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            return super().parse(stream, media_type=media_type, parser_context=parser_context)
        except RecursionError:
            raise exceptions.ParseError("The body is nested too deeply.") from None


class Answers(serializers.JSONField):
    """``{question: answer}`` in screen terms."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        value = super().to_internal_value(data)
        if not isinstance(value, dict):
            raise serializers.ValidationError("Answers are an object: {question: answer}.")
        return value


class Seconds(serializers.FloatField):
    def to_internal_value(self, data: Any) -> float:
        value = super().to_internal_value(data)
        if not math.isfinite(value) or value < 0:
            raise serializers.ValidationError("Seconds are a number from 0.")
        return min(value, MAX_SECONDS)


class DraftBody(serializers.Serializer[dict[str, Any]]):
    answers = Answers()
    comment = serializers.CharField(allow_blank=True, max_length=MAX_COMMENT, trim_whitespace=False, default="")
    flagged = serializers.BooleanField(default=False)
    sequence = serializers.IntegerField(min_value=1, max_value=2**53)
    revision = serializers.IntegerField(min_value=0, max_value=2**31)


class LabelBody(serializers.Serializer[dict[str, Any]]):
    answers = Answers()
    comment = serializers.CharField(allow_blank=True, max_length=MAX_COMMENT, trim_whitespace=False, default="")
    flagged = serializers.BooleanField(default=False)
    client_key = serializers.RegexField(r"^[A-Za-z0-9_-]{8,64}$")
    seen_revision = serializers.IntegerField(min_value=0, max_value=2**31, default=None, allow_null=True)
    seconds = Seconds(default=None, allow_null=True)
    idle_seconds = Seconds(default=None, allow_null=True)
    besides = serializers.ListField(child=serializers.CharField(max_length=24), max_length=MAX_BESIDES, default=list)


@api_view(["GET"])
def next_pair(request: Request, place: str) -> Response:
    """The next pair to do, besides those named in ``?besides=``, or the state that stands in the way."""
    besides = request.query_params.getlist("besides")[:MAX_BESIDES]
    return Response(what_is_next(place_or_404(request, place), besides=besides).as_json())


@api_view(["PUT"])
@parser_classes([FlatJSONParser])
def draft(request: Request, place: str, assignment: str) -> Response:
    """Keep unfinished answers; ``kept`` is false where something newer is there already."""
    del place  # the pair alone says whose it is
    given = _checked(DraftBody, request)
    kept = save_draft(user=signed_in(request), public_id=assignment, **given)
    return Response({"kept": kept})


@api_view(["POST"])
@parser_classes([FlatJSONParser])
def submit(request: Request, place: str, assignment: str) -> Response:
    """Store a label once per ``client_key`` and answer with the next pair besides those named in ``besides``."""
    del place  # the pair alone says whose it is
    given = _checked(LabelBody, request)
    besides = given.pop("besides")
    label = submit_label(user=signed_in(request), public_id=assignment, **given)
    next_one = what_is_next(place_of(label.assignment), besides=besides)
    return Response({"revision": label.revision, "feedback": feedback_on(label), "next": next_one.as_json()})


@api_view(["POST"])
def undo(request: Request, place: str) -> Response:
    """Take back the last submission and answer with its pair, which has become a draft again."""
    assignment = undo_last(place=place_or_404(request, place))
    return Response(shown(assignment, progress=progress_of(place_of(assignment))).as_json())


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Django REST framework's exception handler: every error in one shape, and no name of ours in it."""
    del context  # the handler's signature is the framework's
    answer = _answer(error)
    if answer is not None:
        set_rollback()
    return answer


def _answer(error: Exception) -> Response | None:
    match error:
        case NotAllowed():
            return _error(status.HTTP_404_NOT_FOUND, error.code, error.message)
        case TiebreakError():
            conflict = error.code in _CONFLICTS
            http = status.HTTP_409_CONFLICT if conflict else status.HTTP_422_UNPROCESSABLE_ENTITY
            return _error(http, error.code, error.message, permanent=error.permanent)
        case Http404():
            return _error(status.HTTP_404_NOT_FOUND, "not_found", "There is nothing at this address.")
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            message = "You are signed out. Sign in again; what you answered is kept on this device."
            return _error(status.HTTP_401_UNAUTHORIZED, "signed_out", message, permanent=False)
        case exceptions.PermissionDenied() | PermissionDenied():
            message = "This request was not accepted. Reload the page; what you answered is kept on this device."
            return _error(status.HTTP_403_FORBIDDEN, "not_accepted", message, permanent=False)
        case exceptions.ValidationError():
            return _error(status.HTTP_400_BAD_REQUEST, "bad_request", _first_problem(error.detail))
        case exceptions.APIException():
            return _error(error.status_code, str(error.default_code), str(error.detail))
    return None


def _error(http: int, code: str, message: str, *, permanent: bool = True) -> Response:
    return Response({"code": code, "message": message, "permanent": permanent}, status=http)


def _first_problem(detail: Any) -> str:
    """The first of a serializer's complaints, as ``field: what is wrong``."""
    if isinstance(detail, dict):
        field, inner = next(iter(detail.items()))
        return f"{field}: {_first_problem(inner)}"
    return _first_problem(detail[0]) if isinstance(detail, list) else str(detail)


def _checked(body: type[serializers.Serializer[dict[str, Any]]], request: Request) -> dict[str, Any]:
    serializer = body(data=request.data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)
