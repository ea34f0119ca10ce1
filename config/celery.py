"""The Celery application: Redis where REDIS_URL is set, otherwise a queue of files under var/."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tiebreak")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
