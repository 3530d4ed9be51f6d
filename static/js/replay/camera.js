// What part of the table is looked at: all of it, or where something happens.

const ROOM = 130; // about the action, ten to an inch
const CLOSEST = 0.42; // of the table's breadth
const VIEW_MS = 380;

const within = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

/** Moves an SVG's viewBox about. */
export class Camera {
  constructor(svg, still) {
    this.svg = svg;
    this.still = still;
    this.home = svg.getAttribute("viewBox").split(" ").map(Number);
    this.view = this.home;
  }

  /** The whole table again. */
  away() {
    this.svg.classList.remove("close");
    this.#glide(this.home);
  }

  /** Close to some spots of the drawing. */
  near(spots) {
    this.svg.classList.add("close");
    const [left, top, wide, tall] = this.home;
    const xs = spots.map(([x]) => x);
    const ys = spots.map(([, y]) => y);
    const [low, high] = [Math.min(...xs), Math.max(...xs)];
    const [upper, lower] = [Math.min(...ys), Math.max(...ys)];
    const share = wide / tall;
    const needed = Math.max(high - low + 2 * ROOM, (lower - upper + 2 * ROOM) * share, wide * CLOSEST);
    const width = Math.min(wide, needed);
    const height = width / share;
    const x = within((low + high - width) / 2, left, left + wide - width);
    const y = within((upper + lower - height) / 2, top, top + tall - height);
    this.#glide([x, y, width, height]);
  }

  #set(view) {
    this.view = view;
    this.svg.setAttribute("viewBox", view.map((value) => value.toFixed(1)).join(" "));
  }

  #glide(wanted) {
    cancelAnimationFrame(this.gliding);
    const from = this.view;
    if (this.still.matches || from.every((value, n) => Math.abs(value - wanted[n]) < 1)) {
      this.#set(wanted);
      return;
    }
    const began = performance.now();
    const step = (now) => {
      const share = within((now - began) / VIEW_MS, 0, 1);
      const eased = share * (2 - share);
      this.#set(from.map((value, n) => value + (wanted[n] - value) * eased));
      if (share < 1) this.gliding = requestAnimationFrame(step);
    };
    this.gliding = requestAnimationFrame(step);
  }
}
