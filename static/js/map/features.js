// Routes by class, places by kind, signs at them, marches ordered, battles: each drawn into its layer.

import { battleCard, placeCard, routeCard, signCard, whichCard } from "./cards.js";
import { node, onChosen, symbol } from "./dom.js";

const MINOR = new Set(["farm", "crossing", "portage", "camp", "village"]);
const RANK = { city: 0, fort: 1, town: 2, village: 3, camp: 4, crossing: 4, portage: 4, farm: 5 };
const SIZE = { city: 25, fort: 22, town: 20 };
const WORKS = new Set(["fort", "fortress", "stockade"]);
const WATER = new Set(["river", "lake", "sea"]);
const BESIDE = 11; // pixels from the middle of a place to what stands left of it: star, swords, signs
const STAR = 13;
const SWORDS = 26;
const UPON = 14; // pixels between two signs that a finger cannot tell apart
const LAYER = 2000; // of a greater place over a lesser; a marker's own height is its pixels on the screen

const points = (feature) => feature.geometry.coordinates.map(([lon, lat]) => [lat, lon]);
const spot = ({ geometry }) => [geometry.coordinates[1], geometry.coordinates[0]];
const key = ({ geometry }) => geometry.coordinates.join();

/** A renderer for lines in the pane below the places; one for all days. */
export const ways = () => L.svg({ pane: "ways", padding: 0.4 });

export function routes(layers, features, renderer, show) {
  const layerOf = ({ kind }) => layers.group(WATER.has(kind) ? "water" : "roads");
  const line = (feature, name, interactive) =>
    L.polyline(points(feature), { pane: "ways", renderer, className: `way way-${name}`, interactive })
      .addTo(layerOf(feature.properties));
  for (const feature of features.filter(({ properties }) => properties.kind === "highway")) {
    line(feature, "highway-casing", false);
  }
  for (const feature of features) {
    onChosen(line(feature, feature.properties.kind, true), () => show(routeCard(feature.properties)));
  }
}

/** Draws the places into a group of their own and answers with their names, the greatest first; one that
 * `pick` takes shows no card. Where signs lie upon each other, the greater on top, it is asked which is meant. */
export function places(layers, group, features, formations, symbols, show, pick) {
  const ordered = [...features].sort((a, b) => rankOf(a) - rankOf(b));
  const drawnPlaces = [];
  return ordered.map((feature) => {
    const { properties: place } = feature;
    const label = node("span", { className: "label", textContent: place.name });
    const drawn = node("div", {}, symbol(symbols, drawing(place), SIZE[place.kind] ?? 18), label);
    const minor = isMinor(place);
    const icon = L.divIcon({
      className: `place place-${place.kind}${minor ? " place-minor" : ""}${place.objective ? " place-objective" : ""}${place.tint ? ` tint-${place.tint}` : ""}`,
      html: drawn,
      iconSize: [24, 24],
    });
    const marker = L.marker(spot(feature), { icon, title: place.name, alt: place.name, zIndexOffset: heightOf(feature) }).addTo(group);
    const there = () => formations.filter(({ properties }) => properties.place === place.id).map(({ properties }) => properties);
    const act = (element) => pick(place) || show(placeCard(place, there(), show), element);
    const own = { name: place.name, marker, act: () => act(marker.getElement()) };
    drawnPlaces.push(own);
    onChosen(marker, (element, pointed) => {
      const others = pointed ? drawnPlaces.filter((other) => other !== own && upon(other.marker, marker)) : [];
      if (others.length) show(whichCard([own, ...others]), element);
      else act(element);
    });
    if (place.objective) objective(layers, feature, symbols);
    return label;
  });
}

// Whether the sign of one place, if it is drawn, lies upon another's.
function upon(other, marker) {
  const [a, b] = [other, marker].map((each) => each.getElement().querySelector("svg"));
  const [p, q] = [a, b].map((svg) => svg.getBoundingClientRect());
  const apart = Math.hypot(p.left + p.right - q.left - q.right, p.top + p.bottom - q.top - q.bottom) / 2;
  return apart < UPON && getComputedStyle(a).visibility === "visible";
}

/** Whether a place is left out where the map is seen from far. */
export const isMinor = ({ kind, fortification, objective: worth }) => MINOR.has(kind) && !WORKS.has(fortification) && !worth;

function objective(layers, feature, symbols) {
  const icon = L.divIcon({ className: "objective", html: node("div", {}, symbol(symbols, "star", 12)), iconSize: [0, 0] });
  L.marker(spot(feature), { icon, interactive: false, keyboard: false, pane: "signs" }).addTo(layers.group("objectives"));
}

const heightOf = (feature) => -LAYER * (2 * rankOf(feature) + (feature.properties.fortification === "fortress" ? 0 : 1));
const rankOf = ({ properties }) => (RANK[properties.kind] ?? 5) - (properties.objective ? 1 : 0);

function drawing({ kind, fortification }) {
  if (kind === "city" || (kind === "town" && fortification === "none")) return kind;
  return fortification !== "none" ? fortification : kind;
}

/** Works, boats, depots and the like: left of their place, or in the middle of their road. */
export function signs(layers, features, kinds, symbols, show) {
  const named = new Map([...kinds.place, ...kinds.route].map(({ properties: { id, name } }) => [id, name]));
  const starred = stars(kinds.place);
  const fought = new Set(kinds.battle.map(key));
  for (const here of grouped(features).values()) {
    const onRoad = Boolean(here[0].properties.route);
    const drawn = here.map(({ properties: { kind, tint } }) => {
      const svg = symbol(symbols, `sign-${kind}`, 14);
      if (tint) svg.classList.add(`tint-${tint}`);
      return svg;
    });
    const words = here.map(({ properties }) => properties.name).join("; ");
    const icon = L.divIcon({
      className: `sign${onRoad ? " sign-on-road" : ""}`,
      html: node("div", {}, ...drawn),
      iconSize: [0, 0],
      iconAnchor: [onRoad ? 0 : BESIDE + (starred.has(key(here[0])) ? STAR : 0) + (fought.has(key(here[0])) ? SWORDS : 0), 0],
    });
    const where = named.get(here[0].properties.place || here[0].properties.route) ?? "";
    const marker = L.marker(spot(here[0]), { icon, title: words, alt: words, pane: "signs" }).addTo(layers.group("signs"));
    onChosen(marker, (element) => show(signCard({ ...here[0].properties, name: words }, where), element));
  }
}

const stars = (places) => new Set(places.filter(({ properties }) => properties.objective).map(key));

function grouped(features) {
  const found = new Map();
  for (const feature of features) found.set(key(feature), [...(found.get(key(feature)) ?? []), feature]);
  return found;
}

export function marches(layers, features, show) {
  for (const feature of features) {
    const { tint, name } = feature.properties;
    const line = L.polyline(points(feature), { className: `march tint-${tint}`, interactive: true }).addTo(layers.group("orders"));
    onChosen(line, () => show({ title: "Orders", tint, rows: [node("p", { textContent: name })] }));
  }
}

/** Crossed swords: in the colour of alarm where a battle waits, paler the longer it is over. */
export function battles(layers, features, places, symbols, show) {
  const starred = stars(places);
  for (const feature of features) {
    const { waiting, fresh, battles: fought } = feature.properties;
    const icon = L.divIcon({
      className: `battle-mark ${waiting ? "battle-waiting" : fresh ? "battle-fresh" : "battle-old"}`,
      html: node("div", {}, symbol(symbols, "swords", 24)),
      iconSize: [26, 26],
      iconAnchor: [BESIDE + SWORDS + (starred.has(key(feature)) ? STAR : 0), 13],
    });
    const words = fought.map(({ name, state }) => `${name}: ${state}`).join("\n");
    const marker = L.marker(spot(feature), { icon, title: words, alt: words, pane: "blocks", zIndexOffset: 40000 })
      .addTo(layers.group("battles"));
    onChosen(marker, (element) => show(battleCard(feature.properties), element));
  }
}
