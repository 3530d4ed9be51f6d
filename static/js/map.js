// The campaign map: a drawn sheet without tiles. What is on it comes from one address of ours,
// already cut to what the reader's side may see, or saw on an earlier morning.

import { basemap, extent } from "./map/basemap.js";
import { Card } from "./map/card.js";
import { Days } from "./map/days.js";
import { battles, marches, places, routes, signs, ways } from "./map/features.js";
import { Formations } from "./map/formations.js";
import { settleLabels } from "./map/labels.js";
import { Layers } from "./map/layers.js";
import { followOrders, PathLayer } from "./map/orders.js";
import { Pointing } from "./map/pointing.js";
import { Reach } from "./map/reach.js";
import { Selection } from "./map/selection.js";
import { place, sheet } from "./map/sheet.js";
import { halts, trial } from "./map/trial.js";

const FAR = 8.25; // below this zoom small places and single brigades are left out
const AIR = 50; // pixels between a card and what it tells of
const LABELS = 120; // pixels of the dates left of where marches end
const DAYS = 64; // pixels of the bar of days
const KINDS = ["route", "place", "sign", "formation", "march", "battle", "halt", "move", "expected"];

async function fetched(url) {
  const answer = await fetch(url, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
}

function byKind(collection) {
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  for (const feature of collection.features) kinds[feature.properties.feature].push(feature);
  return kinds;
}

/** The map with all that lies on it, of one morning after another. */
class MapTable {
  constructor(element, view, waters, map) {
    const frame = element.parentElement;
    this.element = element;
    this.symbols = element.dataset.symbols;
    this.map = map;
    this.waters = waters;
    this.selection = new Selection();
    this.layers = new Layers(map, { seesAll: "seesAll" in element.dataset, umpires: "umpiresDesk" in element.dataset });
    this.card = new Card(frame, element);
    this.show = (told, opener) => {
      this.card.open(told, opener);
      this.uncover(opener);
    };
    this.places = L.layerGroup().addTo(map);
    this.ways = ways();
    this.formations = new Formations(map, this.layers, this.selection, this.symbols, this.show);
    this.path = new PathLayer(map);
    this.labels = [];
    const bar = document.getElementById("pointing");
    this.pointing = bar && new Pointing(bar, new Reach(map, this.layers, bar.dataset.reach));
    this.tools(frame);
    this.draw(view);
    map.on("zoomend", () => this.scale());
    map.on("moveend", () => this.settle());
    map.on("click", () => this.card.shut({ refocus: false }));
    this.layers.addEventListener("change", () => this.settle());
    document.fonts?.addEventListener("loadingdone", () => this.settle()); // names measure otherwise in the site's own face
  }

  // What was tapped must not lie under its own card.
  uncover(opener) {
    if (!opener) return;
    const card = this.card.element.getBoundingClientRect();
    const { left, top, width, height } = opener.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (x > card.right + AIR || y < card.top - AIR) return;
    const across = card.width < this.map.getSize().x * 0.8;
    this.map.panBy(across ? [x - card.right - AIR, 0] : [0, y - card.top + AIR], { animate: this.map.options.zoomAnimation });
  }

  // The legend and the list of layers, in one corner.
  tools(frame) {
    const corner = document.createElement("div");
    corner.className = "map-tools";
    corner.append(this.layers.control());
    const legend = frame.querySelector(".legend:not(.layers)");
    if (legend) corner.append(legend);
    frame.prepend(corner); // before the map, whose places are many stops of the tabulator
  }

  /** Draw a morning; the reader's view of the sheet stays. */
  draw(view) {
    const kinds = byKind(view);
    const { layers, symbols, show } = this;
    const pick = (place) => Boolean(this.pointing?.take(place));
    layers.clear();
    this.places.clearLayers();
    routes(layers, kinds.route, this.ways, show);
    marches(layers, kinds.march, show);
    this.labels = [...places(layers, this.places, kinds.place, kinds.formation, symbols, show, pick), ...this.waters];
    signs(layers, kinds.sign, kinds, symbols, show);
    battles(layers, kinds.battle, kinds.place, symbols, show);
    halts(layers, kinds.halt);
    trial(layers, kinds, symbols, show);
    this.formations.set(kinds.formation, kinds.place, kinds.battle);
    this.scale();
  }

  /** What hangs on the scale: what is left out from far, and where blocks stand. */
  scale() {
    const far = this.map.getZoom() < FAR;
    this.element.classList.toggle("far", far);
    this.formations.view(far);
    this.settle();
  }

  settle() {
    settleLabels(this.element, this.labels);
    this.stops();
  }

  /** Who goes by the tabulator stops at the places that are drawn on what he sees of the sheet. */
  stops() {
    const seen = this.map.getBounds();
    const far = this.map.getZoom() < FAR;
    this.places.eachLayer((marker) => {
      const place = marker.getElement();
      const left = !seen.contains(marker.getLatLng()) || (far && place.classList.contains("place-minor"));
      place.tabIndex = left ? -1 : 0;
    });
  }
}

// Earlier mornings: drawn when they have come, the last one asked for only; the page says that one looks back.
function followDays(table, view) {
  const form = document.querySelector("#days");
  if (!form) return;
  const notice = document.querySelector("#looking-back");
  const mornings = new Map([[Number(form.dataset.latest), view]]);
  const address = table.element.dataset.features;
  let asked = 0;
  const turnTo = async (day) => {
    asked = day;
    if (!mornings.has(day)) {
      try {
        mornings.set(day, await fetched(`${address}?day=${day}`));
      } catch (error) {
        tellPast(notice, null, "That morning could not be fetched. See whether you are online, and try once more.");
        console.error(error);
        return;
      }
    }
    if (asked !== day) return;
    const morning = mornings.get(day);
    table.card.shut({ refocus: false });
    table.draw(morning);
    table.element.parentElement.classList.toggle("past", Boolean(morning.morning.past));
    table.element.dataset.day = day;
    tellPast(notice, morning.morning);
  };
  const days = new Days(form, turnTo);
  notice?.querySelector("button")?.addEventListener("click", () => days.step(days.latest));
  const first = Number(form.dataset.day);
  if (first && first !== days.latest) days.go(first);
}

function tellPast(notice, morning, trouble = "") {
  if (!notice) return;
  const weather = morning?.weather ? ` The day before: ${morning.weather}.` : "";
  const words = morning ? `You look back to the morning of ${morning.date}.${weather} The moon: ${morning.moon}.` : trouble;
  notice.hidden = Boolean(morning) && !morning.past;
  notice.querySelector("span").textContent = notice.hidden ? "" : words;
}

async function draw(element) {
  const { surroundings, country, features } = element.dataset;
  const [around, detail, view] = await Promise.all([surroundings ? fetched(surroundings) : null, ...[country, features].map(fetched)]);
  const map = sheet(element, extent(around, detail));
  const bar = Number(document.querySelector("#days")?.dataset.latest) > 1 ? DAYS : 0;
  const desk = "umpiresDesk" in element.dataset;
  const key = `map ${element.dataset.campaign}`;
  place(map, view.bounds, desk ? `${key} ${view.bounds}` : key, { covered: bar, labels: desk ? LABELS : 0 });
  const table = new MapTable(element, view, basemap(map, around, detail), map);
  followDays(table, view);
  followOrders(map, table.formations, table.selection, table.path); // past the slider, which has taken its room
  table.settle();
  element.querySelector(".map-drawing")?.remove();
  element.dataset.ready = "yes";
}

const element = document.querySelector("#map");
if (element) {
  draw(element).catch((error) => {
    element.textContent = "The map could not be drawn. Reload the page; the papers beside it work without it.";
    element.classList.add("map-missing");
    console.error(error);
  });
}
