"""Archives: downloaded, and imported as campaigns (docs/archive.md)."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.parsing import FormParser
from campaign.api.framework.serializers import PageQuery, Shape
from campaign.api.framework.views import ApiView, CampaignView
from campaign.api.jobs import JobShape
from campaign.models import Job, Restoration, User
from campaign.ops.rate_limit import ARCHIVE
from campaign.selectors.archive import (
    RestorationRow,
    find_archive_file,
    may_archive,
    restoration_row,
    restorations_of,
)
from campaign.selectors.jobs import JobRow, build_job_row
from campaign.services.archive.jobs import archive_ask
from campaign.services.archive.restorations import (
    MOST_PACKED,
    may_restore,
    restoration_again,
    restoration_ask,
    restoration_remove,
    restoration_stop,
)

SEEN = "The umpire's alone, without the secret of the dice; a day after the end for every seat with a desk."


class ArchiveDownload(CampaignView):
    """The campaign's archive."""

    def admit(self) -> None:
        if not may_archive(self.viewer):
            raise Http404

    @endpoint("archives_read", "The archive", files={"application/zip": "The archive."}, cost=10, seen=SEEN)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The archive of the campaign as it stands, once it is made (404 before: ask by POST)."""
        made = find_archive_file(self.viewer)
        if made is None:
            raise Http404
        name = content_disposition_header(True, f"{slug}-day-{self.campaign.day}.zip") or ""
        return HttpResponse(made, content_type="application/zip", headers={"Content-Disposition": name})

    @endpoint(
        "archives_make",
        "Make the archive",
        answer=JobShape,
        status=202,
        refuses=(422,),
        cost=20,
        seen=f"{SEEN} An umpire needs the umpire's scope, the seats that of papers.",
    )
    def post(self, request: Request, slug: str) -> JobRow:
        """Has the archive made as the campaign stands; asked for again meanwhile, it is the same job."""
        self.demand_scope(Scope.UMPIRE if self.viewer.is_umpire else Scope.ORDER)
        return build_job_row(archive_ask(campaign=self.campaign, actor=self.person), self.viewer)


SEEN_BY_KEEPERS = "Keepers of the site, each their own alone; for others there is nothing here."


class RestorationShape(Shape):
    """An archive somebody has brought in, and what became of it."""

    number = serializers.IntegerField(source="row.pk")
    title = serializers.CharField(source="row.title", help_text="As the archive calls its campaign.")
    slug = serializers.CharField(source="row.slug", help_text="The address the campaign is to have.")
    bytes = serializers.IntegerField(min_value=0, source="row.size")
    state = serializers.ChoiceField(Job.State.choices, source="job.state")
    progress = serializers.IntegerField(min_value=0, max_value=100, source="job.progress")
    note = serializers.CharField(allow_blank=True, source="job.note")
    error = serializers.CharField(allow_blank=True, help_text="Why it was refused; empty: it was not.")
    campaign = serializers.CharField(allow_blank=True, help_text="Its address, once it is there.")
    brought_at = serializers.DateTimeField(source="row.made_at")
    finished_at = serializers.DateTimeField(allow_null=True, source="job.finished_at")
    may_stop = serializers.BooleanField(source="running")
    may_again = serializers.BooleanField(help_text="Whether it may be asked for again.")


class ArchiveFileShape(Shape):
    """An archive of a campaign, with the secret of its dice."""

    media_type = "multipart/form-data"

    file = serializers.FileField(max_length=200)
    slug = serializers.CharField(
        max_length=80, allow_blank=True, default="", help_text="Another address; empty: the one it had."
    )


class RestorationView(ApiView):
    """A view for the keepers of the site; for others there is nothing here."""

    def admit(self) -> None:
        assert self.owner

    @property
    def owner(self) -> User:
        """Return the person who asks. Raises Http404 if they may not restore campaigns."""
        if not may_restore(self.person):
            raise Http404
        return self.person

    def own(self, number: int) -> Restoration:
        """One of his. Raises Http404."""
        return get_object_or_404(restorations_of(self.owner), pk=number)

    def row(self, number: int) -> RestorationRow:
        return restoration_row(self.own(number))


class Restorations(RestorationView):
    """Archives brought in."""

    parser_classes = (FormParser,)

    @endpoint(
        "restorations_list",
        "Archives I have brought in",
        answer=build_page_shape(RestorationShape),
        query=PageQuery,
        seen=SEEN_BY_KEEPERS,
    )
    def get(self, request: Request) -> dict[str, Any]:
        """The last of them, the newest first."""
        return build_page([restoration_row(row) for row in restorations_of(self.owner)], self.asked)

    @endpoint(
        "restorations_ask",
        "Restore a campaign from its archive",
        answer=RestorationShape,
        status=202,
        body=ArchiveFileShape,
        scope=Scope.UMPIRE,
        largest=MOST_PACKED + 64 * 1024,
        cost=ARCHIVE,
        seen=SEEN_BY_KEEPERS,
    )
    def post(self, request: Request) -> RestorationRow:
        """Has an archive gone through by a worker; then its campaign is there, and you umpire it.

        Every other seat is empty, and there is no deadline. What is wrong with the archive itself is told in
        `error`, and nothing is written. Rules: HR-ARC-03, HR-SET-02."""
        file: UploadedFile[Any] = self.given["file"]
        data = file.read(MOST_PACKED + 1)
        return self.row(restoration_ask(data=data, actor=self.owner, slug=self.given["slug"]).pk)


class RestorationDetail(RestorationView):
    """One archive."""

    @endpoint("restorations_read", "How far an archive is", answer=RestorationShape, seen=SEEN_BY_KEEPERS)
    def get(self, request: Request, restoration: int) -> RestorationRow:
        """One archive; ask again every few seconds with If-None-Match."""
        return self.row(restoration)

    @endpoint("restorations_remove", "Take an archive away", scope=Scope.UMPIRE, seen=SEEN_BY_KEEPERS)
    def delete(self, request: Request, restoration: int) -> None:
        """Takes a file off the list; a campaign it gave stays. Rules: HR-ARC-03."""
        restoration_remove(restoration=self.own(restoration))


class RestorationCancel(RestorationView):
    """Stopping the work."""

    @endpoint(
        "restorations_cancel",
        "Stop going through an archive",
        answer=RestorationShape,
        scope=Scope.UMPIRE,
        seen=SEEN_BY_KEEPERS,
    )
    def post(self, request: Request, restoration: int) -> RestorationRow:
        """Stops it; nothing is written. Ended already: HR-JOB-02."""
        restoration_stop(restoration=self.own(restoration), actor=self.owner)
        return self.row(restoration)


class RestorationRetry(RestorationView):
    """Asking again."""

    @endpoint(
        "restorations_again",
        "Go through an archive again",
        answer=RestorationShape,
        scope=Scope.UMPIRE,
        cost=20,
        seen=SEEN_BY_KEEPERS,
    )
    def post(self, request: Request, restoration: int) -> RestorationRow:
        """One that failed or was stopped, while its file is kept. Rules: HR-ARC-03, HR-JOB-02."""
        restoration_again(restoration=self.own(restoration), actor=self.owner)
        return self.row(restoration)
