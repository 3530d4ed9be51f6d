"""Addresses of the API, under /api/v1/."""

from django.urls import path

from campaign.api import archive, dispatches, jobs, maps, me, notifications, proof, rulebook
from campaign.api.army import order_of_battle, prospects, situation, standing
from campaign.api.battles import (
    annulment,
    battles,
    calibration,
    odds,
    packs,
    photos,
    replays,
    resolution,
    ruleset_comparisons,
    standalone_fights,
    table_results,
)
from campaign.api.framework import document
from campaign.api.orders import orders, receipts
from campaign.api.press import bulletins, journal, publications
from campaign.api.seats import absences, invitations, own_invitations, public, seats
from campaign.api.setup import campaigns, scenarios, steps
from campaign.api.umpire import settings, tables, turns

SEAT = "campaigns/<slug:slug>/seats/<int:seat>/"
BATTLE = "campaigns/<slug:slug>/battles/<int:battle>/"

urlpatterns = [
    path("", document.redirect_to_docs, name="api-root"),
    path("schema/", document.Document.as_view(), name="api-document"),
    path("docs/", document.docs_page, name="api-docs"),
    path("problems/", document.Problems.as_view(), name="api-problems"),
    path("problems/<slug:code>/", document.ProblemKind.as_view(), name="api-problem"),
    path("me/", me.Me.as_view(), name="api-me"),
    path("rules/", rulebook.RuleList.as_view(), name="api-rules"),
    path("rules/<str:rule>/", rulebook.RuleDetail.as_view(), name="api-rule"),
    path("rulesets/", standalone_fights.Rulesets.as_view(), name="api-rulesets"),
    path("fights/", standalone_fights.FightList.as_view(), name="api-fights"),
    path("fights/check/", standalone_fights.BattleFileCheck.as_view(), name="api-fight-check"),
    path("fights/shipped/", standalone_fights.ShippedFights.as_view(), name="api-fights-shipped"),
    path("fights/shipped/<slug:name>/", standalone_fights.ShippedFile.as_view(), name="api-fight-shipped"),
    path("fights/<int:fight>/", standalone_fights.FightDetail.as_view(), name="api-fight"),
    path("fights/<int:fight>/cancel/", standalone_fights.FightCancel.as_view(), name="api-fight-cancel"),
    path("comparisons/", ruleset_comparisons.Comparisons.as_view(), name="api-comparisons"),
    path(
        "comparisons/<int:comparison>/", ruleset_comparisons.ComparisonDetail.as_view(), name="api-comparison"
    ),
    path(
        "comparisons/<int:comparison>/cancel/",
        ruleset_comparisons.ComparisonCancel.as_view(),
        name="api-comparison-cancel",
    ),
    path(
        "comparisons/<int:comparison>/again/",
        ruleset_comparisons.ComparisonRetry.as_view(),
        name="api-comparison-again",
    ),
    path("restorations/", archive.Restorations.as_view(), name="api-restorations"),
    path("restorations/<int:restoration>/", archive.RestorationDetail.as_view(), name="api-restoration"),
    path(
        "restorations/<int:restoration>/cancel/",
        archive.RestorationCancel.as_view(),
        name="api-restoration-cancel",
    ),
    path(
        "restorations/<int:restoration>/again/",
        archive.RestorationRetry.as_view(),
        name="api-restoration-again",
    ),
    path("scenarios/", scenarios.Scenarios.as_view(), name="api-scenarios"),
    path("scenarios/<slug:slug>/", scenarios.ScenarioDetail.as_view(), name="api-scenario"),
    path("campaigns/", campaigns.Campaigns.as_view(), name="api-campaigns"),
    path("campaigns/<slug:slug>/", campaigns.CampaignDetail.as_view(), name="api-campaign"),
    path("campaigns/<slug:slug>/public/", public.Public.as_view(), name="api-public"),
    path("campaigns/<slug:slug>/seats/", seats.Seats.as_view(), name="api-seats"),
    path("campaigns/<slug:slug>/seats/all/", seats.AllSeats.as_view(), name="api-seats-all"),
    path(SEAT, seats.SeatDetail.as_view(), name="api-seat"),
    path(f"{SEAT}holder/", seats.Holder.as_view(), name="api-seat-holder"),
    path(f"{SEAT}dates/", seats.Dates.as_view(), name="api-seat-dates"),
    path(f"{SEAT}offer/", seats.SeatOffer.as_view(), name="api-seat-offer"),
    path(f"{SEAT}pass/", seats.Passing.as_view(), name="api-seat-pass"),
    path(f"{SEAT}take/", public.Take.as_view(), name="api-seat-take"),
    path(f"{SEAT}leave/", public.Leave.as_view(), name="api-seat-leave"),
    path("campaigns/<slug:slug>/settings/", settings.Settings.as_view(), name="api-settings"),
    path("campaigns/<slug:slug>/settings/conduct/", settings.ConductOf.as_view(), name="api-conduct"),
    path("campaigns/<slug:slug>/settings/rules/", settings.RuleOptions.as_view(), name="api-rules-of"),
    path("campaigns/<slug:slug>/settings/rhythm/", settings.RhythmOf.as_view(), name="api-rhythm"),
    path("campaigns/<slug:slug>/settings/deadline/", settings.DeadlineOf.as_view(), name="api-deadline"),
    path(
        "campaigns/<slug:slug>/settings/spectators/", settings.SpectatorsOf.as_view(), name="api-spectators"
    ),
    path("me/notices/", notifications.Notices.as_view(), name="api-notices"),
    path("me/notices/read/", notifications.NoticesRead.as_view(), name="api-notices-read"),
    path("me/ways/", notifications.ChannelList.as_view(), name="api-ways"),
    path("me/ways/<int:number>/", notifications.ChannelDetail.as_view(), name="api-way"),
    path("me/ways/<int:number>/test/", notifications.ChannelTest.as_view(), name="api-way-test"),
    path("me/ways/<int:number>/confirm/", notifications.ChannelConfirm.as_view(), name="api-way-confirm"),
    path("me/ways/<int:number>/secret/", notifications.ChannelSecret.as_view(), name="api-way-secret"),
    path("me/calendar/", notifications.CalendarView.as_view(), name="api-calendar"),
    path("campaigns/<slug:slug>/umpire/notices/", notifications.Sent.as_view(), name="api-umpire-notices"),
    path(
        "campaigns/<slug:slug>/umpire/notices/<int:notice>/again/",
        notifications.SentAgain.as_view(),
        name="api-umpire-notice-again",
    ),
    path("campaigns/<slug:slug>/umpire/unreached/", notifications.Unreached.as_view(), name="api-unreached"),
    path("scenarios/<slug:slug>/map/", scenarios.ScenarioMap.as_view(), name="api-scenario-map"),
    path("scenarios/<slug:slug>/armies/", scenarios.Armies.as_view(), name="api-scenario-armies"),
    path(
        "scenarios/<slug:slug>/recruitment/",
        scenarios.RecruitmentOf.as_view(),
        name="api-scenario-recruitment",
    ),
    path("scenarios/<slug:slug>/sources/", scenarios.Sources.as_view(), name="api-scenario-sources"),
    path("setups/", steps.Setups.as_view(), name="api-setups"),
    path("setups/<int:number>/", steps.SetupDetail.as_view(), name="api-setup"),
    path("setups/<int:number>/scenario/", steps.ScenarioStep.as_view(), name="api-setup-scenario"),
    path("setups/<int:number>/name/", steps.NameStep.as_view(), name="api-setup-name"),
    path("setups/<int:number>/seats/", steps.SeatsStep.as_view(), name="api-setup-seats"),
    path("setups/<int:number>/rules/", steps.RulesStep.as_view(), name="api-setup-rules"),
    path("setups/<int:number>/clock/", steps.ClockStep.as_view(), name="api-setup-clock"),
    path("setups/<int:number>/battles/", steps.BattlesStep.as_view(), name="api-setup-battles"),
    path("setups/<int:number>/check/", steps.SetupReview.as_view(), name="api-setup-check"),
    path("setups/<int:number>/make/", steps.Make.as_view(), name="api-setup-make"),
    path("campaigns/<slug:slug>/gazette/<int:week>/", publications.GazetteOf.as_view(), name="api-gazette"),
    path("campaigns/<slug:slug>/book/", publications.BookOf.as_view(), name="api-book"),
    path("campaigns/<slug:slug>/book/sheet/", publications.BookSheet.as_view(), name="api-book-sheet"),
    path(
        "campaigns/<slug:slug>/days/<slug:side>/", publications.SideJournal.as_view(), name="api-side-journal"
    ),
    path("me/invitations/", own_invitations.OwnInvitations.as_view(), name="api-own-invitations"),
    path(
        "me/invitations/<int:number>/accept/",
        own_invitations.Accept.as_view(),
        name="api-own-invitation-accept",
    ),
    path("campaigns/<slug:slug>/days/", proof.Days.as_view(), name="api-days"),
    path("campaigns/<slug:slug>/journal/", journal.Journal.as_view(), name="api-journal"),
    path("campaigns/<slug:slug>/letters/", dispatches.Letters.as_view(), name="api-letters"),
    path(
        "campaigns/<slug:slug>/letters/receivers/",
        dispatches.Receivers.as_view(),
        name="api-letter-receivers",
    ),
    path(
        "campaigns/<slug:slug>/letters/<slug:code>/", dispatches.DispatchDetail.as_view(), name="api-letter"
    ),
    path(
        "campaigns/<slug:slug>/letters/<slug:code>/withdraw/",
        dispatches.DispatchWithdraw.as_view(),
        name="api-letter-withdraw",
    ),
    path("campaigns/<slug:slug>/archive/", archive.ArchiveDownload.as_view(), name="api-archive"),
    path("campaigns/<slug:slug>/bulletins/", bulletins.Bulletins.as_view(), name="api-bulletins"),
    path(
        "campaigns/<slug:slug>/bulletins/<int:week>/", bulletins.BulletinDetail.as_view(), name="api-bulletin"
    ),
    path(
        "campaigns/<slug:slug>/bulletins/<int:week>/sheet/",
        bulletins.BulletinPdf.as_view(),
        name="api-bulletin-sheet",
    ),
    path(
        "campaigns/<slug:slug>/bulletins/<int:week>/foreword/",
        bulletins.Foreword.as_view(),
        name="api-bulletin-foreword",
    ),
    path(
        "campaigns/<slug:slug>/bulletins/<int:week>/publish/",
        bulletins.Publish.as_view(),
        name="api-bulletin-publish",
    ),
    path(
        "campaigns/<slug:slug>/umpire/tables/units/preview/",
        tables.UnitsPreview.as_view(),
        name="api-units-preview",
    ),
    path("campaigns/<slug:slug>/umpire/tables/units/bring/", tables.Units.as_view(), name="api-units-bring"),
    path(
        "campaigns/<slug:slug>/umpire/tables/<slug:table>/", tables.TableDownload.as_view(), name="api-table"
    ),
    path("campaigns/<slug:slug>/jobs/", jobs.Jobs.as_view(), name="api-jobs"),
    path("campaigns/<slug:slug>/jobs/<int:job>/", jobs.JobDetail.as_view(), name="api-job"),
    path("campaigns/<slug:slug>/jobs/<int:job>/again/", jobs.JobRetry.as_view(), name="api-job-again"),
    path("campaigns/<slug:slug>/jobs/<int:job>/cancel/", jobs.JobCancel.as_view(), name="api-job-cancel"),
    path("campaigns/<slug:slug>/orders/", orders.Orders.as_view(), name="api-orders"),
    path("campaigns/<slug:slug>/orders/validate/", orders.Validate.as_view(), name="api-order-validate"),
    path("campaigns/<slug:slug>/orders/drafts/", receipts.Draft.as_view(), name="api-drafts"),
    path(
        "campaigns/<slug:slug>/orders/drafts/submit/",
        receipts.DraftsSubmit.as_view(),
        name="api-drafts-submit",
    ),
    path(
        "campaigns/<slug:slug>/orders/nothing-new/",
        receipts.NothingNew.as_view(),
        name="api-nothing-new",
    ),
    path("campaigns/<slug:slug>/orders/repeat/", receipts.Repeat.as_view(), name="api-orders-repeat"),
    path("campaigns/<slug:slug>/orders/overview/", receipts.Overview.as_view(), name="api-orders-overview"),
    path(
        "campaigns/<slug:slug>/orders/of/<str:formation>/", receipts.History.as_view(), name="api-orders-of"
    ),
    path("campaigns/<slug:slug>/orders/<int:number>/", orders.OrderDetail.as_view(), name="api-order"),
    path(
        "campaigns/<slug:slug>/orders/<int:number>/strike/",
        orders.OrderLineRemove.as_view(),
        name="api-strike",
    ),
    path(
        "campaigns/<slug:slug>/orders/<int:number>/submit/",
        receipts.DraftSubmit.as_view(),
        name="api-draft-submit",
    ),
    path("campaigns/<slug:slug>/receipts/", receipts.Receipts.as_view(), name="api-receipts"),
    path(
        "campaigns/<slug:slug>/receipts/<slug:book>/<int:number>/",
        receipts.Receipt.as_view(),
        name="api-receipt",
    ),
    path("campaigns/<slug:slug>/map/", maps.Map.as_view(), name="api-map"),
    path("campaigns/<slug:slug>/map/reach/", maps.ReachOf.as_view(), name="api-reach"),
    path("campaigns/<slug:slug>/situation/", situation.SituationDetail.as_view(), name="api-situation"),
    path("campaigns/<slug:slug>/theatre/", situation.TheatreOf.as_view(), name="api-theatre"),
    path("campaigns/<slug:slug>/army/", order_of_battle.ArmyDetail.as_view(), name="api-army"),
    path("campaigns/<slug:slug>/army/prospects/", prospects.ProspectsOf.as_view(), name="api-prospects"),
    path("campaigns/<slug:slug>/supply/", prospects.SupplyOf.as_view(), name="api-supply"),
    path("campaigns/<slug:slug>/returns/", prospects.ReturnsOf.as_view(), name="api-returns"),
    path("campaigns/<slug:slug>/army/table/", order_of_battle.ArmyTable.as_view(), name="api-army-table"),
    path(
        "campaigns/<slug:slug>/army/units/<str:unit>/",
        order_of_battle.ArmyUnitDetail.as_view(),
        name="api-army-unit",
    ),
    path("campaigns/<slug:slug>/standing/", standing.StandingOf.as_view(), name="api-standing"),
    path("campaigns/<slug:slug>/treaties/", standing.Treat.as_view(), name="api-treat"),
    path("me/absences/", absences.Absences.as_view(), name="api-absences"),
    path("me/absences/<int:number>/", absences.Back.as_view(), name="api-absence"),
    path("campaigns/<slug:slug>/invitations/", invitations.Invitations.as_view(), name="api-invitations"),
    path(
        "campaigns/<slug:slug>/invitations/<int:number>/",
        invitations.InvitationDetail.as_view(),
        name="api-invitation",
    ),
    path(
        "campaigns/<slug:slug>/invitations/<int:number>/replace/",
        invitations.InvitationReplace.as_view(),
        name="api-invitation-replace",
    ),
    path("campaigns/<slug:slug>/battles/", battles.BattleList.as_view(), name="api-battles"),
    path(BATTLE, battles.BattleDetail.as_view(), name="api-battle"),
    path(f"{BATTLE}file/", battles.File.as_view(), name="api-battle-file"),
    path(f"{BATTLE}plan/", battles.PlanView.as_view(), name="api-battle-plan"),
    path(f"{BATTLE}way/", resolution.BattleResolution.as_view(), name="api-battle-way"),
    path(f"{BATTLE}way/ground/", resolution.GroundLook.as_view(), name="api-battle-ground"),
    path(f"{BATTLE}way/adjustments/", resolution.Adjustments.as_view(), name="api-adjustments"),
    path(
        f"{BATTLE}way/adjustments/<int:number>/take-back/",
        resolution.AdjustmentBack.as_view(),
        name="api-adjustment-back",
    ),
    path(f"{BATTLE}way/sector/", resolution.Sector.as_view(), name="api-battle-sector"),
    path(f"{BATTLE}replay/", replays.ReplayOf.as_view(), name="api-replay"),
    path(f"{BATTLE}replay/write/", replays.ReplayAsk.as_view(), name="api-replay-write"),
    path(f"{BATTLE}pack/", packs.BattlePack.as_view(), name="api-pack"),
    path(f"{BATTLE}pack/file/", packs.PackFile.as_view(), name="api-pack-file"),
    path(f"{BATTLE}odds/", odds.BattleOdds.as_view(), name="api-battle-odds"),
    path(
        f"{BATTLE}comparison/", ruleset_comparisons.BattleComparison.as_view(), name="api-battle-comparison"
    ),
    path(f"{BATTLE}result/", table_results.Result.as_view(), name="api-result"),
    path(f"{BATTLE}result/entries/", table_results.Entries.as_view(), name="api-entries"),
    path(f"{BATTLE}result/casualties/", table_results.Casualties.as_view(), name="api-casualties"),
    path(f"{BATTLE}result/confirm/", table_results.Confirm.as_view(), name="api-confirm"),
    path(f"{BATTLE}photos/", photos.Photos.as_view(), name="api-photos"),
    path(f"{BATTLE}photos/<int:photo>/", photos.Photo.as_view(), name="api-photo"),
    path(
        "campaigns/<slug:slug>/calibration/", calibration.CalibrationDetail.as_view(), name="api-calibration"
    ),
    path(
        "campaigns/<slug:slug>/calibration/table/",
        calibration.CalibrationTable.as_view(),
        name="api-calibration-table",
    ),
    path("campaigns/<slug:slug>/forecasts/", odds.Forecasts.as_view(), name="api-forecasts"),
    path("campaigns/<slug:slug>/advance/", turns.Advance.as_view(), name="api-advance"),
    path("campaigns/<slug:slug>/dry-run/", turns.DryRunView.as_view(), name="api-dry-run"),
    path(f"{BATTLE}settle/", turns.Settle.as_view(), name="api-settle"),
    path("campaigns/<slug:slug>/umpire/", turns.UmpireDesk.as_view(), name="api-umpire"),
    path("campaigns/<slug:slug>/umpire/acts/", turns.Acts.as_view(), name="api-acts"),
    path("campaigns/<slug:slug>/umpire/dice/", turns.RealDiceEntry.as_view(), name="api-dice"),
    path("campaigns/<slug:slug>/umpire/rewind/", turns.CampaignRewind.as_view(), name="api-rewind"),
    path(
        "campaigns/<slug:slug>/umpire/rewind/battles/<int:battle>/",
        annulment.BattleRefight.as_view(),
        name="api-battle-again",
    ),
]
