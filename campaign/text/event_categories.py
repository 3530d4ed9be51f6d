"""Kinds of journal entries by what they tell of, for whoever looks for some of them."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Department:
    """Some kinds of event under one heading."""

    title: str
    kinds: frozenset[str]


def _build_department(title: str, kinds: str) -> Department:
    return Department(title, frozenset(kinds.split()))


DEPARTMENTS: Mapping[str, Department] = {
    "battles": _build_department(
        "Battles and contacts",
        "contact stand_off flight escape contact_at_dusk put_off_by_rain truce pursuit joins_battle"
        " called_to_battle battle retreat force_surrendered unit_surrendered battle_loss wheels_abandoned"
        " battle_annulled result_kept battle_way battle_adjusted adjustment_undone battle_split",
    ),
    "sieges": _build_department(
        "Sieges and surrenders", "siege_laid siege_raised works_battered summons terms_begun terms_broken"
    ),
    "marches": _build_department(
        "Marches and posts",
        "arrives passes halts march_held_up order_refused place_taken forced_march rejoined no_trace"
        " crossing_broken road_found_felled road_cleared",
    ),
    "scouting": _build_department(
        "The enemy, and couriers",
        "enemy_sighted enemy_gone report_received dispatch_sent order_arrives dispatch_taken"
        " dispatch_slips_through told_by_courier rumour",
    ),
    "works": _build_department(
        "Works, bridges, boats",
        "entrenched works_dismantled bridge_broken bridge_mended bridge_repaired raft_begun raft_laid"
        " raft_breaks raft_holds road_felled boats_gathered",
    ),
    "generals": _build_department(
        "Generals",
        "general_lost general_away general_captured general_healed general_arrives general_leaves"
        " command_passes command_taken exchange_offered generals_exchanged",
    ),
    "food": _build_department(
        "Food", "hungry hunger_loss line_broken line_open magazine_taken ration_set depot_laid"
    ),
    "army": _build_department(
        "Organisation and arrivals",
        "detached transferred escorted joined garrisoned organisation_refused arrived arrival_waits"
        " alternative date_settled",
    ),
    "returns": _build_department(
        "Returns: recruits, losses, pools",
        "enlistments recruits attrition militia militia_went_home militia_return_roll militia_returned"
        " levy_departed levy_stays replacements_roll replacements loyalist_fill balanced choice_refused"
        " choice_lapsed overstrength unit_eliminated unit_rebuilt unit_raised pool_spent downgraded"
        " muster_waits warriors_leave warriors_stay",
    ),
    "weather": _build_department("Weather", "weather weather_decided"),
    "standing": _build_department(
        "Victory and terms",
        "campaign_begins campaign_ended chapter_ends points_scored goal_reckoned terms_offered terms_refused"
        " terms_withdrawn",
    ),
    "umpire": _build_department(
        "The umpire",
        "umpire_act placed unit_added points_changed renamed order_changed order_cancelled paper_struck"
        " campaign_paused campaign_resumed deadline_moved deadline_dropped rhythm_changed rules_changed"
        " conduct_changed die_entered rewound general_set"
        " holder_set food_set",
    ),
}
