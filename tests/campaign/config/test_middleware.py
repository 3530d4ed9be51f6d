"""What the server is handed, before any client of tests mends it."""

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse
from django.test import RequestFactory

from campaign.config.middleware import TextMiddleware


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/health/", "/sign-in/", "/static/css/site.css", "/nowhere/"])
def test_an_answer_to_head_has_the_length_of_the_body_and_no_body(page):
    said = {}

    def begun(status, headers):
        said.update(headers)

    environ = RequestFactory().head(page).environ
    answer = WSGIHandler()(environ, begun)
    body = b"".join(answer)
    answer.close()
    assert body == b"" and int(said.get("Content-Length", "1")) > 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a\0b", "Character 2 is an invisible control character (U+0000); remove it."),
        ("\x1b[31m", "Character 1 is an invisible control character (U+001B); remove it."),
        (
            "a\u202e",
            "Character 2 is an invisible character that turns the direction of writing (U+202E); remove it.",
        ),
    ],
)
def test_a_form_with_text_nobody_can_keep_is_refused_with_a_sentence(client, text, fault):
    answer = client.post("/sign-up/", {"username": text})
    assert answer.status_code == 400 and f"In the field “username”: {fault}" in answer.content.decode()
    scripted = client.post("/sign-up/", {"username": text}, headers={"HX-Request": "true"})
    assert scripted.status_code == 400 and scripted["Content-Type"].startswith("text/plain")
    assert scripted.content.decode() == f"In the field “username”: {fault}"


@pytest.mark.django_db
def test_texts_of_forms_are_composed_and_passwords_are_as_typed():
    seen = {}

    def view(request):
        seen.update(request.POST.lists())
        return HttpResponse()

    sent = {"name": "cafe\u0301\r\nb", "password1": "cafe\u0301"}
    TextMiddleware(view)(RequestFactory().post("/", sent))
    assert seen == {"name": ["caf\u00e9\nb"], "password1": ["cafe\u0301"]}
