"""Every address of the site. Each has a row in tests/annotation/test_access.py."""

from __future__ import annotations

from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path

from annotation import api
from annotation.views import account, label, work

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
    path("account/", account.account, name="account"),
    path("help/", account.help_page, name="help"),
    path("work/", include(annotator_pages)),
    path("api/work/", include(annotator_api)),
    path("studies/", account.studies, name="studies"),
]
