// Layers of the map that its reader may put away, kept by this browser.

import { node } from "./dom.js";

const KEY = "map layers put away";

const LAYERS = [
  ["names", "Names of places"],
  ["roads", "Roads and paths"],
  ["water", "Ways by water"],
  ["columns", "Columns and garrisons"],
  ["enemies", "Enemies in sight"],
  ["ghosts", "Enemies last seen"],
  ["battles", "Battles"],
  ["objectives", "Objectives"],
  ["signs", "Depots, boats, works"],
  ["orders", "Marches ordered"],
  ["halts", "Days of the marches"],
  ["trial", "The day tried out"],
  ["reach", "Reach of the column"],
];
const OF_A_SIDE = new Set(["enemies", "ghosts", "reach"]); // who sees all has no enemies, only columns, and orders none
const OF_THE_DESK = new Set(["halts", "trial"]); // only the umpire's desk draws them

export class Layers extends EventTarget {
  constructor(map, { seesAll = false, umpires = false } = {}) {
    super();
    this.map = map;
    this.list = LAYERS.filter(([name]) => !(seesAll && OF_A_SIDE.has(name)) && (umpires || !OF_THE_DESK.has(name)));
    this.away = new Set(kept());
    this.groups = new Map(LAYERS.map(([name]) => [name, L.layerGroup()]));
    for (const [name, group] of this.groups) if (this.shows(name)) group.addTo(map);
    this.apply();
  }

  /** Whether a layer lies on the map. */
  shows(name) {
    return !this.away.has(name);
  }

  /** The Leaflet group of a layer, to draw into. */
  group(name) {
    return this.groups.get(name);
  }

  /** Take everything off, before another day is drawn. */
  clear() {
    for (const [name, group] of this.groups) if (name !== "reach") group.clearLayers(); // it hangs on the form, not the day
  }

  /** Lay a layer on the map or put it away; sends "change". */
  set(name, on) {
    if (on) this.away.delete(name);
    else this.away.add(name);
    if (on) this.group(name).addTo(this.map);
    else this.group(name).remove();
    keep([...this.away]);
    this.apply();
    this.dispatchEvent(new Event("change"));
  }

  apply() {
    this.map.getContainer().classList.toggle("names-away", !this.shows("names"));
  }

  /** The list of layers with its boxes, for the corner of the map. */
  control() {
    const rows = this.list.map(([name, text]) => {
      const box = node("input", { type: "checkbox", checked: this.shows(name), name: `layer-${name}` });
      box.addEventListener("change", () => this.set(name, box.checked));
      return node("li", {}, node("label", {}, box, text));
    });
    const list = node("details", { className: "legend layers" }, node("summary", { textContent: "Layers" }), node("ul", {}, ...rows));
    list.setAttribute("name", "map-tools"); // one open at a time
    return list;
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

function keep(names) {
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // a browser that keeps nothing shows all layers again next time
  }
}
