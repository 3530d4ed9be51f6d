// The campaign map: a drawn sheet without tiles. What is on it comes from one address of ours,
// already cut to what the reader's side may see.

import { basemap, extent } from "./map/basemap.js";
import { routes, places, marches, battles } from "./map/features.js";
import { Formations } from "./map/formations.js";
import { settleLabels } from "./map/labels.js";

const FAR = 8.25; // below this zoom small places and single brigades are left out

async function fetched(url) {
  const answer = await fetch(url, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
}

function sheet(element, corners) {
  const map = L.map(element, {
    zoomSnap: 0.25,
    zoomDelta: 0.5,
    wheelPxPerZoomLevel: 120,
    maxZoom: 12,
    maxBounds: corners,
    maxBoundsViscosity: 1,
    attributionControl: false,
    renderer: L.svg({ padding: 0.4 }),
    zoomAnimation: !matchMedia("(prefers-reduced-motion: reduce)").matches,
  });
  map.setMinZoom(map.getBoundsZoom(corners, true));
  L.control.scale({ position: "bottomleft", metric: false, maxWidth: 160 }).addTo(map);
  map.createPane("ways").style.zIndex = 380;
  map.createPane("blocks").style.zIndex = 620;
  return map;
}

// A submitted form loads the page anew; the map stays where its reader had it.
function place(map, bounds, key) {
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (kept) map.setView(kept.centre, kept.zoom, { animate: false });
  else map.fitBounds(bounds, { padding: [44, 44], maxZoom: 9.5, animate: false });
  map.on("moveend", () => {
    sessionStorage.setItem(key, JSON.stringify({ centre: map.getCenter(), zoom: map.getZoom() }));
  });
}

function group(collection) {
  const kinds = { route: [], place: [], formation: [], march: [], battle: [] };
  for (const feature of collection.features) kinds[feature.properties.feature].push(feature);
  return kinds;
}

async function draw(element) {
  const { surroundings, country, features, symbols } = element.dataset;
  const [around, detail, view] = await Promise.all([surroundings ? fetched(surroundings) : null, ...[country, features].map(fetched)]);
  const map = sheet(element, extent(around, detail));
  place(map, view.bounds, `map ${element.dataset.campaign}`);
  const waters = basemap(map, around, detail);
  const kinds = group(view);
  routes(map, kinds.route);
  marches(map, kinds.march);
  const labels = [...places(map, kinds.place, symbols), ...waters];
  const formations = new Formations(map, kinds.formation, symbols);
  battles(map, kinds.battle, symbols);

  const settle = () => {
    element.classList.toggle("far", map.getZoom() < FAR);
    formations.show(map.getZoom() < FAR);
    settleLabels(element, labels);
  };
  map.on("zoomend", settle);
  map.on("moveend", () => settleLabels(element, labels)); // by hand, by keys, or to show a popup
  settle();
  document.fonts?.addEventListener("loadingdone", settle); // names measure otherwise in the site's own face
  followOrders(map, formations);
  element.dataset.ready = "yes";
}

// The order form shows its march on the map: its preview carries the path as coordinates.
function followOrders(map, formations) {
  let line = null;
  const trace = () => {
    line?.remove();
    line = null;
    const source = document.querySelector("[data-path]");
    if (source) {
      line = L.polyline(JSON.parse(source.dataset.path), { className: "march-preview", interactive: false }).addTo(map);
    }
  };
  const choose = () => formations.choose(document.querySelector("#id_formation")?.value ?? "");
  let zooming = false;
  map.on("zoomstart", () => { zooming = true; });
  map.on("zoomend", () => { zooming = false; });
  const reveal = () => {
    // The end of a zoom's animation would undo a pan made meanwhile, so it is waited for.
    if (zooming) {
      map.once("zoomend", reveal);
      return;
    }
    const at = formations.placeOf(formations.chosen);
    if (at) map.panInside(at, { padding: [90, 90], animate: map.options.zoomAnimation });
  };
  document.body.addEventListener("htmx:afterSwap", () => { trace(); choose(); });
  document.body.addEventListener("change", (event) => {
    if (event.target.id !== "id_formation") return;
    choose();
    reveal();
  });
  trace();
  choose();
  reveal();
}

const element = document.querySelector("#map");
if (element) {
  draw(element).catch((error) => {
    element.textContent = "The map could not be drawn. Reload the page; the papers beside it work without it.";
    element.classList.add("map-missing");
    console.error(error);
  });
}
