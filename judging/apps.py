from django.apps import AppConfig
from django.db.models.signals import post_migrate


class JudgingConfig(AppConfig):
    name = "judging"

    def ready(self) -> None:
        from judging import append_only

        post_migrate.connect(append_only.after_migrate, sender=self)
