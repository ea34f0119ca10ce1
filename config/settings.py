"""All settings. What differs between machines comes from the environment, through config.env."""

from __future__ import annotations

import os
from pathlib import Path

from csp.constants import NONE, SELF

from config import env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("TIEBREAK_VAR", str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.flag("DEBUG", False)
LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", LOOPBACK_HOSTS)
LOOPBACK_ONLY = set(ALLOWED_HOSTS) <= set(LOOPBACK_HOSTS)
SECRET_KEY = env.secret_key(VAR_DIR / "secret_key", loopback_only=LOOPBACK_ONLY)

INSTALLED_APPS = [
    "annotation",
    "judging",
    "analysis",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {"default": env.database(VAR_DIR / "tiebreak.sqlite3")}
# A read must not take SQLite's write lock, so no request opens a transaction by itself; steps open their own.
DATABASES["default"]["ATOMIC_REQUESTS"] = False
# Tests get a database of their own name; on SQLite a file, because threads must be able to share it.
_test_name = env.text("TIEBREAK_TEST_DATABASE", f"test_tiebreak_{os.getpid()}")
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    _test_name = str(VAR_DIR / f"{_test_name}.sqlite3")
DATABASES["default"]["TEST"] = {"NAME": _test_name}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "annotation.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign_in"

REDIS_URL = env.redis_url()
CACHES = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    )
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not LOOPBACK_ONLY
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("BEHIND_PROXY", False) else None
SECURE_HSTS_SECONDS = 0 if LOOPBACK_ONLY else env.integer("HSTS_SECONDS", 31_536_000)
SECURE_REFERRER_POLICY = "same-origin"
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS", [])

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "manifest-src": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "staticfiles"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

DATA_UPLOAD_MAX_MEMORY_SIZE = 2_000_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_000_000

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "EXCEPTION_HANDLER": "annotation.api.answer_error",
}

CELERY_BROKER_URL = REDIS_URL or "filesystem://"
CELERY_TASK_IGNORE_RESULT = True
# Whatever the broker lost is queued again within a minute; the state of all work is in our own tables.
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "judging.sweep_runs", "schedule": 60.0}}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celerybeat-schedule")
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_ALWAYS_EAGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
if REDIS_URL:
    # Several installations may share one Redis, each under a prefix of its own.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"global_keyprefix": env.text("TIEBREAK_QUEUE_PREFIX")}
else:
    _queue = VAR_DIR / "queue"
    _control = VAR_DIR / "queue-control"
    for folder in (_queue, _control):
        folder.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue),
        "data_folder_out": str(_queue),
        "control_folder": str(_control),
        "processed_folder": str(_queue),
    }

# Judges. Keys are read from the environment by the name a judge declares, and never stored.
JUDGE_BASE_URLS = env.words(
    "JUDGE_BASE_URLS",
    [
        "https://api.openai.com/",
        "https://api.anthropic.com/",
        "https://api.deepseek.com/",
        "http://127.0.0.1",
        "http://localhost",
    ],
)
JUDGE_CONCURRENCY = env.integer("JUDGE_CONCURRENCY", 16, minimum=1)
JUDGE_TIMEOUT_SECONDS = env.integer("JUDGE_TIMEOUT_SECONDS", 120, minimum=1)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.text("LOG_LEVEL", "WARNING")},
}
