// Land, lakes and rivers. Two sheets: a coarse one all round, and the theatre's own laid over it.

const DETAIL = { west: -76.8, east: -71.0, south: 40.4, north: 46.0 };
const COARSE = { west: -81.0, east: -66.5, south: 38.6, north: 47.6 };
const NEAR = 0.0006;

export function basemap(map, around, detail) {
  const pane = map.createPane("country");
  pane.style.zIndex = 210;
  const renderer = L.svg({ pane: "country", padding: 0.4 });
  const style = (names) => ({ pane: "country", renderer, interactive: false, className: `geo ${names}` });
  const coast = [
    ...outline(around, "land", COARSE, (point) => !inside(point, DETAIL)),
    ...outline(detail, "land", DETAIL, () => true),
  ];
  for (const band of ["waterline-1", "waterline-2", "waterline-3"]) {
    L.polyline(coast, style(`geo-${band}`)).addTo(map);
  }
  areas(map, around, style);
  L.polyline(outline(around, "lake", COARSE, (point) => !inside(point, DETAIL)), style("geo-shore")).addTo(map);
  L.rectangle([[DETAIL.south, DETAIL.west], [DETAIL.north, DETAIL.east]], style("geo-underlay")).addTo(map);
  for (const band of ["waterline-1", "waterline-2", "waterline-3"]) {
    L.polyline(outline(detail, "land", DETAIL, () => true), style(`geo-${band}`)).addTo(map);
  }
  areas(map, detail, style);
  L.polyline(outline(detail, "lake", DETAIL, () => true), style("geo-shore")).addTo(map);
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
function outline(collection, layer, frame, keep) {
  const lines = [];
  for (const { geometry, properties } of collection.features) {
    if (properties.layer !== layer) continue;
    const polygons = geometry.type === "MultiPolygon" ? geometry.coordinates : [geometry.coordinates];
    for (const ring of polygons.flat()) lines.push(...openPieces(ring, frame, keep));
  }
  return lines;
}

function openPieces(ring, frame, keep) {
  const pieces = [];
  let piece = [];
  const close = () => {
    if (piece.length > 1) pieces.push(piece);
    piece = [];
  };
  for (let i = 0; i < ring.length; i += 1) {
    const point = ring[i];
    const cut = i > 0 && alongFrame(ring[i - 1], point, frame);
    if (cut || !keep(point)) close();
    if (keep(point)) piece.push([point[1], point[0]]);
  }
  close();
  return pieces;
}

function alongFrame(a, b, { west, east, south, north }) {
  const both = (axis, value) => Math.abs(a[axis] - value) < NEAR && Math.abs(b[axis] - value) < NEAR;
  return both(0, west) || both(0, east) || both(1, south) || both(1, north);
}

function inside([lon, lat], { west, east, south, north }) {
  return lon > west && lon < east && lat > south && lat < north;
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
