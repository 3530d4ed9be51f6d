// What the cards say: a column, an enemy as reported, a place and who stands there, a way, a battle.

import { node, orderForm } from "./dom.js";

/** The card of one formation, own or enemy. */
export function formationCard(one) {
  return {
    title: one.name,
    tint: one.tint,
    rows: [one.own ? ownFacts(one) : enemyFacts(one), waiting(one), links(one)],
  };
}

/** The card of several formations at one spot: each leads to its own. */
export function stackCard(members, show) {
  if (members.length === 1) return formationCard(members[0]);
  const wheres = [...new Set(members.map(({ where }) => where))];
  const rows = wheres.flatMap((where) => [
    wheres.length > 1 ? node("h4", { textContent: where }) : null,
    list(members.filter((member) => member.where === where), show),
  ]);
  return { title: wheres.length > 1 ? `${members.length} formations` : wheres[0], tint: members[0].tint, rows };
}

/** The card of a place; `there` are the formations that stand there. */
export function placeCard(place, there, show) {
  const march = place.march ? node("a", { href: place.march, textContent: "March here" }) : null;
  if (march) fills(march, "id_destination", place.id);
  const worth = place.points ? `Objective, ${place.points} ${place.points === 1 ? "point" : "points"}` : "Objective";
  return {
    title: place.name,
    tint: place.tint,
    rows: [
      node("p", { textContent: `${place.facts}.` }),
      node("p", { textContent: place.held ? `${place.held}.` : "Nobody is known to hold it." }),
      place.objective ? node("p", { textContent: `${worth}.` }) : null,
      place.note ? node("p", { className: "soft", textContent: place.note }) : null,
      there.length ? node("h4", { textContent: "Here stand" }) : null,
      there.length ? list(there, show) : null,
      march ? node("p", { className: "map-card-links" }, march) : null,
    ],
  };
}

/** The card of places whose signs lie upon each other: which is meant? Each is a button that does its `act`. */
export function whichCard(choices) {
  const rows = choices.map(({ name, act }) => {
    const button = node("button", { type: "button", className: "plain", textContent: name });
    button.addEventListener("click", () => {
      button.closest(".map-card").hidden = true;
      act();
    });
    return node("li", {}, button);
  });
  return { title: "Which place?", rows: [node("ul", {}, ...rows)] };
}

/** The card of a road or a passage by water. */
export function routeCard({ name, facts }) {
  return { title: name, rows: [node("p", { textContent: `${facts}.` })] };
}

/** The card of a sign: works, boats, a depot, a broken bridge. */
export function signCard({ name, tint }, where) {
  return { title: where, tint, rows: [node("p", { textContent: `${name[0].toUpperCase()}${name.slice(1)}.` })] };
}

/** The card of the battles at one spot. */
export function battleCard({ battles }) {
  const rows = battles.map(({ name, state, url }) =>
    node("li", {}, node("a", { href: url, textContent: name }), node("div", { className: "soft", textContent: `${state}.` })));
  return { title: battles.length > 1 ? `${battles.length} battles` : "Battle", rows: [node("ul", {}, ...rows)] };
}

function ownFacts(one) {
  return facts([
    ["Commander", one.commander],
    ["Strength", `${one.strength}, ${one.arms}`],
    ["Where", one.where],
    ["State", one.state],
    ["Orders", one.doing],
    ["Last report", one.sighted],
  ]);
}

function enemyFacts(one) {
  const range = one.high ? ` (${one.low ?? 0} to ${one.high})` : "";
  const days = one.age ? ` (${one.age} ${one.age === 1 ? "day" : "days"} ago)` : "";
  return facts([
    ["Side", one.army],
    ["Strength", `${one.strength}${range}`],
    ["Arm", one.arms],
    [one.ghost ? "Was" : "Where", one.where],
    ["Report", one.sighted ? `${one.sighted}${days}` : ""],
  ]);
}

function facts(pairs) {
  const rows = pairs.filter(([, text]) => text).map(([name, text]) =>
    node("div", {}, node("dt", { textContent: name }), node("dd", { textContent: text[0].toUpperCase() + text.slice(1) })));
  return node("dl", {}, ...rows);
}

function waiting({ locked }) {
  if (!locked) return null;
  return node("p", { className: "map-card-links" }, ...locked.map(({ name, url }) => node("a", { href: url, textContent: `See the ${name}` })));
}

function links({ id, orders, organise, ordered, returns, journal, garrison }) {
  if (!orders && !returns) return null;
  const give = orders ? node("a", { href: orders, textContent: garrison ? "Give it work" : "Give orders" }) : null;
  if (give) fills(give, "id_formation", id);
  return node(
    "p",
    { className: "map-card-links" },
    give,
    organise ? node("a", { href: organise, textContent: "Organise" }) : null,
    ordered ? node("a", { href: ordered, textContent: "Papers" }) : null,
    returns ? node("a", { href: returns, textContent: "Returns" }) : null,
    journal ? node("a", { href: journal, textContent: "Journal" }) : null,
  );
}

// A link that fills the open order form, if there is one, and puts the card away.
function fills(link, field, value) {
  link.addEventListener("click", (event) => {
    if (!orderForm(field, value)) return;
    event.preventDefault();
    link.closest(".map-card").hidden = true;
  });
}

function list(members, show) {
  const rows = members.map((member) => {
    const name = node("button", { type: "button", className: "plain", textContent: member.name });
    name.addEventListener("click", () => show(formationCard(member)));
    const seen = member.ghost && member.sighted ? `; ${member.sighted[0].toLowerCase()}${member.sighted.slice(1)}` : "";
    const words = [member.commander, member.strength].filter(Boolean).join(", ") + seen;
    return node("li", {}, name, node("div", { className: "soft", textContent: words }));
  });
  return node("ul", {}, ...rows);
}
