// Land, lakes and rivers. Two sheets: a coarse one all round, and the theatre's own in the hole of it.

const DETAIL = { west: -76.8, east: -71.0, south: 40.4, north: 46.0 };
const COARSE = { west: -81.0, east: -66.5, south: 38.6, north: 47.6 };
const HOLE = { west: -76.79, east: -71.01, south: 40.41, north: 45.99 }; // a strip lies under the detailed sheet
const NEAR = 0.0006;

export function basemap(map, around, detail) {
  const pane = map.createPane("country");
  pane.style.zIndex = 210;
  const renderer = L.svg({ pane: "country", padding: 0.4 });
  const style = (names) => ({ pane: "country", renderer, interactive: false, className: `geo ${names}` });
  const lines = (layer) => [...outline(around, layer, [COARSE, HOLE]), ...outline(detail, layer, [DETAIL])];
  const coast = lines("land");
  // the lines along the shores of both sheets lie under the land of both, so that no edge shows
  for (const band of ["waterline-1", "waterline-2", "waterline-3"]) {
    L.polyline(coast, style(`geo-${band}`)).addTo(map);
  }
  areas(map, around, style);
  areas(map, detail, style);
  L.polyline(lines("lake"), style("geo-shore")).addTo(map);
  L.polyline(coast, style("geo-coast")).addTo(map);
  return waterNames(map, detail);
}

function areas(map, collection, style) {
  const layer = (name) => collection.features.filter((feature) => feature.properties.layer === name);
  L.geoJSON(layer("land"), style("geo-land")).addTo(map);
  L.geoJSON(layer("river"), {
    ...style("geo-river"),
    style: (feature) => style(`geo-river ${riverClass(feature.properties)}`),
  }).addTo(map);
  L.geoJSON(layer("lake"), style("geo-lake")).addTo(map);
}

function riverClass({ rank }) {
  if (rank <= 6) return "geo-river-great";
  return rank <= 8 ? "geo-river-middle" : "geo-river-small";
}

// The outline of land or lakes without the edges along which the sheet was cut.
function outline(collection, layer, frames) {
  const lines = [];
  for (const { geometry, properties } of collection.features) {
    if (properties.layer !== layer) continue;
    const polygons = geometry.type === "MultiPolygon" ? geometry.coordinates : [geometry.coordinates];
    for (const ring of polygons.flat()) lines.push(...openPieces(ring, frames));
  }
  return lines;
}

function openPieces(ring, frames) {
  const pieces = [];
  let piece = [];
  const close = () => {
    if (piece.length > 1) pieces.push(piece);
    piece = [];
  };
  ring.forEach((point, i) => {
    if (i > 0 && frames.some((frame) => alongFrame(ring[i - 1], point, frame))) close();
    piece.push([point[1], point[0]]);
  });
  close();
  return pieces;
}

function alongFrame(a, b, { west, east, south, north }) {
  const both = (axis, value) => Math.abs(a[axis] - value) < NEAR && Math.abs(b[axis] - value) < NEAR;
  return both(0, west) || both(0, east) || both(1, south) || both(1, north);
}

function waterNames(map, collection) {
  const names = [];
  for (const { geometry, properties } of collection.features) {
    if (properties.layer !== "lake" || !properties.name || properties.name.includes("(")) continue;
    const centre = L.geoJSON(geometry).getBounds().getCenter();
    const small = properties.rank > 3 ? " water-name-small" : "";
    const text = document.createElement("span");
    text.textContent = properties.name;
    const icon = L.divIcon({ className: `water-name${small}`, html: text, iconSize: [0, 0] });
    L.marker(centre, { icon, interactive: false, keyboard: false, pane: "country" }).addTo(map);
    names.push(text);
  }
  return names;
}
