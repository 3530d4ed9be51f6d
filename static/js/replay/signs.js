// How a unit is drawn: its block by formation and arm, its state by shape and hatching.

import { GONE, ROUTING, SHAKEN } from "./course.js";
import { drawn } from "./dom.js";

// half the tenths of an inch of front and depth of a unit of two bases, by its formation
const IN_LINE = [17.7, 8.85];
const IN_COLUMN = [8.85, 17.7];
const HALF = 5; // half the ten that an inch has
const LINE = 0;
const COLUMN = 1;
const MOUNTED = 6;

/** What a unit is drawn as: foot on horseback are horse. */
export function armOf(one, unit) {
  return unit.form === MOUNTED ? "horse" : one.arm;
}

/** The base of a unit as it is formed now, where it has several. */
export function baseOf(one, unit) {
  return one.bases?.[unit.form] ?? one.base;
}

/** Halves of a block's front and depth; a `base` of its own is inches of front and depth in line. */
function halves(form, base) {
  if (!base) return form === LINE ? IN_LINE : IN_COLUMN;
  const [front, depth] = base.map((inches) => inches * HALF);
  return form === COLUMN ? [depth, front] : [front, depth];
}

/** The parts of a unit's block, heading up. */
export function sign(arm, unit, base) {
  if (unit.mood === GONE) return [drawn("path", { class: "fallen", d: "M-8-8L8 8M8-8L-8 8" })];
  const [wide, deep] = halves(unit.form, base);
  const block = { x: -wide, y: -deep, width: 2 * wide, height: 2 * deep, rx: arm === "wagons" ? 6 : 0 };
  const parts = [drawn("rect", { class: "base", ...block })];
  if (unit.mood === SHAKEN) parts.push(drawn("rect", { class: "hatch", ...block }));
  if (arm === "horse") parts.push(drawn("path", { class: "mark", d: `M${-wide} ${deep}L${wide} ${-deep}` }));
  if (arm === "guns") parts.push(drawn("path", { class: "barrel", d: `M-3 ${-deep}V${-deep - 13}M3 ${-deep}V${-deep - 13}` }));
  parts.push(drawn("path", { class: "front", d: `M${-wide} ${-deep - 2}L0 ${-deep - 8}L${wide} ${-deep - 2}` }));
  if (unit.mood === ROUTING) {
    const behind = deep + 4;
    parts.push(drawn("path", { class: "flight", d: `M${-wide * 0.6} ${behind}v9M0 ${behind}v14M${wide * 0.6} ${behind}v9` }));
  }
  return parts;
}

/** The star of a general. */
export function star() {
  return drawn("path", { d: "M0-11L2.6-3.6 10.5-3.4 4.2 1.4 6.5 8.9 0 4.4-6.5 8.9-4.2 1.4-10.5-3.4-2.6-3.6z" });
}

/** The pattern that hatches shaken troops. */
export function hatching() {
  const pattern = drawn(
    "pattern",
    { id: "replay-hatch", width: 7, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    drawn("path", { class: "hatch-line", d: "M0 0V8" }),
  );
  return drawn("defs", {}, pattern);
}

/** What is done between two spots: a shot, a charge, a fight hand to hand. */
export function stroke(kind, side, [x1, y1], [x2, y2], hit) {
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / long, (y2 - y1) / long];
  if (kind === "melee") {
    const swords = "M-13-13L13 13M13-13L-13 13M-15 7L-7 15M15 7L7 15";
    const place = `translate(${(x1 + x2) / 2} ${(y1 + y2) / 2})`;
    return [drawn("g", { transform: place }, drawn("circle", { class: "halo", r: 21 }), drawn("path", { class: "swords", d: swords }))];
  }
  const [ex, ey] = [x2 - ux * 13, y2 - uy * 13];
  const parts = [drawn("path", { class: `${kind} side-${side}`, d: `M${x1 + ux * 11} ${y1 + uy * 11}L${ex} ${ey}` })];
  if (kind === "charge") {
    const barb = `M${ex} ${ey}l${-ux * 17 - uy * 10} ${-uy * 17 + ux * 10}l${uy * 20} ${-ux * 20}z`;
    return [...parts, drawn("path", { class: `barb side-${side}`, d: barb })];
  }
  for (const [away, r] of [[13, 8], [24, 6], [33, 4]]) {
    parts.push(drawn("circle", { class: "smoke", cx: x1 + ux * away - uy * (r - 5), cy: y1 + uy * away + ux * (r - 5), r }));
  }
  if (hit) {
    const burst = "M0-17L4-5 15-9 6 0 15 9 4 5 0 17-4 5-15 9-6 0-15-9-4-5z";
    parts.push(drawn("path", { class: "burst", d: burst, transform: `translate(${x2} ${y2})` }));
  }
  return parts;
}
