"""Staff officers for seats nobody commands (HR-BOT-01): sensible orders, and random ones to compare with.

A staff knows what its side knows (`campaign.ai.assessment`). It throws no dice: the same morning gives
the same orders. Only what changes is ordered; a column on its way is left alone.
"""

from collections.abc import Mapping

from campaign.ai.assessment import StaffArmy, StaffBody, StaffSituation, assess_situation
from campaign.ai.order_writer import Intent, draft_order
from campaign.rules.world.world import Order, World

#: Percent of the enemy's strength, works counted, a staff wants before it attacks (HR-BOT-03).
ATTACK_PERCENT = 130
#: SP below which a body goes on no errand of its own but joins an army or stays (HR-BOT-03).
SMALLEST_COLUMN = 12
#: Percent of the enemy's strength with which, works counted, a staff makes a stand (HR-BOT-04).
STAND_PERCENT = 75
#: The enemy's percent of one's own strength, works counted, before which a staff falls back (HR-BOT-04);
#: the second holds on ground that is not one's own, where nothing is gained by staying.
RETIRE_PERCENT, RETIRE_ABROAD_PERCENT = 140, 110
#: Days of march within which a threat is answered (HR-BOT-04).
THREAT_DAYS = 3
#: Days of march within which an army goes for what a stronger one goes for (HR-BOT-05).
SUPPORT_DAYS = 3
#: Days of march within which an army joins a stronger one: from a valuable place, from elsewhere, and to
#: take together what none can take alone (HR-BOT-05).
JOIN_DAYS_FROM_POST, JOIN_DAYS, CONCERT_DAYS = 3, 8, 6
#: SP of a guard, the most a lone body may have and still be one, and the days of march within which a
#: valuable place counts as exposed (HR-BOT-06).
GUARD_SP, GUARD_MOST_SP, EXPOSED_DAYS = 5, 20, 5
#: A body may be so many minutes ahead of the main body before it waits (HR-BOT-05).
AHEAD_MINUTES = 240


def staff_orders(world: World, side: str, enemy_quality: int | None = None) -> list[Order]:
    """Orders of the staff of `side` for the coming day, changes only (HR-BOT-01).

    Deterministic; nothing the side may not know is looked at. `enemy_quality` is as in `assess_situation`.
    """
    situation = assess_situation(world, side, enemy_quality)
    intents = {body.id: Intent(body.place) for body in _select_guards(situation)}
    stands = _choose_stands(situation)
    aims: dict[str, str] = {}
    for army in situation.armies:
        bodies = tuple(body for body in army.bodies if body.id not in intents)
        if bodies:
            intents.update(_army_intents(situation, StaffArmy(bodies, army.main), stands, aims))
    orders = (draft_order(situation, body, intents[body.id]) for body in situation.free if body.id in intents)
    return [order for order in orders if order is not None]


def _army_intents(
    situation: StaffSituation, army: StaffArmy, stands: Mapping[str, str], aims: dict[str, str]
) -> dict[str, Intent]:
    """Return an army's intents, the most urgent first: fall back, support, attack or stand, join, or wait.

    `aims` are the objectives of the stronger armies, by where they stand; an army that attacks adds its own.
    """
    if _is_outnumbered(situation, army):
        return _fall_back(situation, army, stands)
    detached = _select_detachment(army, stands)
    intents = {
        body.id: Intent(stands[body.id], "give_battle", situation.enemy_places, pressing=True)
        for body in detached
    }
    left = tuple(body for body in army.bodies if body not in detached)
    if not left:
        return intents
    army = StaffArmy(left, situation.main_of(left))
    stand = next((stands[body.id] for body in left if body.id in stands), None)
    aim, score = _choose_aim(situation, army, aims)
    meeting, together = (None, 0) if aim is not None else _find_rendezvous(situation, army)
    if stand is not None and max(score, together) < situation.score(army.main, stand):
        return intents | {
            body.id: Intent(stand if body.sp else army.main, "give_battle", situation.enemy_places, True)
            for body in left
        }
    if aim is not None:
        aims[army.main] = aim
        return intents | _build_advance_intents(situation, army, aim)
    return intents | _build_wait_intents(situation, army, meeting or _army_to_join(situation, army, aims))


def _build_wait_intents(situation: StaffSituation, army: StaffArmy, join: str | None) -> dict[str, Intent]:
    """Bodies with nothing to attack or bar go to their parent, to the army joined, or stay together."""
    intents = {}
    for body in army.bodies:
        wait = body.place if situation.mine(body.place) and body.place in situation.worth else army.main
        place = _parent_place(situation, body) or join or wait
        intents[body.id] = Intent(place, "give_battle", situation.enemy_places)
    return intents


def _select_detachment(army: StaffArmy, stands: Mapping[str, str]) -> tuple[StaffBody, ...]:
    """The bodies told off for a stand, when they are few enough for the army to go on without them."""
    told_off = tuple(body for body in army.bodies if body.id in stands)
    return told_off if sum(body.sp for body in told_off) * 3 <= army.sp else ()


def _choose_aim(
    situation: StaffSituation, army: StaffArmy, aims: Mapping[str, str]
) -> tuple[str | None, int]:
    """The objective of an army and its score: its own, or that of a stronger army near it."""
    reach = SUPPORT_DAYS * situation.world.settings.march_minutes
    leaders = [main for main in aims if situation.foot.minutes(army.main, main) <= reach]
    if not leaders:
        return _choose_objective(situation, army, frozenset(aims.values()))
    aim = aims[min(leaders, key=lambda main: (situation.foot.minutes(army.main, main), main))]
    if army.sp >= SMALLEST_COLUMN and _can_take(situation, army, aim):
        return aim, situation.score(army.main, aim)
    return None, 0


# --- falling back (HR-BOT-04) ---


def _is_outnumbered(situation: StaffSituation, army: StaffArmy) -> bool:
    """True when the enemy within a day's march is too strong for what stands within a day's march."""
    day = situation.world.settings.march_minutes
    enemy = situation.enemy_near(army.main, day)
    if not enemy:
        return False
    own = sum(body.sp for body in situation.bodies if situation.foot.minutes(body.place, army.main) <= day)
    if situation.mine(army.main):
        return enemy * 10_000 > RETIRE_PERCENT * own * situation.works(army.main)
    in_contact = situation.enemy_near(army.main, 0) > 0
    return enemy * 100 > (RETIRE_ABROAD_PERCENT if in_contact else RETIRE_PERCENT) * own


def _fall_back(situation: StaffSituation, army: StaffArmy, stands: Mapping[str, str]) -> dict[str, Intent]:
    """To a refuge reached before the enemy; with none left, the army gives battle where it stands."""
    refuge = _find_refuge(situation, army, frozenset(stands.values()))
    if refuge is None:
        return {body.id: Intent(army.main, "give_battle", pressing=True) for body in army.bodies}
    return {body.id: Intent(refuge, "avoid", situation.enemy_places, pressing=True) for body in army.bodies}


def _find_refuge(situation: StaffSituation, army: StaffArmy, stands: frozenset[str]) -> str | None:
    """The nearest friendly place the enemy is further from than from here, and cannot reach first."""
    foot, main = situation.foot, army.main
    posts = set(situation.world.theatre.supply.get(situation.side, ())) | stands
    posts |= {other.main for other in situation.armies} | {p for p in situation.worth if situation.mine(p)}

    def lead(place: str) -> int:
        return min(foot.minutes(enemy.place, place) for enemy in situation.enemies)

    open_posts = [
        (foot.minutes(main, post), post)
        for post in posts - {main}
        if not situation.hostile(post)
        and lead(post) > lead(main)
        and lead(post) > foot.minutes(main, post)
        and foot.path(main, post, situation.enemy_places - {main}) is not None
    ]
    if open_posts:
        return min(open_posts)[1]
    neighbours = [
        (-lead(place), place)
        for place in situation.foot.neighbours(main)
        if lead(place) > lead(main) and not situation.hostile(place)
    ]
    return min(neighbours)[1] if neighbours else None


# --- making a stand (HR-BOT-04) ---


def _choose_stands(situation: StaffSituation) -> dict[str, str]:
    """Return the places where bodies gather to bar the enemy's way: body id -> place.

    Of the valuable places the enemy threatens, the foremost that can be held in time by what can be
    there in time, works counted.
    """
    day = situation.world.settings.march_minutes
    foot = situation.foot
    threatened = []
    for place in situation.worth:
        if situation.mine(place) and (threat := situation.threat_to(place, THREAT_DAYS * day)):
            nearest = min(foot.minutes(enemy.place, place) for enemy in situation.afield)
            threatened.append((nearest, -situation.worth[place], place, threat))
    stands: dict[str, str] = {}
    held: list[str] = []
    for nearest, _, place, threat in sorted(threatened):
        if any(foot.minutes(stand, place) <= day for stand in held):
            continue  # whoever stands there bars this place's way too
        coming = sorted(
            (foot.minutes(body.place, place), body.sp, body.id)
            for body in situation.free
            if body.id not in stands and body.sp and foot.minutes(body.place, place) <= max(nearest, day)
        )
        works = situation.works(place)
        strength = sum(body.sp for body in situation.bodies if body.tied and body.place == place)
        if (strength + sum(sp for _, sp, _ in coming)) * works < STAND_PERCENT * threat:
            continue
        held.append(place)
        for _, sp, body in coming:
            if strength * works >= 100 * threat:
                break
            stands[body] = place
            strength += sp
    return stands


# --- marching on objectives (HR-BOT-03) ---


def _choose_objective(
    situation: StaffSituation, army: StaffArmy, claimed: frozenset[str]
) -> tuple[str | None, int]:
    """The place most worth the march that this army is strong enough to take, with its score.

    A place's score is its worth over the days of march, halved when another army is after it.
    """
    if army.sp < SMALLEST_COLUMN:
        return None, 0
    best, best_score = None, 0
    for place in sorted(situation.worth):
        if situation.mine(place):
            continue
        score = situation.score(army.main, place)
        if place in claimed:
            score //= 2
        if score > best_score and _can_take(situation, army, place):
            best, best_score = place, score
    return best, best_score


def _too_strong(situation: StaffSituation, army: StaffArmy) -> frozenset[str]:
    """Places with enemies this army should not meet, and objectives whose day has not come."""
    return situation.not_yet.union(
        place for place in situation.enemy_places if situation.need_to_take(place, ATTACK_PERCENT) > army.sp
    )


def _can_take(situation: StaffSituation, army: StaffArmy, place: str) -> bool:
    if situation.need_to_take(place, ATTACK_PERCENT) > army.sp:
        return False
    foot = situation.foot
    path = foot.path(army.main, place, _too_strong(situation, army))
    # A way round that is half as long again is not the march that was weighed.
    return path is not None and 2 * foot.length(army.main, path) <= 3 * foot.minutes(army.main, place)


def _build_advance_intents(situation: StaffSituation, army: StaffArmy, objective: str) -> dict[str, Intent]:
    """The march of an army: gathered before it meets the enemy, light troops not far ahead, trains behind."""
    foot, day = situation.foot, situation.world.settings.march_minutes
    shun = _too_strong(situation, army)
    path = foot.path(army.main, objective, shun) or (objective,)
    meeting = next((place for place in path if situation.enemy_at(place)), objective)
    if situation.enemy_at(meeting) and meeting not in situation.visible and meeting != path[0]:
        objective = path[path.index(meeting) - 1]  # look at it before it is attacked
    need = situation.need_to_take(meeting, ATTACK_PERCENT)
    distance = foot.minutes(army.main, meeting)
    massed = sum(body.sp for body in army.bodies if body.place == army.main)
    gather = distance <= day and massed < min(need, army.sp)
    intents = {}
    for body in army.bodies:
        ahead = distance - foot.minutes(body.place, meeting)
        if not body.sp or (gather and body.place != army.main):
            intents[body.id] = Intent(army.main, "give_battle", situation.enemy_places)
        elif gather or (need and ahead > AHEAD_MINUTES):
            intents[body.id] = Intent(body.place, "give_battle", shun)
        else:
            intents[body.id] = Intent(objective, "attack", shun, pressing=distance <= day)
    return intents


# --- joining and guarding (HR-BOT-05, HR-BOT-06) ---


def _army_to_join(situation: StaffSituation, army: StaffArmy, aims: Mapping[str, str]) -> str | None:
    """Return the place of the stronger army that is best joined; None if none is near enough.

    An army that is nearer to the stronger one's objective lets it come up; trains alone stay.
    """
    day, foot = situation.world.settings.march_minutes, situation.foot
    at_post = situation.mine(army.main) and army.main in situation.worth
    reach = (JOIN_DAYS_FROM_POST if at_post else JOIN_DAYS) * day
    here = situation.worth.get(army.main, 0) if at_post else 0

    def calls(other: StaffArmy) -> bool:
        """Whether an army is a reason to leave a post: it holds a better one, or the enemy is near it."""
        better = situation.worth.get(other.main, 0) >= here
        return better or situation.threat_to(other.main, THREAT_DAYS * day) > 0

    near = [
        (-other.sp * 1000 // (day + foot.minutes(army.main, other.main)), other.main)
        for other in situation.armies
        if other.sp > army.sp > 0
        and calls(other)
        and foot.minutes(army.main, other.main) <= reach
        and foot.path(army.main, other.main, situation.enemy_places) is not None
    ]
    if not near:
        return None
    join = min(near)[1]
    aim = aims.get(join)
    ahead = aim is not None and foot.minutes(army.main, aim) < foot.minutes(join, aim)
    return army.main if ahead else join


def _find_rendezvous(situation: StaffSituation, army: StaffArmy) -> tuple[str | None, int]:
    """Return the place for armies to gather that can take an objective only together, and that
    objective's score.

    They gather with the strongest of them.
    """
    reach, foot = CONCERT_DAYS * situation.world.settings.march_minutes, situation.foot
    here = situation.worth.get(army.main, 0) if situation.mine(army.main) else 0
    for place in sorted(situation.worth, key=lambda each: (-situation.worth[each], each)):
        need = situation.need_to_take(place, ATTACK_PERCENT)
        near = not situation.mine(place) and foot.minutes(army.main, place) <= reach
        if not near or not army.sp or need <= army.sp or situation.worth[place] <= here:
            continue
        allies = [ally for ally in situation.armies if foot.minutes(ally.main, place) <= reach]
        if need <= sum(ally.sp for ally in allies):
            return allies[0].main, situation.score(army.main, place)
    return None, 0


def _parent_place(situation: StaffSituation, body: StaffBody) -> str | None:
    """Return the place of the formation that a detachment belongs to (HR-FOR-01)."""
    return next((other.place for other in situation.bodies if other.id == body.formation.parent), None)


def _select_guards(situation: StaffSituation) -> list[StaffBody]:
    """The smallest fit body in each valuable place that is exposed and has no garrison."""
    day = situation.world.settings.march_minutes
    guards = []
    for place in sorted(situation.worth):
        if not situation.mine(place) or not _is_exposed(situation, place, EXPOSED_DAYS * day):
            continue
        here = [body for body in situation.bodies if body.place == place and not body.on_route]
        free = sorted((body.sp, body.id, body) for body in here if not body.tied and body.sp >= GUARD_SP)
        if not free or sum(body.sp for body in here if body.tied) >= GUARD_SP:
            continue
        sp, _, guard = free[0]
        alone = len(free) == 1 and sp <= GUARD_MOST_SP
        spare = sp * 5 <= sum(strength for strength, _, _ in free)
        if (alone or spare) and not _is_outnumbered(situation, StaffArmy((guard,), place)):
            guards.append(guard)
    return guards


def _is_exposed(situation: StaffSituation, place: str, minutes: int) -> bool:
    foot = situation.foot
    return any(foot.minutes(enemy.place, place) <= minutes for enemy in situation.enemies) or any(
        foot.minutes(other, place) <= minutes for other in situation.holders if situation.hostile(other)
    )
