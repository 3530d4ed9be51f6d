"""Every choice a campaign may make, typed, with its default.

AWI-C options are those of the catalogue (`battles/rulesets/awi/catalogue.yaml`, list `options`); HR ones
are ours (`campaign/rules/catalogue.yaml`, where each has its reason).
"""

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args, get_origin

from campaign.rules.errors import RuleViolation

#: Settings that something is divided by.
DIVISORS = frozenset(
    {
        "march_minutes",
        "courier_miles",
        "works_men_days",
        "carry_miles",
        "siege_height_days",
        "felling_men_days",
        "clearing_yards",
        "sight_woods_percent",
        "short_ration_percent",
    }
)
#: The last setting of the first version; later ones follow it in the class.
LAST_OF_FIRST = "levies_enemy_miles"


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """Settings of one campaign. Distances are miles a day, times minutes, factors percent."""

    # --- the published draft (AWI-C) ---
    attrition_roll_four: Literal["no_loss", "lose_5"] = "no_loss"  # AWI-C-ATT-01
    zero_strength_penalty: Literal["on_top_of_per_point", "instead_of_per_point"] = "on_top_of_per_point"
    captured_points: Literal["instead_of_lost", "on_top_of_lost"] = "instead_of_lost"  # AWI-C-BAT-03
    surrender_counts_as_zero: bool = False  # AWI-C-BAT-03
    militia_return_scope: Literal["all_absent", "one_unit"] = "all_absent"  # AWI-C-MIL-03
    militia_return_includes_this_week: bool = True  # AWI-C-MIL-03
    militia_full_strength_points: Literal[100, 120] = 100  # AWI-C-MIL-03
    loyalist_fill_ceiling: Literal[100, 120] = 120  # AWI-C-LOY-01
    loyalist_fill_same_location: bool = True  # AWI-C-LOY-01
    weekly_net_before_cap: bool = True  # AWI-C-OVR-01
    pool_floor: Literal[0] | None = 0  # AWI-C-ELI-01
    auto_raise_units: bool = True  # AWI-C-POL-03
    location_choice: Literal["uniform_over_listed_places", "umpire_places"] = "uniform_over_listed_places"
    troop_quality: Literal["off"] = "off"  # AWI-C-QUA-01

    # --- march (HR-MAR) ---
    highway_miles: int = 15
    road_miles: int = 12
    track_miles: int = 10
    trail_miles: int = 8
    light_troops_percent: int = 125
    mounted_percent: int = 133
    wagons_percent: int = 75
    mountain_percent: int = 75
    rain_percent: int = 75
    storm_percent: int = 50
    light_order_percent: int = 150
    light_order_days: int = 3
    rest_every_days: int = 5
    march_starts: int = 4 * 60
    march_minutes: int = 10 * 60
    lake_miles: int = 20
    lake_foul_miles: int = 5
    lake_foul_wind_on: int = 2  # a die of this or less
    river_down_miles: int = 25
    river_up_miles: int = 12
    rapids_down_miles: int = 45
    rapids_up_miles: int = 15
    tidal_miles: int = 40
    portage_miles: int = 8
    wet_days_close_fords: int = 2

    # --- contact, battle, retreat (HR-CON, HR-RET) ---
    dark: int = 20 * 60
    battle_minutes: int = 6 * 60
    unordered_join_miles: int = 5
    unordered_join_on: int = 4
    avoid_on: int = 3
    avoid_lighter_on: int = 2
    tiny_fight_sp: int = 10
    tiny_fight_odds: int = 3
    tiny_fights: Literal["settle", "evade", "ask"] = "settle"
    retreat_miles: int = 8
    retreat_rain_miles: int = 5

    # --- weekly returns (HR-REC) ---
    recruitment: Literal["draft", "damped", "off"] = "draft"
    levies_stay_on: int = 5
    levies_stay_near_enemy_on: int = 3
    levies_enemy_miles: int = 10

    # --- scouting and couriers (HR-FOG, HR-COU) ---
    fog: Literal["full", "off"] = "full"
    sight_foot_miles: int = 3
    sight_light_miles: int = 6
    sight_natives_miles: int = 10
    sight_friendly_miles: int = 5
    sight_rain_percent: int = 75
    sight_storm_percent: int = 50
    sight_fog_percent: int = 50
    estimate_near_percent: int = 20
    estimate_far_percent: int = 50
    estimate_natives_percent: int = 10
    couriers: bool = False
    courier_miles: int = 40
    courier_taken_on: int = 4

    sight_woods_percent: int = 50

    # --- the calendar (HR-CAL) ---
    lock_reach: Literal["orders", "march"] = "orders"

    # --- work and boats (HR-WRK, HR-BRG, HR-BOA) ---
    works_men_days: int = 250
    works_most: int = 6
    bridge_men_days: int = 250
    raft_breaks_on: int = 1  # a die of this or less on a wet day; 0: never
    felling_men_days: int = 500  # a mile of road
    clearing_yards: int = 2200  # 1 1/4 miles a day
    boats: Literal["unlimited", "counted"] = "unlimited"
    boats_percent: int = 10
    boats_most_men: int = 1000

    # --- food (HR-SUP) ---
    supply: Literal["off", "food"] = "off"
    start_days: int = 10
    garrison_start_days: int = 42
    stock_days: int = 30
    supply_reach_days: int = 14
    carry_miles: int = 15
    carry_surplus_percent: int = 25
    carry_organised_percent: int = 90
    carry_organised_days: int = 14
    hungry_march_percent: int = 75
    short_ration_percent: int = 150
    train_rations: int = 20000
    captured_base_rations: int = 20000

    # --- rain, retreat, surrender, sieges, warriors (HR-CON-14, HR-PUR, HR-RET, HR-SUR, HR-SIE, HR-NAT) ---
    put_off_in: Literal["storm", "rain", "off"] = "storm"
    pursuit_miles: int = 5  # 0: none
    pursuit_on: int = 6
    block_retreat_parts: int = 3  # a third of the retreater's SP; 0: any enemy
    block_works_parts: int = 10  # a tenth behind works or a river
    surrender_terms: bool = True
    surrender_food_days: int = 3
    surrender_odds: int = 4
    terms_days: int = 3
    sieges: Literal["invest", "off"] = "invest"
    siege_height_miles: int = 2
    siege_height_days: int = 2
    siege_trench_days: int = 3
    summons_every_days: int = 5
    summons_on: int = 8
    natives_lost_percent: int = 10
    natives_siege_days: int = 14
    natives_leave_on: int = 4

    # --- generals (HR-LDR) ---
    span_brigade: int = 16
    span_wing: int = 32
    span_army: int = 64
    formation_units: int = 40

    # --- victory and hindsight (HR-VIC, HR-ARR-02, HR-ARR-03) ---
    scoring: Literal["weekly", "off"] = "weekly"
    final_weeks: int = 4
    chapter_weeks: int = 5  # 0: none
    sudden_death: Literal["off", "place", "army", "both"] = "off"
    arrivals: Literal["dated", "diced"] = "dated"
    arrival_spread_days: int = 10
    alternatives: bool = False

    # --- what is otherwise always so (HR-ARR-01, HR-RET-02, HR-WAT, HR-WEA-04) ---
    arrivals_shut_out: Literal["nearest_post", "wait"] = "nearest_post"
    retreat_wheels: Literal["lost", "kept"] = "lost"
    portage_days: int = 0  # 0: by miles
    tidal_foul_miles: int = 0
    works_command_water: bool = True
    rain_on_muskets: Literal[0, -1, -2] = 0

    # --- forecasts (HR-FRC) ---
    forecasts: Literal["umpire", "sides"] = "umpire"

    # --- battles one commands and watches (HR-BAT-09, HR-BAT-11) ---
    battle_plans: Literal["commanders", "stance"] = "commanders"
    battle_odds: Literal["umpire", "sides"] = "umpire"

    # --- letters (HR-LET) ---
    letters_to_enemy: Literal["free", "open", "off"] = "free"
    letters_at_once: bool = False
    letters_taken: bool = True

    def to_json(self) -> dict[str, Any]:
        """JSON values; those after `LAST_OF_FIRST` only where they differ from the default.

        So a campaign begun before they existed hashes as it did.
        """
        values = asdict(self)
        later = False
        for item in fields(self):
            if later and values[item.name] == item.default:
                del values[item.name]
            later = later or item.name == LAST_OF_FIRST
        return values

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "RuleSettings":
        """Settings from plain JSON. Raises RuleViolation for an unknown name or a wrong value."""
        known = {item.name: item.type for item in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise RuleViolation("HR-SET-01", f"There is no setting called {name}.", name)
            _verify_setting(name, known[name], value)
        return cls(**values)


def _verify_setting(name: str, kind: Any, value: Any) -> None:
    choices = list_choices(kind)
    if choices:
        # Types are compared too: to Python 100.0 and True equal 100 and 1, in the journal they do not.
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            listed = ", ".join(str(choice) for choice in choices)
            raise RuleViolation("HR-SET-01", f"{name} is {value!r}; choose one of {listed}.", name)
        return
    least = 1 if name in DIVISORS else 0
    if type(value) is not int or value < least:
        raise RuleViolation(
            "HR-SET-01", f"{name} is {value!r}; it must be a whole number of {least} or more.", name
        )


def list_choices(kind: Any) -> tuple[Any, ...]:
    """The values a setting of this type may have, () for a number."""
    if kind is bool:
        return (True, False)
    if get_origin(kind) is Literal:
        return get_args(kind)
    parts = get_args(kind)
    if parts:  # a union, as Literal[0] | None
        return tuple(
            choice for part in parts for choice in ((None,) if part is type(None) else list_choices(part))
        )
    return ()
