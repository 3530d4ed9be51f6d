"""Which services notices go by, and how far requests for them may reach (campaign/ops/ssrf_guard.py)."""

from campaign.config.environment import env

#: Services at an address of their own; those at a host that people name belong into NOTICE_SERVICES.
NOTICE_SERVICES: list[str] = [
    "discord", "slack", "tgram", "gchat", "wxteams", "zulip", "guilded", "revolt", "pover", "pbul", "prowl",
    *(name.lower() for name in env.list("NOTICE_SERVICES", default=[])),
]  # fmt: skip
NOTICE_PRIVATE_ADDRESSES = env.bool("NOTICE_PRIVATE_ADDRESSES", default=False)
