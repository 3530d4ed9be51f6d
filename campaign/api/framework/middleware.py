"""Refusals and faults outside the API's views, answered as problems too."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from campaign.api.framework.problems import BY_STATUS, KINDS, MEDIA_TYPE, problem_response

AT = "/api/"
#: Headers of an answer that are its body's; the others, of safety too, stay.
OF_THE_BODY = ("Content-Type", "Content-Length", "Content-Encoding", "Content-Disposition", "ETag")


class ApiProblemMiddleware:
    """Stands before all others: under /api/ each error is a problem, and nothing is kept by proxies."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if not request.path_info.startswith(AT):
            return answer
        if answer.status_code == 301 and request.method not in ("GET", "HEAD"):
            answer.status_code = 308  # after a 301 programs ask with GET, and what they send is lost
        if answer.status_code >= 400 and answer.get("Content-Type", "") != MEDIA_TYPE:
            kept = {name: value for name, value in answer.items() if name not in OF_THE_BODY}
            kind = BY_STATUS.get(
                answer.status_code, KINDS["fault" if answer.status_code >= 500 else "invalid"]
            )
            answer = problem_response(kind, headers=kept)
        if "Cache-Control" not in answer:
            answer["Cache-Control"] = "private, no-cache"
        return answer
