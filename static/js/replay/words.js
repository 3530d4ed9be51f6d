// The words beside the table: hour, act, dice and what came of it; the frames of the turn; the roll of units.

import { isMarch } from "./course.js";
import { drawn, node } from "./dom.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};
const STATES = ["", "is-shaken", "is-routing", "is-gone"];

/** A die's face, with its number for those who hear it. */
export function die(number) {
  const face = drawn("svg", { class: "die", viewBox: "-10 -10 20 20", role: "img", "aria-label": String(number) });
  face.append(drawn("rect", { x: -9, y: -9, width: 18, height: 18, rx: 3 }));
  for (const [x, y] of PIPS[number] ?? []) face.append(drawn("circle", { cx: x * 4.6, cy: y * 4.6, r: 1.9 }));
  return face;
}

/** A rule's id, leading to the rule as the campaign plays it. */
function ruleMark(id) {
  if (!id) return null;
  const campaign = location.pathname.split("/")[2];
  const link = node("a", { className: "rule", href: `/rulebook/${id}/?campaign=${campaign}`, textContent: id });
  return node("span", { className: "rule-id" }, link);
}

function dice(line) {
  if (!line.d) return null;
  const row = node("p", { className: "dice-row" });
  row.append(...line.d.map(die));
  if (line.m) row.append(node("span", { textContent: line.m > 0 ? `+ ${line.m}` : `− ${-line.m}` }));
  if (line.n || line.m) row.append(node("strong", { textContent: `= ${line.n ?? 0}` }));
  return row;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const sentence = (text) => (text && !/[.!?]$/.test(text) ? `${capital(text)}.` : capital(text));

/** The hour of a turn of so many minutes, counted from the first move. */
function hour(turn, long) {
  const minutes = Math.max(0, turn - 1) * long;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
}

/** A frame in a line of plain words. */
export function told(frame) {
  const [first, next] = frame.e;
  const own = !first.w; // the headline is the first line's, and says of nobody else what came of it
  const came = first.r ?? (next?.k === "hit_die" ? next.r : undefined);
  return [frame.w, own && came].filter(Boolean).map(sentence).join(" ");
}

/** The panel beside the table; `go` is called with the number of a frame that is asked for. */
export class Words {
  constructor(root, replay, go) {
    this.replay = replay;
    this.go = go;
    this.hour = root.querySelector("[data-hour]");
    this.act = root.querySelector("[data-act]");
    this.list = root.querySelector("[data-turn-list]");
    this.live = root.querySelector("[data-live]");
    this.rolls = [...root.querySelectorAll("[data-roll]")];
    this.buttons = new Map();
    this.rows = replay.units.map((one) => this.#row(one));
  }

  /** Say what is shown: frame `n` of the replay, 0 for the drawing up, and how all stand. */
  show(n, state) {
    const frame = this.replay.frames[n - 1];
    if (frame) {
      const step = this.replay.steps[frame.p] ?? "";
      const swatch = node("span", { className: `swatch replay-side-${frame.s}` });
      const side = this.replay.sides[frame.s];
      this.hour.replaceChildren(swatch, frame.t ? `Turn ${frame.t}, ${hour(frame.t, this.replay.minutes)}: ${side}, ${step}` : capital(step));
      this.act.replaceChildren(...this.#told(frame));
      this.live.textContent = told(frame);
    } else {
      const words = "Both sides stand drawn up, before the first move.";
      this.hour.replaceChildren("Drawn up");
      this.act.replaceChildren(node("p", { className: "headline", textContent: words }));
      this.live.textContent = words;
    }
    this.#turn(n, frame);
    this.#standing(state);
  }

  #told(frame) {
    const rule = ruleMark(frame.e[0].u);
    const headline = node("p", { className: "headline" }, `${sentence(frame.w)} `, isMarch(frame) ? null : rule);
    if (isMarch(frame)) {
      const items = frame.e.map((line) => node("li", { textContent: sentence(line.w || frame.w) }));
      return [headline, node("ul", { className: "marches" }, ...items)];
    }
    return [headline, ...frame.e.filter((line) => line.w || line.d || line.r).map((line) => this.#line(line))];
  }

  #line(line) {
    const rule = ruleMark(line.u);
    const words = line.w ? node("p", {}, `${sentence(line.w)} `, rule) : null;
    const came = line.r ? node("p", {}, node("strong", { textContent: sentence(line.r) })) : null;
    return node("div", { className: "line" }, words, dice(line), came);
  }

  #turn(n, frame) {
    if (!this.buttons.has(n)) {
      const same = (one) => frame && one.t === frame.t && one.s === frame.s;
      this.buttons = new Map();
      this.replay.frames.forEach((one, k) => {
        if (!same(one)) return;
        const button = node("button", { type: "button", className: "plain", textContent: one.w });
        button.addEventListener("click", () => this.go(k + 1));
        this.buttons.set(k + 1, button);
      });
      this.list.replaceChildren(...[...this.buttons.values()].map((button) => node("li", {}, button)));
    }
    for (const [number, button] of this.buttons) {
      if (number === n) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    const current = this.buttons.get(n)?.parentElement;
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 3;
  }

  #row(one) {
    const sp = node("td", { className: "figure" });
    const mood = node("td");
    const row = node("tr", {}, node("th", { scope: "row", textContent: one.name }), sp, mood);
    this.rolls[one.side]?.append(row);
    return { row, sp, mood, start: one.sp };
  }

  #standing(state) {
    state.units.forEach((unit, n) => {
      const { row, sp, mood, start } = this.rows[n];
      row.className = unit ? STATES[unit.mood] : "is-away";
      sp.textContent = unit ? `${unit.sp} of ${start}` : "";
      mood.textContent = unit ? this.replay.moods[unit.mood] : "not on the field";
    });
  }
}
