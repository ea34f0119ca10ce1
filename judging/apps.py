from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        from judging import append_only
        from judging.checks import protocols_are_as_locked

        checks.register(protocols_are_as_locked)
        post_migrate.connect(append_only.after_migrate, sender=self)
