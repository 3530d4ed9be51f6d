// How far the chosen column can march in the coming days: its roads, shaded by the day.

/** Draws the reach of one column; asks for it only when the question is another. */
export class Reach {
  /**
   * @param {L.Map} map
   * @param {import("./layers.js").Layers} layers
   * @param {string} address of the GeoJSON
   */
  constructor(map, layers, address) {
    map.createPane("reach").style.zIndex = 215;
    this.renderer = L.svg({ pane: "reach", padding: 0.4 });
    this.layers = layers;
    this.address = address;
    this.asked = "";
    this.lines = [];
  }

  /** Show the reach that `question` (the address's query) asks for; "" shows none. */
  async show(question) {
    if (question === this.asked) return;
    this.asked = question;
    if (!question) {
      this.clear();
      return;
    }
    try {
      const answer = await fetch(`${this.address}?${question}`, { credentials: "same-origin" });
      const found = answer.ok ? await answer.json() : { features: [] };
      if (this.asked === question) this.draw(found.features);
    } catch (error) {
      this.asked = ""; // asked again with the next change
      this.clear();
      console.warn(error);
    }
  }

  draw(features) {
    this.clear();
    const latestFirst = [...features].sort((a, b) => b.properties.day - a.properties.day);
    const style = (day) => ({ pane: "reach", renderer: this.renderer, interactive: false, className: `reach reach-${day}` });
    this.lines = latestFirst.map(({ geometry, properties: { day } }) =>
      L.polyline(geometry.coordinates.map(([lon, lat]) => [lat, lon]), style(day)).addTo(this.layers.group("reach")));
  }

  clear() {
    for (const line of this.lines) line.remove();
    for (const line of this.lines) this.layers.group("reach").removeLayer(line);
    this.lines = [];
  }
}
