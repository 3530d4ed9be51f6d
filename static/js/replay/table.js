// The table: units as blocks on the drawn ground, and the act of the moment.

import { Camera } from "./camera.js";
import { GONE, isMarch, ROUTING } from "./course.js";
import { drawn } from "./dom.js";
import { armOf, baseOf, hatching, sign, star, stroke } from "./signs.js";

const UNIT = 10; // units of the drawing to an inch
const ACTS = {
  fire: "shot",
  fire_at_second_charge: "shot",
  charge: "charge",
  counter_charge: "charge",
  contact: "charge",
  melee_roll: "melee",
};
const CLASSES = ["steady", "shaken", "routing", "gone"];

/** The moving layer over a drawn ground. */
export class Table {
  constructor(svg, replay) {
    this.replay = replay;
    this.depth = replay.table[1];
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.camera = new Camera(svg, this.still);
    this.follow = false;
    this.trails = drawn("g", { class: "trails" });
    this.pieces = drawn("g", { class: "pieces" });
    this.acts = drawn("g", { class: "acts" });
    this.labels = drawn("g", { class: "labels" });
    this.layer = drawn("g", { class: "replay-layer" }, hatching(), this.trails, this.pieces, this.acts, this.labels);
    svg.append(this.layer);
    this.blocks = replay.units.map((one) => this.#block(one));
    this.riders = replay.generals.map((one) => this.#rider(one));
  }

  /** Show a state; with a frame also what is done in it, after the state before. `moved`: let them walk. */
  show(state, frame, before, moved) {
    this.layer.classList.toggle("moving", moved && !this.still.matches);
    for (const group of [this.trails, this.acts, this.labels]) group.replaceChildren();
    state.units.forEach((unit, n) => this.#piece(n, unit, before?.units[n]));
    state.generals.forEach((rider, n) => this.#ride(n, rider, state));
    if (frame) {
      this.#act(frame, state, before);
      this.#name(frame, state, before);
    }
    this.#look(frame, state, before);
  }

  /** Keep close to the action, or show the whole table. */
  setFollow(follow, frame, state, before) {
    this.follow = follow;
    this.#look(frame, state, before);
  }

  #at(x, y) {
    return [x * UNIT, (this.depth - y) * UNIT];
  }

  #block(one) {
    const body = drawn("g", { class: "turned" });
    const number = drawn("text", { class: "sp", "text-anchor": "middle", dy: "0.34em" });
    const title = drawn("title");
    const group = drawn("g", { class: `piece side-${one.side} ${one.arm}` }, title, body, number);
    this.pieces.append(group);
    return { group, body, number, title };
  }

  #rider(one) {
    const title = drawn("title");
    title.textContent = one.name;
    const group = drawn("g", { class: `rider side-${one.side}` }, title, star());
    this.pieces.append(group);
    return group;
  }

  #ride(n, rider, state) {
    const group = this.riders[n];
    const spot = rider?.there ? this.#spotOf(rider, state) : null;
    group.classList.toggle("away", !spot);
    if (spot) place(group, spot);
  }

  #spotOf(rider, state) {
    if (rider.unit < 0) return this.#at(rider.x, rider.y);
    const unit = state.units[rider.unit];
    if (!unit || unit.mood === GONE) return null;
    const [x, y] = this.#at(unit.x, unit.y);
    // behind his unit
    const back = ((unit.face + 180) * Math.PI) / 180;
    return [x + Math.sin(back) * 20, y - Math.cos(back) * 20];
  }

  #piece(n, unit, before) {
    const block = this.blocks[n];
    const one = this.replay.units[n];
    block.group.classList.toggle("away", !unit);
    if (!unit) return;
    const look = `${unit.form}/${unit.mood}`;
    if (block.look !== look) {
      CLASSES.forEach((name, mood) => block.group.classList.toggle(name, unit.mood === mood));
      block.body.replaceChildren(...sign(armOf(one, unit), unit, baseOf(one, unit)));
      block.look = look;
    }
    block.number.textContent = unit.mood === GONE ? "" : String(unit.sp);
    block.title.textContent = `${one.name}, ${unit.sp} SP, ${this.replay.moods[unit.mood]}`;
    const spot = this.#at(unit.x, unit.y);
    place(block.group, spot);
    block.face = nearest(block.face, unit.face);
    block.body.style.transform = `rotate(${block.face}deg)`;
    if (before && before.mood !== GONE && Math.hypot(before.x - unit.x, before.y - unit.y) > 0.2) {
      const [x, y] = this.#at(before.x, before.y);
      const kind = unit.mood === ROUTING ? "trail rout" : "trail";
      this.trails.append(drawn("path", { class: `${kind} side-${one.side}`, d: `M${x} ${y}L${spot[0]} ${spot[1]}` }));
    }
  }

  #act(frame, state, before) {
    for (const [k, line] of frame.e.entries()) {
      const actor = before.units[line.a] ?? state.units[line.a];
      const target = before.units[line.b] ?? state.units[line.b];
      const kind = ACTS[line.k];
      if (kind && actor && target) {
        const { side } = this.replay.units[line.a];
        const ends = [this.#at(actor.x, actor.y), this.#at(target.x, target.y)];
        this.acts.append(...stroke(kind, side, ...ends, isHit(line) || (frame.e[k + 1]?.k === "hit_die" && isHit(frame.e[k + 1]))));
      } else if (line.d && actor) {
        const [cx, cy] = this.#at(actor.x, actor.y);
        const bad = /rout|retire|run|surrender|killed|captured|wounded|fail/.test(line.r ?? "");
        this.acts.append(drawn("circle", { class: bad ? "ring bad" : "ring", cx, cy, r: 27 }));
      }
    }
  }

  #name(frame, state, before) {
    if (isMarch(frame) || frame.e[0].w) return; // of several at once the names would crowd each other
    const numbers = [frame.e[0].a, frame.e[0].b].filter((n) => n !== undefined);
    const stood = (n) => before.units[n] ?? state.units[n];
    numbers.forEach((n, k) => {
      const unit = stood(n);
      if (!unit) return;
      const other = stood(numbers[1 - k]);
      const below = other ? unit.y < other.y : unit.y < this.depth / 2;
      const [x, y] = this.#at(unit.x, unit.y);
      const share = unit.x / this.replay.table[0];
      const anchor = share < 0.2 ? "start" : share > 0.8 ? "end" : "middle";
      const label = drawn("text", { class: "name", x, y: y + (below ? 46 : -30), "text-anchor": anchor });
      label.textContent = this.replay.units[n].name;
      this.labels.append(label);
    });
  }

  #look(frame, state, before) {
    if (!this.follow) {
      this.camera.away();
      return;
    }
    const spots = [];
    for (const line of frame?.e ?? []) {
      for (const n of [line.a, line.b]) {
        for (const unit of [before?.units[n], state.units[n]]) if (unit) spots.push(this.#at(unit.x, unit.y));
      }
    }
    if (spots.length) this.camera.near(spots);
    else if (!frame) this.camera.away();
  }
}

function place(group, [x, y]) {
  group.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

// A shot tells by its own dice, or by those of the line after it.
const isHit = (line) => /\bhits?$/.test(line.r ?? "") && !line.r.startsWith("no ");

// Turning from 350 to 10 degrees goes by 20, not by 340.
function nearest(from, to) {
  if (from === undefined) return to;
  return from + (((((to - from) % 360) + 540) % 360) - 180);
}
