"""Every address of the site. Each has a row in tests/annotation/test_access.py."""

from __future__ import annotations

from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path

from analysis.views import report, study
from annotation import api
from annotation.views import account, agreement, disagreements, label, people, rounds, splits, validated, work
from judging import views as judging

#: What an annotator reaches; nothing else exists for them.
annotator_pages = [
    path("", work.my_work, name="my_work"),
    path("<str:place>/", label.label, name="label"),
    path("<str:place>/guideline/", work.guideline, name="guideline"),
    path("<str:place>/pairs/", work.pairs, name="own_pairs"),
    path("<str:place>/pairs/<str:assignment>/", label.pair, name="own_pair"),
    path("<str:place>/undo/", label.undo, name="undo_label"),
]

annotator_api = [
    path("<str:place>/next", api.next_pair, name="api_next"),
    path("<str:place>/undo", api.undo, name="api_undo"),
    path("<str:place>/pairs/<str:assignment>/draft", api.draft, name="api_draft"),
    path("<str:place>/pairs/<str:assignment>/submit", api.submit, name="api_submit"),
]

round_pages = [
    path("", rounds.round_page, name="round"),
    path("set-up/", rounds.setup, name="round_setup"),
    path("open/", rounds.open_for_labelling, name="open_round"),
    path("close/", rounds.close, name="close_round"),
    path("settle/", rounds.settle_by_rule, name="settle_by_rule"),
    path("thirds/", rounds.ask_thirds, name="ask_thirds"),
    path("guideline/", rounds.change_guideline, name="change_guideline"),
    path("end-place/", rounds.end_annotator, name="end_annotator"),
    path("freeze/", rounds.freeze_rounds, name="freeze"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("items/", agreement.items, name="items"),
    path("disagreements/", disagreements.queue, name="disagreements"),
    path("items/<int:item>/", disagreements.item_page, name="item"),
    path("items/<int:item>/settle/", disagreements.settle_item, name="settle_item"),
    path("items/<int:item>/blind/", disagreements.blind_answer, name="blind_answer"),
]

study_pages: list[URLPattern | URLResolver] = [
    path("", study.study, name="study"),
    path("splits/", splits.splits, name="splits"),
    path("splits/new/", splits.bring_pairs, name="bring_pairs"),
    path("splits/<int:pk>/", splits.split_page, name="split"),
    path("imports/<int:pk>/", splits.import_report, name="import_report"),
    path("pairs/<int:pk>/", splits.pair_page, name="pair"),
    path("rounds/", rounds.rounds, name="rounds"),
    path("rounds/bring/", rounds.bring_labels, name="bring_labels"),
    path("rounds/new/", rounds.new_round, name="new_round"),
    path("rounds/<int:pk>/", include(round_pages)),
    path("validated/", validated.validated_splits, name="validated_splits"),
    path("validated/<int:pk>/", validated.validated_split, name="validated_split"),
    path("validated/<int:pk>/text/", validated.validated_text, name="validated_text"),
    path("runs/", judging.runs, name="runs"),
    path("runs/bring/", judging.bring_verdicts, name="bring_verdicts"),
    path("runs/new/", judging.new_run, name="new_run"),
    path("runs/<str:run>/", judging.run_page, name="run"),
    path("runs/<str:run>/progress/", judging.run_progress, name="run_progress"),
    path("runs/<str:run>/start/", judging.start, name="start_run"),
    path("runs/<str:run>/pause/", judging.pause, name="pause_run"),
    path("runs/<str:run>/cancel/", judging.cancel, name="cancel_run"),
    path("runs/<str:run>/comparisons/", judging.comparisons, name="comparisons"),
    path("runs/<str:run>/comparisons/<int:pk>/", judging.comparison, name="comparison"),
    path("runs/<str:run>/verdicts/<int:pk>/rule/", judging.rule, name="rule"),
    path("report/", report.report, name="report"),
    path("report/frontier.svg", report.figure, name="report_figure"),
    path("report/verdicts/", report.verdicts, name="report_verdicts"),
    path("report/rows.csv", report.rows, name="report_rows"),
    path("report/report.json", report.as_json, name="report_json"),
    path("people/", people.people, name="people"),
    path("people/add/", people.add_member, name="add_member"),
    path("people/invite/", people.invite_member, name="invite_member"),
    path("people/<int:pk>/end/", people.end_membership, name="end_membership"),
    path("audit/", people.audit_log, name="audit"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", account.home, name="home"),
    path(
        "sign-in/",
        login_not_required(
            auth.LoginView.as_view(template_name="account/sign_in.html", redirect_authenticated_user=True)
        ),
        name="sign_in",
    ),
    path("sign-out/", auth.LogoutView.as_view(), name="sign_out"),
    path("join/<str:token>/", people.join, name="join"),
    path("account/", account.account, name="account"),
    path("help/", account.help_page, name="help"),
    path("work/", include(annotator_pages)),
    path("api/work/", include(annotator_api)),
    path("studies/", account.studies, name="studies"),
    path("studies/<slug:slug>/", include(study_pages)),
]
