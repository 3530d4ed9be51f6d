// The order form beside the map: the formation it is for is marked, its march is traced.

/** A line over the map that other parts may draw a way with. */
export class PathLayer {
  constructor(map) {
    this.map = map;
    this.line = null;
  }

  /** Draw a way, [latitude, longitude] each; null takes it away. */
  show(points) {
    this.line?.remove();
    this.line = points ? L.polyline(points, { className: "march-preview", interactive: false }).addTo(this.map) : null;
  }
}

/** Keep the map in step with the order form; its preview carries the path as coordinates. */
export function followOrders(map, formations, selection, path) {
  const trace = () => {
    const source = document.querySelector("[data-path]");
    path.show(source ? JSON.parse(source.dataset.path) : null);
  };
  const choose = () => selection.choose(document.querySelector("#id_formation")?.value ?? "");
  let zooming = false;
  map.on("zoomstart", () => { zooming = true; });
  map.on("zoomend", () => { zooming = false; });
  const reveal = () => {
    // The end of a zoom's animation would undo a pan made meanwhile, so it is waited for.
    if (zooming) {
      map.once("zoomend", reveal);
      return;
    }
    const at = formations.placeOf(selection.formation);
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
