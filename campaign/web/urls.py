"""Addresses of the pages for people."""

from allauth.account import views as account
from django.urls import path

from campaign.web import battles, forecasts, home, map_pages, pages, papers, proof, standing, umpire

urlpatterns = [
    path("", home.front, name="front"),
    # The same addresses under two names: the site's own, and allauth's.
    path("sign-in/", account.login, name="sign-in"),
    path("sign-in/", account.login, name="account_login"),
    path("sign-up/", account.signup, name="account_signup"),
    path("sign-out/", account.logout, name="sign-out"),
    path("sign-out/", account.logout, name="account_logout"),
    path("account/", home.profile, name="profile"),
    path("demo/enter/", home.demo_enter, name="demo-enter"),
    path("campaigns/<slug:slug>/", pages.campaign_page, name="campaign"),
    path("campaigns/<slug:slug>/map.geojson", map_pages.campaign_map, name="campaign-map"),
    path("campaigns/<slug:slug>/map/list/", map_pages.map_list, name="map-list"),
    path("campaigns/<slug:slug>/orders/", pages.order_give, name="order-give"),
    path("campaigns/<slug:slug>/orders/preview/", pages.order_try, name="order-preview"),
    path("campaigns/<slug:slug>/orders/<int:pk>/withdraw/", pages.order_take_back, name="order-withdraw"),
    path("campaigns/<slug:slug>/organisation/", papers.organise, name="organise"),
    path("campaigns/<slug:slug>/choices/", papers.choose, name="choose"),
    path("campaigns/<slug:slug>/papers/<int:pk>/strike/", papers.strike, name="paper-strike"),
    path("campaigns/<slug:slug>/drafts/<int:pk>/", papers.draft, name="draft"),
    path("campaigns/<slug:slug>/receipts/", papers.receipts, name="receipts"),
    path("campaigns/<slug:slug>/receipts/<int:pk>/", papers.receipt, name="receipt"),
    path("campaigns/<slug:slug>/schedule/", pages.schedule, name="schedule"),
    path("campaigns/<slug:slug>/treaties/", standing.treat, name="treat"),
    path("campaigns/<slug:slug>/proof/", proof.proof_page, name="proof"),
    path("campaigns/<slug:slug>/proof/<slug:side>.json", proof.side_journal, name="side-journal"),
    path("campaigns/<slug:slug>/advance/", pages.advance, name="advance"),
    path("campaigns/<slug:slug>/deadline/", pages.deadline, name="deadline"),
    path("campaigns/<slug:slug>/forecast/", forecasts.forecast, name="forecast"),
    path("campaigns/<slug:slug>/forecast/stop/", forecasts.forecast_stop, name="forecast-stop"),
    path("campaigns/<slug:slug>/hand/", umpire.hand, name="hand"),
    path("campaigns/<slug:slug>/hand/dry-run/", umpire.dry_run, name="dry-run"),
    path("campaigns/<slug:slug>/hand/back/<int:pk>/", umpire.rewind, name="rewind"),
    path("campaigns/<slug:slug>/jobs/<int:pk>/", pages.job, name="job"),
    path("campaigns/<slug:slug>/battles/<int:pk>/", battles.battle, name="battle"),
    path("campaigns/<slug:slug>/battles/<int:pk>/settle/<str:by>/", battles.settle, name="battle-settle"),
    path("campaigns/<slug:slug>/battles/<int:pk>/odds/", battles.odds, name="battle-odds"),
    path("campaigns/<slug:slug>/battles/<int:pk>/odds/stop/", battles.odds_stop, name="battle-odds-stop"),
]
