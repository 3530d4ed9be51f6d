// The umpire's desk: the days of each ordered march, and the day as it was tried out.

import { drawing, node, onChosen, symbol } from "./dom.js";

const HEAD = "M0 0L-11 -5L-8 0L-11 5Z"; // an arrow's head that points east, its tip at the spot
const spot = ({ geometry }) => [geometry.coordinates[1], geometry.coordinates[0]];

/** Where marches rest for the night and where they end, with the date; ends at one spot share their label. */
export function halts(layers, features) {
  const group = layers.group("halts");
  const mark = (at, kind, tint, ...words) => {
    const icon = L.divIcon({ className: `march-mark march-${kind} halt tint-${tint}`, html: node("div", {}, ...words), iconSize: [0, 0] });
    L.marker(at, { icon, interactive: false, keyboard: false, pane: "blocks", zIndexOffset: -1000 }).addTo(group);
  };
  const ends = new Map();
  for (const feature of features) {
    const { kind, tint } = feature.properties;
    if (kind === "end") ends.set(key(feature), [...(ends.get(key(feature)) ?? []), feature]);
    else mark(spot(feature), kind, tint, ...told(feature));
  }
  for (const here of ends.values()) {
    const lines = here.map((feature) => node("span", { className: `tint-${feature.properties.tint}` }, ...told(feature)));
    mark(spot(here[0]), "end", here[0].properties.tint, ...lines);
  }
}

const key = ({ geometry }) => geometry.coordinates.join();

function told({ properties: { word, loss } }) {
  return [node("span", { textContent: word }), loss ? node("span", { className: "loss", textContent: ` ${loss}` }) : null];
}

/** Arrows from morning to evening, and swords where battles are expected. */
export function trial(layers, { move, expected }, symbols, show) {
  const group = layers.group("trial");
  for (const feature of move) {
    const { tint, name } = feature.properties;
    const [from, to] = feature.geometry.coordinates.map(([lon, lat]) => L.latLng(lat, lon));
    const card = { title: "The day tried out", tint, rows: [node("p", { textContent: name })] };
    onChosen(L.polyline([from, to], { className: `trial-move tint-${tint}` }).addTo(group), () => show(card));
    const html = drawing(HEAD, 1, "arrow-head");
    html.firstChild.setAttribute("transform", `rotate(${bearing(layers.map, from, to)})`);
    const icon = L.divIcon({ className: `trial-head tint-${tint}`, html, iconSize: [0, 0] });
    L.marker(to, { icon, interactive: false, keyboard: false, pane: "signs" }).addTo(group);
  }
  for (const feature of expected) {
    const { name } = feature.properties;
    const icon = L.divIcon({ className: "trial-battle", html: node("div", {}, symbol(symbols, "swords", 20)), iconSize: [28, 28] });
    const marker = L.marker(spot(feature), { icon, title: name, alt: name, pane: "blocks", zIndexOffset: 41000 }).addTo(group);
    onChosen(marker, (element) => show({ title: "A battle expected", rows: [node("p", { textContent: name })] }, element));
  }
}

// Degrees from east, clockwise, as the sheet shows it.
function bearing(map, from, to) {
  const [a, b] = [from, to].map((at) => map.project(at, 10));
  return Math.round((Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI);
}
