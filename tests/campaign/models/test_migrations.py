"""The squashed migration makes what the migrations it replaces made."""

from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

SQUASHED = ("campaign", "0001_squashed_0041_armies_of_drafts")


def state_after(loader: MigrationLoader, node: tuple[str, str]) -> ProjectState:
    state = loader.project_state(node)
    state.clear_delayed_apps_cache()
    return state


def test_the_squashed_migration_ends_where_those_it_replaces_end() -> None:
    loader = MigrationLoader(None, replace_migrations=False)
    replaced = loader.disk_migrations[SQUASHED].replaces
    on_disk = {key for key in loader.disk_migrations if key[0] == "campaign" and key <= replaced[-1]}
    assert set(replaced) == on_disk - {SQUASHED}
    apart, at_once = state_after(loader, replaced[-1]), state_after(loader, SQUASHED)
    for before, after in ((apart, at_once), (at_once, apart)):
        changes = MigrationAutodetector(before, after).changes(loader.graph)
        assert not changes.get("campaign"), [one.describe() for one in changes["campaign"][0].operations]


def test_a_new_database_is_made_by_the_squashed_migration_alone() -> None:
    loader = MigrationLoader(None)
    assert SQUASHED in loader.graph.nodes
    assert not any(key in loader.graph.nodes for key in loader.disk_migrations[SQUASHED].replaces)
