// Routes by class, places by kind, marches ordered, battles.

import { node, orderForm, symbol } from "./dom.js";

const MINOR = new Set(["farm", "crossing", "portage", "camp", "village"]);
const RANK = { city: 0, fort: 1, town: 2, village: 3, camp: 4, crossing: 4, portage: 4, farm: 5 };
const SIZE = { city: 25, fort: 22, town: 20 };
const WORKS = new Set(["fort", "fortress", "stockade"]);

const points = (feature) => feature.geometry.coordinates.map(([lon, lat]) => [lat, lon]);

export function routes(map, features) {
  const renderer = L.svg({ pane: "ways", padding: 0.4 });
  const line = (feature, name, interactive) =>
    L.polyline(points(feature), { pane: "ways", renderer, className: `way way-${name}`, interactive });
  for (const feature of features.filter(({ properties }) => properties.kind === "highway")) {
    line(feature, "highway-casing", false).addTo(map);
  }
  for (const feature of features) {
    line(feature, feature.properties.kind, true).bindPopup(() => routePopup(feature.properties)).addTo(map);
  }
}

function routePopup({ name, facts }) {
  return node("div", {}, node("h3", { textContent: name }), node("p", { textContent: facts }));
}

export function places(map, features, sheet) {
  const ordered = [...features].sort((a, b) => rankOf(a) - rankOf(b));
  return ordered.map((feature) => {
    const { properties: place, geometry } = feature;
    const label = node("span", { className: "label", textContent: place.name });
    const drawn = node("div", {}, symbol(sheet, drawing(place), SIZE[place.kind] ?? 18), label);
    const minor = MINOR.has(place.kind) && !WORKS.has(place.fortification) && !place.objective;
    const icon = L.divIcon({
      className: `place place-${place.kind}${minor ? " place-minor" : ""}${place.tint ? ` tint-${place.tint}` : ""}`,
      html: drawn,
      iconSize: [18, 18],
    });
    L.marker([geometry.coordinates[1], geometry.coordinates[0]], { icon, title: place.name, alt: place.name })
      .bindPopup(() => placePopup(place))
      .addTo(map);
    return label;
  });
}

const rankOf = ({ properties }) => (RANK[properties.kind] ?? 5) - (properties.objective ? 1 : 0);

function drawing({ kind, fortification }) {
  if (kind === "city" || (kind === "town" && fortification === "none")) return kind;
  return fortification !== "none" ? fortification : kind;
}

function placePopup(place) {
  const march = node("a", { href: place.march, textContent: "March here" });
  march.addEventListener("click", (event) => {
    if (orderForm("id_destination", place.id)) event.preventDefault();
  });
  return node(
    "div",
    {},
    node("h3", { textContent: place.name }),
    node("p", { textContent: place.facts }),
    place.held ? node("p", { textContent: place.held }) : null,
    place.note ? node("p", { className: "soft", textContent: place.note }) : null,
    place.march ? node("p", {}, march) : null,
  );
}

export function marches(map, features) {
  for (const feature of features) {
    const { tint, name } = feature.properties;
    L.polyline(points(feature), { className: `march tint-${tint}`, interactive: true })
      .bindPopup(() => node("p", { textContent: name }))
      .addTo(map);
  }
}

export function battles(map, features, sheet) {
  for (const { geometry, properties } of features) {
    const icon = L.divIcon({
      className: "battle-mark",
      html: node("div", {}, symbol(sheet, "swords", 26)),
      iconSize: [26, 26],
      iconAnchor: [44, 13],
    });
    const at = [geometry.coordinates[1], geometry.coordinates[0]];
    L.marker(at, { icon, title: properties.name, alt: properties.name, pane: "blocks", zIndexOffset: 40000 })
      .bindPopup(() => node("div", {}, node("h3", { textContent: properties.name }),
        node("p", {}, node("a", { href: properties.url, textContent: properties.state }))))
      .addTo(map);
  }
}
