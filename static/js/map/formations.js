// Formations as blocks in their side's colour, with their strength. Those of one side at one spot
// stand in one column; seen from far they are drawn as a single block with the sum.

import { node, orderForm, symbol } from "./dom.js";

// Heights on the map; a marker's own is its height in pixels on the screen, so they lie far apart.
const OWN = 10000;
const CHOSEN = 20000;
const BLOCK = { width: 48, height: 18 }; // pixels, with a little air
const TOP = 30000; // whatever the pointer is on

export class Formations {
  constructor(map, features, sheet) {
    this.map = map;
    this.sheet = sheet;
    this.features = features;
    this.layer = L.layerGroup().addTo(map);
    this.chosen = "";
    this.far = null;
  }

  placeOf(id) {
    const found = this.features.find(({ properties }) => properties.id === id);
    return found ? spot(found) : null;
  }

  choose(id) {
    if (id === this.chosen) return;
    this.chosen = id;
    this.draw();
  }

  show(far) {
    if (!far && this.far === false) return; // from near, every zoom draws the same
    this.far = far;
    this.draw();
  }

  draw() {
    this.layer.clearLayers();
    const found = [...stacks(this.features)];
    const drawn = this.far ? this.spread(this.gathered(found)) : found;
    for (const stack of drawn) this.layer.addLayer(this.marker(stack));
  }

  // Seen from far, blocks of one side that would cover each other become one at the strongest's spot.
  gathered(found) {
    const weight = ({ members }) => members.reduce((sum, { sp }) => sum + sp, 0);
    const kept = [];
    for (const stack of found.sort((a, b) => weight(b) - weight(a))) {
      const point = this.map.latLngToLayerPoint(stack.at);
      const near = kept.find((other) => {
        const apart = this.map.latLngToLayerPoint(other.at).subtract(point);
        return other.members[0].side === stack.members[0].side && Math.abs(apart.x) < 46 && Math.abs(apart.y) < 18;
      });
      if (near) near.members.push(...stack.members);
      else kept.push(stack);
    }
    return kept;
  }

  // Seen from far, blocks of two sides that would cover each other stand side by side.
  spread(found) {
    const placed = [];
    for (const stack of found) {
      const { x, y } = this.map.latLngToLayerPoint(stack.at);
      const row = y + (stack.above ? -BLOCK.height : BLOCK.height);
      const covers = (other) =>
        Math.abs(other.row - row) < BLOCK.height && Math.abs(other.x - x - stack.aside) < BLOCK.width;
      stack.aside = 0;
      for (let other = placed.find(covers), tries = 0; other && tries < 4; other = placed.find(covers), tries += 1) {
        stack.aside = other.x + (x < other.x ? -BLOCK.width : BLOCK.width) - x;
      }
      placed.push({ x: x + stack.aside, row });
    }
    return found;
  }

  marker({ at, above, members, aside = 0 }) {
    const sum = this.far && members.length > 1;
    const rows = sum ? [this.sumBlock(members)] : members.map((member) => this.block(member));
    const icon = L.divIcon({
      className: `stack tint-${members[0].tint}${above ? " stack-above" : ""}`,
      html: node("div", { className: rows.length > 2 ? "stack-inner stack-wide" : "stack-inner" }, ...rows),
      iconSize: [0, 0],
      iconAnchor: [-aside, 0],
    });
    const title = members.map(({ name, strength }) => `${name}: ${strength}`).join("\n");
    return L.marker(at, {
      icon, title, alt: title, pane: "blocks", zIndexOffset: this.height(members), riseOnHover: true, riseOffset: TOP,
    }).bindPopup(() => popup(members), { maxHeight: 260 });
  }

  // Whom one commands must never be hidden: one's own lie above the enemy, the chosen above all.
  height(members) {
    if (members.some(({ id }) => id !== "" && id === this.chosen)) return CHOSEN;
    return members.some(({ own }) => own) ? OWN : 0;
  }

  block({ id, arm, sp, own, garrison, waits, in_sight: inSight }) {
    const chosen = id !== "" && id === this.chosen;
    const names = `block${own ? "" : " seen"}${inSight ? "" : " past"}${garrison ? " garrison" : ""}${waits ? " waits" : ""}${chosen ? " chosen" : ""}`;
    return node("div", { className: names }, symbol(this.sheet, `arm-${arm}`, 20, 13), sp > 0 ? strength(sp) : null);
  }

  sumBlock(members) {
    const total = members.reduce((sum, { sp }) => sum + sp, 0);
    const own = members.every((member) => member.own);
    const strongest = members.reduce((best, member) => (member.sp > best.sp ? member : best));
    const chosen = members.some(({ id }) => id === this.chosen);
    return this.block({
      id: chosen ? this.chosen : "",
      arm: strongest.arm,
      sp: total,
      own,
      waits: members.some((member) => member.waits),
      in_sight: members.some((member) => member.in_sight),
      garrison: members.every(({ garrison }) => garrison),
    });
  }
}

const strength = (sp) => node("span", { className: "strength", textContent: String(sp) });
const spot = ({ geometry }) => [geometry.coordinates[1], geometry.coordinates[0]];

function stacks(features) {
  const found = new Map();
  for (const feature of features) {
    const { properties } = feature;
    const key = `${feature.geometry.coordinates} ${properties.side}`;
    if (!found.has(key)) {
      found.set(key, { at: spot(feature), above: properties.ordinal > 0, members: [] });
    }
    found.get(key).members.push(properties);
  }
  return found.values();
}

function popup(members) {
  const wheres = [...new Set(members.map(({ where }) => where))];
  const columns = wheres.flatMap((where) => [
    node("h3", { textContent: where }),
    node("ul", {}, ...members.filter((member) => member.where === where).map(row)),
  ]);
  return node("div", {}, ...columns);
}

function row({ id, name, strength: text, commander, sighted, doing, waits, orders }) {
  const link = orders ? node("a", { href: orders, textContent: "Orders" }) : null;
  link?.addEventListener("click", (event) => {
    if (orderForm("id_formation", id)) event.preventDefault();
  });
  return node(
    "li",
    {},
    node("strong", { textContent: name }),
    node("div", { textContent: [commander, text].filter(Boolean).join(" · ") }),
    sighted ? node("div", { className: "soft", textContent: sighted }) : null,
    doing ? node("div", { className: "soft", textContent: doing }) : null,
    waits ? node("div", { className: "loss", textContent: "Waits for a battle" }) : null,
    link,
  );
}
