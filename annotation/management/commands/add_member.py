"""manage.py add_member STUDY USER --role ROLE"""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from annotation.enums import MemberRole
from annotation.management.base import study_called, told_to_the_user
from annotation.models import User
from annotation.steps.members import set_member


class Command(BaseCommand):
    help = "Give somebody a role in a study. An account that is new gets a password, shown this once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study; made where it is new")
        parser.add_argument("user", help="name to sign in with; the account is made where it is new")
        parser.add_argument("--role", choices=MemberRole.values(), default=MemberRole.OWNER.value)

    def handle(self, *args: Any, **options: Any) -> None:
        with told_to_the_user(), transaction.atomic():
            study = study_called(options["study"], create=True)
            user, made = User.objects.get_or_create(username=options["user"])
            password = secrets.token_urlsafe(12)
            if made:
                user.set_password(password)
                user.save()
            set_member(study=study, user=user, role=MemberRole(options["role"]), actor=None)
        self.stdout.write(f"{user.username} is {options['role']} of {study.slug}.")
        if made:
            self.stdout.write(f"New account. Password, shown this once: {password}")
