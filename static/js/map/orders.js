// The order form beside the map: the formation it is for is marked, its march is traced.

import { node } from "./dom.js";
import { bring } from "./free.js";

const NEAR = 8.75; // from this zoom on villages are drawn, and the places a march of two days may end at are apart
const STOPS = new Set(["id_by_1", "id_by_2", "id_by_3", "id_destination"]);

/** A line over the map that other parts may draw a way with, with its nights and its end. */
export class PathLayer {
  constructor(map) {
    this.group = L.layerGroup().addTo(map);
  }

  /**
   * Draw a way; null takes it away.
   * @param {number[][] | null} points latitude, longitude
   * @param {{at: number[], kind: "night" | "end", word: string, loss: string}[]} [marks]
   */
  show(points, marks = []) {
    this.group.clearLayers();
    if (!points) return;
    L.polyline(points, { className: "march-preview", interactive: false }).addTo(this.group);
    for (const { at, kind, word, loss } of marks) {
      const html = node("div", {}, node("span", { textContent: word }), loss ? node("span", { className: "loss", textContent: ` ${loss}` }) : null);
      const icon = L.divIcon({ className: `march-mark march-${kind}`, html, iconSize: [0, 0] });
      L.marker(at, { icon, interactive: false, keyboard: false, pane: "blocks", zIndexOffset: 35000 }).addTo(this.group);
    }
  }
}

/** Keep the map in step with the order form; its preview carries the path as coordinates. */
export function followOrders(map, formations, selection, path) {
  const trace = () => {
    const source = document.querySelector("[data-path]");
    if (source) path.show(JSON.parse(source.dataset.path), JSON.parse(source.dataset.marks ?? "[]"));
    else path.show(null);
  };
  const marched = () => JSON.parse(document.querySelector("[data-path]")?.dataset.path ?? "[]");
  const choose = () => selection.choose(document.querySelector("#id_formation")?.value ?? "");
  let zooming = false;
  map.on("zoomstart", () => { zooming = true; });
  map.on("zoomend", () => { zooming = false; });
  const reveal = (march = marched(), all = false) => {
    // The end of a zoom's animation would undo a pan made meanwhile, so it is waited for.
    if (zooming) {
      map.once("zoomend", () => reveal(march, all));
      return;
    }
    const at = formations.placeOf(selection.formation);
    if (!at) return;
    bring(map, at, march, all ? map.getZoom() : NEAR, all);
  };
  let turned = false; // another column is chosen and its march not yet told
  let placed = false; // a place was chosen in the form, and may lie out of sight
  let asked = false; // the march to it has been asked for
  document.body.addEventListener("htmx:afterSwap", () => { trace(); choose(); });
  document.body.addEventListener("htmx:afterSettle", ({ target }) => {
    const [another, all] = [turned, asked && target.closest("#order-preview") !== null];
    turned = false;
    if (all) asked = false;
    if (another || all) reveal(marched(), all);
  });
  // Answers come one after another: only that to the question with the place in it shows its march.
  document.body.addEventListener("htmx:beforeRequest", ({ target }) => {
    if (target.id === "order-form") [asked, placed] = [placed, false];
  });
  for (const failed of ["htmx:responseError", "htmx:sendError"]) {
    document.body.addEventListener(failed, () => { asked = false; });
  }
  document.body.addEventListener("change", (event) => {
    if (event.detail !== "pointed" && STOPS.has(event.target.id)) placed = true; // a place tapped lies in sight
    if (event.target.id !== "id_formation") return;
    choose();
    turned = true;
    reveal([]); // the march drawn is still the other's
  });
  trace();
  choose();
  reveal();
}
