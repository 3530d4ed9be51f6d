"""The pages for an address nobody knows and for a fault of ours, which are shown whatever else is broken.

They name the person, which takes the database and the cache; where those are away they go without. Under
/api/ `campaign.api.framework.middleware` makes problems of both.
"""

import logging
import re
import sys

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotFound, HttpResponseServerError
from django.shortcuts import render
from django.template import loader
from django.views.defaults import page_not_found, server_error

from campaign.fog.viewers import NotSeated, campaign_of
from campaign.ops.database_locks import damage_advice, is_database_busy, is_database_damaged, is_disk_full


class NothingThere(Http404):
    """An address with nothing on it, opened by somebody who may know that.

    `sentence` says why there is nothing; `way` is an address that leads on, called `word`.
    """

    def __init__(self, sentence: str, way: str, word: str) -> None:
        super().__init__(sentence)
        self.sentence, self.way, self.word = sentence, way, word


logger = logging.getLogger(__name__)

IN_A_CAMPAIGN = re.compile(r"/campaigns/([-\w]+)/")
#: To everybody with a seat alike, whatever was asked for.
NOT_IN_IT = (
    "This campaign has no such page, or not yet, or it is not for your seat: perhaps the day, battle, week, "
    "paper or unit is another."
)
#: Where not even templates can be had, or the files they name.
PLAIN = """<!doctype html>
<html lang="en-GB">
<title>{title}</title>
<h1>{title}</h1>
<p>{sentence}</p>
</html>
"""
NOTHING = PLAIN.format(
    title="Nothing here", sentence="There is no such page. Look whether the address is whole."
)
BROKEN = PLAIN.format(
    title="Something broke",
    sentence="The mistake is ours and has been logged. Nothing was changed; try again in a minute.",
)
#: Of a database that is locked or away; and the seconds after which it is worth asking again.
BUSY = "The database is busy and did not answer in time. Nothing was changed; try again in a minute."
RETRY_AFTER = 60
FULL = (
    "The disk of the site is full. Nothing was changed, and you can still read pages. "
    "Ask whoever runs the site to free some space."
)
DAMAGED = "The database of the site is damaged. Ask whoever runs the site to restore the newest backup."


def show_missing_page(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page."""
    try:
        if isinstance(exception, NothingThere):
            told = {"sentence": exception.sentence, "way": exception.way, "word": exception.word}
            return render(request, "404.html", told, status=404)
        if told := _build_campaign_answer(request):
            return render(request, "404.html", told, status=404)
        return page_not_found(request, exception)
    except Exception as error:
        logger.warning("The page for an unknown address names nobody: %s", error)
    try:
        return HttpResponseNotFound(loader.get_template("404.html").render())
    except Exception:
        logger.exception("The page for an unknown address cannot be shown")
        return HttpResponseNotFound(NOTHING)


def _build_campaign_answer(request: HttpRequest) -> dict[str, str]:
    """Build the answer for people with a seat in the campaign of this address; others are told nothing
    about it.
    """
    found = IN_A_CAMPAIGN.match(request.path)
    if found is None or not request.user.is_authenticated:
        return {}
    try:
        campaign = campaign_of(request.user, found[1])
    except NotSeated:
        return {}
    return {"sentence": NOT_IN_IT, "way": campaign.get_absolute_url(), "word": "To the campaign"}


def show_server_error(request: HttpRequest) -> HttpResponse:
    """A fault, which has been logged; or a database that is locked, away, full or damaged."""
    error = sys.exc_info()[1]
    if is_database_busy(error):
        return not_now(request, BUSY)
    if is_disk_full(error):
        return not_now(request, FULL)
    if is_database_damaged(error):
        logger.critical(damage_advice())
        return not_now(request, DAMAGED)
    try:
        return server_error(request)
    except Exception:
        logger.exception("The page for a fault cannot be shown")
        return HttpResponseServerError(BROKEN)


def not_now(request: HttpRequest, sentence: str) -> HttpResponse:
    """503 with the sentence, without any look into the database; under /api/ it becomes a problem."""
    if "HX-Request" in request.headers:
        answer = HttpResponse(sentence, content_type="text/plain; charset=utf-8")
    else:
        try:
            answer = HttpResponse(loader.get_template("503.html").render({"sentence": sentence}))
        except Exception:
            logger.exception("The page that nothing can be had now cannot be shown")
            answer = HttpResponse(PLAIN.format(title="Not just now", sentence=sentence))
    answer.status_code = 503
    answer["Retry-After"] = str(RETRY_AFTER)
    return answer
