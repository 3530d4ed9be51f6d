// Land, lakes and rivers. Two sheets: a coarse one all round, and the theatre's own in the hole of it; or one
// alone. Each says in its `bbox` (west, south, east, north) where it was cut.

const STRIP = 0.01; // degrees of the coarse sheet that lie under the detailed one
const NEAR = 0.0006;
const NOTHING = { features: [] };

// South-west and north-east corner of what is drawn, less the edge along which it was cut.
export function extent(around, detail) {
  const { west, south, east, north } = frame((around ?? detail).bbox, 0.1);
  return [[south, west], [north, east]];
}

function frame([west, south, east, north], inset = 0) {
  return { west: west + inset, south: south + inset, east: east - inset, north: north - inset };
}

export function basemap(map, around, detail) {
  const pane = map.createPane("country");
  pane.style.zIndex = 210;
  const renderer = L.svg({ pane: "country", padding: 0.4 });
  const style = (names) => ({ pane: "country", renderer, interactive: false, className: `geo ${names}` });
  const own = frame(detail.bbox);
  const coarse = around ? [frame(around.bbox), frame(detail.bbox, STRIP)] : [];
  const lines = (layer) => [...outline(around ?? NOTHING, layer, coarse), ...outline(detail, layer, [own])];
  const coast = lines("land");
  // the lines along the shores of both sheets lie under the land of both, so that no edge shows
  for (const band of ["waterline-1", "waterline-2", "waterline-3"]) {
    L.polyline(coast, style(`geo-${band}`)).addTo(map);
  }
  if (around) areas(map, around, style);
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
