// Formations as blocks in their side's colour, with their strength. Those of one side at one spot
// stand in one column; seen from far they are drawn as a single block with the sum.

import { arranged, leader } from "./arranging.js";
import { stackCard } from "./cards.js";
import { drawing, node, onChosen, symbol } from "./dom.js";
import { isMinor } from "./features.js";

// Heights on the map; a marker's own is its height in pixels on the screen, so they lie far apart.
const OWN = 10000;
const CHOSEN = 20000;
const BLOCK = { bare: 34, letter: 6.5, swords: 17, height: 17 }; // pixels, with a little air
const SIGN = 9; // pixels from the middle of a place's sign to its edge
const SWORDS = 50; // pixels from the middle of a place's sign to the left edge of a battle's swords
const TOP = 30000; // whatever the pointer is on

export class Formations {
  /**
   * @param {L.Map} map
   * @param {import("./layers.js").Layers} layers
   * @param {import("./selection.js").Selection} selection
   * @param {string} sheet address of the symbols
   * @param {(told: object, opener?: HTMLElement) => void} show puts a card on the map
   */
  constructor(map, layers, selection, sheet, show) {
    this.map = map;
    this.layers = layers;
    this.selection = selection;
    this.sheet = sheet;
    this.show = show;
    this.features = [];
    this.places = [];
    this.battles = [];
    this.layer = L.layerGroup().addTo(map);
    this.far = null;
    selection.addEventListener("change", () => this.draw());
    layers.addEventListener("change", () => this.draw());
  }

  /** Take the formations of another day, and the places and battles whose signs they keep off; `view` draws them. */
  set(features, places, battles) {
    this.battles = battles;
    this.features = features;
    this.places = places;
  }

  /** Where a formation stands, [latitude, longitude], or null. */
  placeOf(id) {
    const found = this.features.find(({ properties }) => properties.id === id);
    return found ? spot(found) : null;
  }

  /** Draw as seen from far or from near, at the present scale of the map. */
  view(far) {
    this.far = far;
    this.draw();
  }

  draw() {
    this.layer.clearLayers();
    const shown = this.features.filter(({ properties }) => this.layers.shows(layerOf(properties)));
    const found = [...stacks(shown)];
    for (const stack of this.arranged(this.far ? this.gathered(found) : found)) this.layer.addLayer(this.marker(stack));
  }

  // Seen from far, blocks of one side that would cover each other become one at the strongest's spot.
  gathered(found) {
    const weight = ({ members }) => members.reduce((sum, { sp }) => sum + (sp ?? 0), 0);
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

  // Every stack gets its blocks and where they stand about its spot. Seen from far, greater places only count.
  arranged(found) {
    const pixels = (at) => this.map.latLngToLayerPoint(at);
    const spots = (features) => features.map((feature) => pixels(spot(feature)));
    for (const stack of found) {
      stack.blocks = this.far && stack.members.length > 1 ? [sum(stack.members)] : stack.members;
      const { x, y } = pixels(stack.at);
      Object.assign(stack, { x, y }, size(stack.blocks));
    }
    const places = spots(this.places.filter(({ properties }) => !(this.far && isMinor(properties))));
    const signs = [...(this.far ? [] : places.map(around)), ...spots(this.battles).map(swords)];
    arranged(found, signs, places).forEach((where, i) => Object.assign(found[i], where));
    return found;
  }

  marker({ at, blocks, members, across, down, width, height }) {
    const rows = blocks.map((one) => this.block({ ...one, chosen: members.some((member) => this.isChosen(member)) && blocks.length < members.length }));
    const inner = node("div", { className: rows.length > 2 ? "stack-inner stack-wide" : "stack-inner" }, ...rows);
    const end = leader({ width, height, across, down });
    const icon = L.divIcon({
      className: `stack tint-${members[0].tint}`,
      html: node("div", {}, inner, end && drawing(`M${-across} ${-down}L${end[0] - across} ${end[1] - down}`, 1, "leader")),
      iconSize: [0, 0],
      iconAnchor: [-across, -down],
    });
    const title = members.map(({ name, strength, ghost, sighted }) =>
      `${name}: ${strength}${ghost ? ` (${sighted})` : ""}`).join("\n");
    const marker = L.marker(at, {
      icon, title, alt: title, pane: "blocks", zIndexOffset: this.height(members), riseOnHover: true, riseOffset: TOP,
    });
    return onChosen(marker, (element) => this.show(stackCard(members, this.show), element));
  }

  // Whom one commands must never be hidden: one's own lie above the enemy, the chosen above all.
  height(members) {
    if (members.some((member) => this.isChosen(member))) return CHOSEN;
    return members.some(({ own }) => own) ? OWN : 0;
  }

  isChosen({ id }) {
    return Boolean(id) && id === this.selection.formation;
  }

  block(one) {
    const { arm, sp, own, garrison, in_sight: inSight, ghost, age, waits } = one;
    const names = ["block"];
    if (!own) names.push("seen");
    if (!inSight) names.push("past", doubt(age));
    if (garrison) names.push("garrison");
    if (waits) names.push("waits");
    if (one.chosen || this.isChosen(one)) names.push("chosen");
    return node(
      "div",
      { className: names.join(" ") },
      symbol(this.sheet, `arm-${arm}`, 20, 13),
      sp > 0 || ghost ? node("span", { className: "strength", textContent: strength(one) }) : null,
      waits ? node("span", { className: "swords" }, symbol(this.sheet, "swords", 11)) : null,
    );
  }
}

// Several formations as one: the arm of the strongest, strengths added up.
function sum(members) {
  const total = (of) => members.reduce((all, member) => all + of(member), 0);
  return {
    arm: members.reduce((best, member) => ((member.sp ?? 0) > (best.sp ?? 0) ? member : best)).arm,
    sp: total(({ sp }) => sp ?? 0),
    low: total(({ low, sp, high }) => low ?? (high ? 0 : sp ?? 0)),
    high: members.some(({ high }) => high) ? total(({ high, sp }) => high ?? sp ?? 0) : 0,
    own: members.every(({ own }) => own),
    in_sight: members.some(({ in_sight: inSight }) => inSight),
    ghost: members.every(({ ghost }) => ghost),
    age: Math.min(...members.map(({ age }) => age ?? 0)),
    waits: members.some(({ waits }) => waits),
    garrison: members.every(({ garrison }) => garrison),
  };
}

// An estimate is written as its bounds; a mark of interrogation says that the enemy may be gone.
function strength({ sp, low, high, ghost }) {
  const told = high ? `${low ?? 0}–${high}` : sp > 0 ? String(sp) : "";
  return ghost ? `${told}?` : told;
}

// Width and height of blocks in their rows: two beside each other from three on.
function size(blocks) {
  const widest = Math.max(...blocks.map((one) => BLOCK.letter * strength(one).length + (one.waits ? BLOCK.swords : 0)));
  const columns = blocks.length > 2 ? 2 : 1;
  return {
    width: columns * (BLOCK.bare + widest),
    height: Math.ceil(blocks.length / columns) * BLOCK.height,
  };
}

const swords = ({ x, y }) => ({ left: x - SWORDS, right: x - SIGN, top: y - SIGN, bottom: y + SIGN });
const around = ({ x, y }) => ({ left: x - SIGN, right: x + SIGN, top: y - SIGN, bottom: y + SIGN });

// How much a report has faded: a day or two, a week, longer.
function doubt(age = 0) {
  if (age <= 2) return "doubt-1";
  return age <= 6 ? "doubt-2" : "doubt-3";
}

function layerOf({ own, ghost }) {
  if (own) return "columns";
  return ghost ? "ghosts" : "enemies";
}

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
