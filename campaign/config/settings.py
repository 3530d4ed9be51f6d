"""Settings of the site, from the environment and safe when nothing is set.

| variable | meaning | when not set |
|---|---|---|
| SECRET_KEY | signs sessions | the file `secret-key` in AWI_VAR, written by `make run` |
| SECRET_KEY_FALLBACKS | keys it was before, comma separated: for reading alone | none |
| DEBUG | Django's debug pages | false |
| ALLOWED_HOSTS | names the site answers to, comma separated | loopback only |
| HTTPS | secure cookies, redirect to https, HSTS | true, but false on a demo or with DEBUG |
| TRUSTED_PROXY | one proxy in front sets X-Forwarded-Proto and adds to X-Forwarded-For | false |
| DATABASE_URL | `postgres://...` or `sqlite:///...` | SQLite file in AWI_VAR |
| REDIS_URL | broker and cache on Redis | broker and cache in files in AWI_VAR |
| EMAIL_URL | `smtp+tls://user:password@host:587`; e-mail is then confirmed | mail is written to the log |
| DEFAULT_FROM_EMAIL | the sender of letters | campaign@localhost |
| NOTICE_SERVICES | services beside the known ones that notices may go by, as apprise names them | none |
| NOTICE_PRIVATE_ADDRESSES | webhooks may lead into the site's own network, and be plain http | false |
| FAULT_MAIL | who is written to when something is amiss, comma separated | nobody; it is logged |
| SITE_URL | where people reach the site, for links in mail | http://127.0.0.1:8000 |
| API_PERSON_A_MINUTE | requests one person may make of the API | 600 |
| API_ADDRESS_A_MINUTE | the same for one address, which a club may share | 6000 |
| API_UNKNOWN_A_MINUTE | the same without a good token or session | 60 |
| AUDIT_DAYS | how long it is kept who signed in and what umpires did | 400 |
| ADMIN_TWO_FACTOR | /admin/ opens only to administrators with a second factor | false |
| LOG_FORMAT, LOG_LEVEL | `line` or `json`; DEBUG, INFO, WARNING | line, INFO |
| METRICS_TOKEN, METRICS_ADDRESSES | who may read /metrics: by bearer token, from these networks | nobody |
| DISK_FREE_MB | below this /ready/ says 503 | 500 |
| BACKUP_DIR, BACKUP_HOURS, BACKUP_KEEP | where, how often, how many kept | `backups/` in AWI_VAR, 24, 14 |
| AWI_VAR | folder for database, queue, cache, compiled engine | `var/` beside manage.py |
| AWI_DEMO | offer the demo doors on loopback | false |
| AWI_LAN | served to phones of the club at SITE_URL (`make run LAN=`): never a demo | false |
"""

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp import constants as csp
from django.core.exceptions import ImproperlyConfigured

from campaign.config import logs
from campaign.config.checked_values import host_names, read_url, redis_address, site_address
from campaign.config.desk_looks import UMPIRE_DESK as UMPIRE_DESK
from campaign.config.desk_looks import UNFOLD as UNFOLD
from campaign.config.environment import BASE_DIR, VAR_DIR, env

# --- running the site: its log, its figures, its backups ---

LOG_FORMAT = env.str("LOG_FORMAT", default="line")
if LOG_FORMAT not in logs.FORMATS:
    raise ImproperlyConfigured(f"LOG_FORMAT is line or json, not {LOG_FORMAT!r}.")
LOGGING = logs.logging_settings(LOG_FORMAT, env.str("LOG_LEVEL", default="INFO"))
logs.structlog_configure()
DJANGO_STRUCTLOG_CELERY_ENABLED = True  # a job's lines bear the id of the request that asked for it
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = DJANGO_STRUCTLOG_CELERY_DEFAULT_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_ADDRESSES: list[str] = env.list("METRICS_ADDRESSES", default=[])
DISK_FREE_MB = env.int("DISK_FREE_MB", default=500)

BACKUP_DIR = Path(env.str("BACKUP_DIR", default=str(VAR_DIR / "backups")))
BACKUP_KEEP = env.int("BACKUP_KEEP", default=14)
BACKUP_HOURS = env.int("BACKUP_HOURS", default=24)

# --- the site and its key ---

DEBUG = env.bool("DEBUG", default=False)

# A demo is the club's first look: the default SQLite file, on loopback. A database that somebody
# named on purpose is never a demo, whatever AWI_DEMO says.
LAN = env.bool("AWI_LAN", default=False)
DEMO = env.bool("AWI_DEMO", default=False) and not LAN and not env.str("DATABASE_URL", default="")


def _secret_key() -> str:
    """SECRET_KEY of the environment, or of the file that `make run` writes once."""
    key = env.str("SECRET_KEY", default="")
    if key:
        return key
    file = VAR_DIR / "secret-key"
    if not file.is_file():
        raise ImproperlyConfigured(
            f"There is no SECRET_KEY. Set it in the environment, or run `make secret`, which writes {file}."
        )
    return file.read_text().strip()


SECRET_KEY = _secret_key()
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = host_names(env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"]))

# --- applications ---

INSTALLED_APPS = [
    "rosters.apps.RostersConfig",
    "battles.apps.BattlesConfig",
    "campaign.apps.CampaignConfig",
    "unfold",  # before the admin: it overrides its templates
    "django.contrib.admin.apps.SimpleAdminConfig",  # its pages load with the addresses: workers need none
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "js_lib_leaflet",
    "django_celery_results",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_structlog",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "django.forms",  # last: its templates stand unless ours do (FORM_RENDERER)
]

MIDDLEWARE = [
    "campaign.config.requests_told.MetricsMiddleware",
    "campaign.api.framework.middleware.ApiProblemMiddleware",  # first: it words what the others refuse
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "campaign.config.middleware.HeadMiddleware",
    "campaign.config.middleware.ContentSecurityPolicyMiddleware",  # refusals further down have it too
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "campaign.config.middleware.RequestSizeMiddleware",  # before anybody reads what was sent
    "campaign.config.middleware.TextMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "campaign.config.requests_told.RequestLogMiddleware",  # it names the person
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "campaign.config.middleware.AskedFromMiddleware",
    "campaign.config.middleware.RefusalMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "campaign.config.urls"
WSGI_APPLICATION = "campaign.config.wsgi.application"
ASGI_APPLICATION = "campaign.config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Fields of forms are drawn with templates/django/forms where there is one of ours.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# --- database ---

_database = env.str("DATABASE_URL", default="") or f"sqlite:///{VAR_DIR / 'db.sqlite3'}"
DATABASES = {"default": read_url("DATABASE_URL", _database, env.db_url_config, "ENGINE")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # WAL lets pages read while a day is saved; IMMEDIATE takes the write lock at the start of a
    # transaction, where waiting for it (20 s) can still succeed. Django turns foreign keys on.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

# --- people ---

AUTH_USER_MODEL = "campaign.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

# --- security ---

HTTPS = env.bool("HTTPS", default=not (DEBUG or DEMO))
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# A club's other sites, below or beside this one, are not ours to move to https for a year.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REDIRECT_EXEMPT = [r"^(health|ready)/$", r"^metrics$"]  # monitors ask over plain http from inside
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
CSRF_FAILURE_VIEW = "campaign.web.access.show_csrf_failure"
X_FRAME_OPTIONS = "DENY"
DEFAULT_EXCEPTION_REPORTER_FILTER = "campaign.config.error_reports.ErrorReports"
TRUSTED_PROXY = env.bool("TRUSTED_PROXY", default=False)
if TRUSTED_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- accounts: signing up and in, confirming an address, two factors ---

# Who may set campaigns up on the site: all who have signed in, or staff.
NEW_CAMPAIGNS = env.str("NEW_CAMPAIGNS", default="all")
if NEW_CAMPAIGNS not in ("all", "staff"):
    raise ImproperlyConfigured(f"NEW_CAMPAIGNS is all or staff, not {NEW_CAMPAIGNS!r}.")
MAIL_IS_SENT = bool(env.str("EMAIL_URL", default=""))
ADMIN_TWO_FACTOR = env.bool("ADMIN_TWO_FACTOR", default=False)
AUDIT_DAYS = env.int("AUDIT_DAYS", default=400)
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # refuses who has been wrong too often; lets nobody in
    "allauth.account.auth_backends.AuthenticationBackend",
]
ACCOUNT_ADAPTER = "campaign.web.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
# Without a mail server nobody could confirm an address; then none is asked for.
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*" if MAIL_IS_SENT else "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MAIL_IS_SENT else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = MAIL_IS_SENT
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # in the browser that signed up, and there only
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_FORMS = {
    "login": "campaign.web.accounts.forms.SignInForm",
    "signup": "campaign.web.accounts.forms.SignUpForm",
    "add_email": "campaign.web.accounts.forms.EmailForm",
    "change_password": "campaign.web.accounts.forms.PasswordForm",
    "set_password": "campaign.web.accounts.forms.FirstPasswordForm",
    "reset_password": "campaign.web.accounts.forms.ForgottenForm",
    "reset_password_from_key": "campaign.web.accounts.forms.NewPasswordForm",
    "reauthenticate": "campaign.web.accounts.forms.ConfirmForm",
}
MFA_FORMS = {
    "authenticate": "campaign.web.accounts.forms.CodeForm",
    "reauthenticate": "campaign.web.accounts.forms.CodeAgainForm",
    "activate_totp": "campaign.web.accounts.forms.AuthenticatorForm",
}
MFA_ADAPTER = "campaign.web.accounts.adapter.FactorAdapter"
MFA_TOTP_ISSUER = "Campaign manager"
MFA_TOTP_TOLERANCE = 1  # a telephone's clock half a minute slow
MFA_ALLOW_UNVERIFIED_EMAIL = not MAIL_IS_SENT

# --- the API: docs/api.md ---

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "campaign.api.framework.authentication.TokenAuthentication",
        "campaign.api.framework.authentication.BrowserAuthentication",
    ],
    "DEFAULT_PARSER_CLASSES": ["campaign.api.framework.parsing.CheckedJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "campaign.api.framework.openapi.ApiSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "campaign.api.framework.problems.problem_handler",
    "URL_FORMAT_OVERRIDE": None,
    "COERCE_DECIMAL_TO_STRING": False,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Campaign manager",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,  # what a shape asks for it asks for in a PATCH too
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["campaign.api.framework.document.complete_document"],
}
# Requests in a minute: of a person, of an address (a club may share one), and of one nobody knows.
API_PERSON_A_MINUTE = env.int("API_PERSON_A_MINUTE", default=600)
API_ADDRESS_A_MINUTE = env.int("API_ADDRESS_A_MINUTE", default=6000)
API_UNKNOWN_A_MINUTE = env.int("API_UNKNOWN_A_MINUTE", default=60)

# --- language, time, files ---

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "campaign.config.formats"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": VAR_DIR / "media", "file_permissions_mode": 0o600},  # folders by the umask
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "campaign.config.static_files.HashedStaticFiles"
    },
}

# --- Redis, or files ---

REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL:
    read_url("REDIS_URL", REDIS_URL, redis_address, "SCHEME")


# Three caches of what need not last; `campaign/ops/site_cache.py` says why.
def caches_of(redis_url: str, folder: Path) -> dict[str, dict[str, Any]]:
    """The setting CACHES: in one Redis, or in files of one folder."""
    kinds = {"default": "CountedCache", "sessions": "SessionCache", "shared": "SharedCache"}
    if redis_url:
        return {
            name: {"BACKEND": f"campaign.ops.site_cache.{kind}", "LOCATION": redis_url}
            for name, kind in kinds.items()
        }
    files = {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": folder,
        "OPTIONS": {"MAX_ENTRIES": 3000},  # sessions, attempts counted, visits
    }
    # What one process lays down for another must be kept, so `shared` says when it cannot.
    lenient = {**files, "BACKEND": "campaign.ops.site_cache.FileCache"}
    return {"default": lenient, "sessions": lenient, "shared": files}


CACHES = caches_of(REDIS_URL, VAR_DIR / "cache")

SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"  # read from the cache, kept in the database
SESSION_CACHE_ALIAS = "sessions"

# --- jobs ---

JOB_WORKERS = max(1, env.int("WORKERS", default=2))  # processes of a worker, who share the machine
JOB_LEASE_SECONDS = env.int("JOB_LEASE_SECONDS", default=60)
JOB_RESEND_SECONDS = env.int("JOB_RESEND_SECONDS", default=60)
JOB_SWEEP_SECONDS = env.float("JOB_SWEEP_SECONDS", default=15.0)
# Deadlines are looked at this often; a clock silent for ten times as long is told to the umpires.
CLOCK_SECONDS = env.float("CLOCK_SECONDS", default=30.0)
CLOCK_ALARM_SECONDS = 10 * CLOCK_SECONDS
WATCH_SECONDS = 2 * CLOCK_SECONDS
ANSWERS_SWEEP_SECONDS = 3600.0
SETTLE_SWEEP_SECONDS = env.float("SETTLE_SWEEP_SECONDS", default=900.0)

CELERY_RESULT_BACKEND = "django-db"
CELERY_RESULT_EXTENDED = True
CELERY_TIMEZONE = TIME_ZONE
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_CONSUMER = "campaign.config.worker_consumer:Consumer"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULER = "campaign.config.beat_schedule:SteadyScheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "requeue-expired-jobs": {
        "task": "campaign.requeue_expired",
        "schedule": JOB_SWEEP_SECONDS,
        # A sweep nobody fetched in time is worthless: the next one does the same.
        "options": {"expires": JOB_SWEEP_SECONDS},
    },
    "keep-watch": {
        "task": "campaign.keep_watch",
        "schedule": WATCH_SECONDS,
        "options": {"expires": WATCH_SECONDS},
    },
    "strike-the-clock": {
        "task": "campaign.strike_clock",
        "schedule": CLOCK_SECONDS,
        "options": {"expires": CLOCK_SECONDS},
    },
    "forget-old-answers": {
        "task": "campaign.keys_clean_up",
        "schedule": ANSWERS_SWEEP_SECONDS,
        "options": {"expires": ANSWERS_SWEEP_SECONDS},
    },
    "back-up": {"task": "campaign.back_up", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "prune-audit": {"task": "campaign.prune_audit", "schedule": 24 * 3600.0},
    "seal-factors": {"task": "campaign.seal_factors", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "settle-overdue-battles": {
        "task": "campaign.settle_overdue",
        "schedule": SETTLE_SWEEP_SECONDS,
        "options": {"expires": SETTLE_SWEEP_SECONDS},
    },
}
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    # Who asks for work waits no longer for the queue, in seconds; the row stands, and is sent later.
    CELERY_BROKER_CONNECTION_TIMEOUT = 2.0
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"socket_connect_timeout": 2.0}
    CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0}
else:
    CELERY_BROKER_URL = "folder://localhost"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(VAR_DIR / "broker" / "queue"),
        "data_folder_out": str(VAR_DIR / "broker" / "queue"),
        "control_folder": str(VAR_DIR / "broker" / "control"),
        "polling_interval": 0.2,  # seconds; one message is fetched each time, so also the rate
    }
    for _folder in ("queue", "control"):
        (VAR_DIR / "broker" / _folder).mkdir(parents=True, exist_ok=True)
    # Workers talk to each other through the broker; with one worker on files that is only litter.
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False

# --- mail ---

_mail_url = env.str("EMAIL_URL", default="") or "consolemail://"
_mail = read_url("EMAIL_URL", _mail_url, env.email_url_config, "EMAIL_BACKEND")
EMAIL_BACKEND = _mail["EMAIL_BACKEND"].replace("django.core.mail.backends.smtp", "campaign.ops.smtp")
EMAIL_HOST = _mail.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = _mail.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _mail.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _mail.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = bool(_mail.get("EMAIL_USE_TLS"))
EMAIL_USE_SSL = bool(_mail.get("EMAIL_USE_SSL"))
EMAIL_TIMEOUT = 20  # seconds
FAULT_MAIL: list[str] = env.list("FAULT_MAIL", default=[])
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="campaign@localhost")
SITE_URL = site_address(env.str("SITE_URL", default="") or "http://127.0.0.1:8000", HTTPS)

# --- sign-in: wrong passwords and the pause after too many (django-axes) ---

# Failures are counted in the database: all machines of a site count together, and a restart forgets none.
AXES_HANDLER = "campaign.web.accounts.sign_in_guard.SignInGuard"
#: Of one person at one address; the guard says how many of an address, of a person everywhere, and of a
#: browser that knows him.
AXES_FAILURE_LIMIT = 6
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address", "username"]
AXES_COOLOFF_TIME = timedelta(minutes=15)
#: Trying on while shut out does not lengthen it.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_USERNAME_FORM_FIELD = "username"
AXES_USERNAME_CALLABLE = "campaign.web.accounts.sign_in_guard.counted_name"
AXES_CLIENT_IP_CALLABLE = "campaign.ops.callers.counted_as"
AXES_LOCKOUT_CALLABLE = "campaign.web.accounts.sign_in_guard.shut_out"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "login", "email", "code", "csrfmiddlewaretoken"]
#: Who signed in stands among the audit entries, and the lists of /admin/ are ours.
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

# --- what pages may load and connect to (django-csp) ---

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [csp.NONE],
        "script-src": [csp.SELF],
        "style-src": [csp.SELF],
        "img-src": [csp.SELF, "data:"],  # Leaflet's layer icons and empty tiles are data: URLs
        "font-src": [csp.SELF],
        "connect-src": [csp.SELF],
        "manifest-src": [csp.SELF],
        "form-action": [csp.SELF],
        "frame-ancestors": [csp.NONE],
        "base-uri": [csp.NONE],
        "object-src": [csp.NONE],
    }
}

# --- services that notifications go by, and how far their requests may reach (campaign/ops/ssrf_guard.py) ---

#: Services at an address of their own; those at a host that people name belong into NOTICE_SERVICES.
NOTICE_SERVICES: list[str] = [
    "discord", "slack", "tgram", "gchat", "wxteams", "zulip", "guilded", "revolt", "pover", "pbul", "prowl",
    *(name.lower() for name in env.list("NOTICE_SERVICES", default=[])),
]  # fmt: skip
NOTICE_PRIVATE_ADDRESSES = env.bool("NOTICE_PRIVATE_ADDRESSES", default=False)
