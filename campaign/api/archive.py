"""The whole campaign as a file: docs/archive.md."""

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.views import CampaignView
from campaign.api.jobs import JobShape
from campaign.selectors.archive import find_archive_file, may_archive
from campaign.selectors.jobs import JobRow, build_job_row
from campaign.services.archive.jobs import archive_ask

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
