"""What the server is handed, before any client of tests mends it."""

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory


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
