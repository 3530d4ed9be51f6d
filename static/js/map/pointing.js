// A march by pointing: places tapped in turn fill the order form, which stays the truth; the bar tells what it says.

import { node } from "./dom.js";

const WAY = ["by_1", "by_2", "by_3", "destination"];
const MARCHES = new Set(["march", "rest"]);
const CHOICES = [["pace", "Pace"], ["stance", "If it meets the enemy"]];
const REACH = ["pace", "light_order", "by_water"];

const TAP = "Tap where it is to march, or places in turn.";

const orderForm = () => document.getElementById("order-form");

export class Pointing {
  /**
   * @param {HTMLElement} bar as in the page's template
   * @param {import("./reach.js").Reach} reach
   */
  constructor(bar, reach) {
    this.bar = bar;
    this.reach = reach;
    this.on = true;
    this.trouble = "";
    this.formation = "";
    this.fresh = true; // the first tap for a column begins its march anew
    this.parts = Object.fromEntries(["who", "way", "loss", "on", "undo", "clear", "key", "choices"]
      .map((name) => [name, bar.querySelector(`.pointing-${name}`)]));
    this.parts.on.addEventListener("click", () => this.turn(!this.on));
    this.parts.undo.addEventListener("click", () => this.write(this.stops().slice(0, -1)));
    this.parts.clear.addEventListener("click", () => this.write([]));
    this.choices = CHOICES.map(([name, text]) => this.choice(name, text));
    document.body.addEventListener("change", ({ target }) => { if (target.form?.id === "order-form") this.tell(); });
    document.body.addEventListener("htmx:afterSettle", () => this.tell());
    document.body.addEventListener("order:drawn", () => this.tell());
    this.tell();
  }

  /** Whether a tap on a place belongs to the march: a column is chosen and one does not look back. */
  get active() {
    return this.on && !this.bar.hidden && !document.querySelector(".map-frame.past");
  }

  /** Take a place into the march. Returns false when the tap is not for it. */
  take(place) {
    if (!this.active) return false;
    const stops = this.fresh ? [] : this.stops();
    if (stops.at(-1) === place.id) {
      this.say(`${place.name} is the last place already.`);
    } else if (stops.length === WAY.length) {
      this.say("An order names four places at most. Undo one, or add further stages in the form.");
    } else if (![...this.field("destination").options].some(({ value }) => value === place.id)) {
      this.say(`Nobody can be ordered to ${place.name}.`);
    } else {
      this.write([...stops, place.id]);
    }
    return true;
  }

  /** Point, or look at places without changing the march. */
  turn(on) {
    this.on = on;
    this.tell();
  }

  get marches() {
    return MARCHES.has(this.field("activity").value);
  }

  /** Ids of the places in the form, in turn. */
  stops() {
    return this.marches ? WAY.map((name) => this.field(name).value).filter(Boolean) : [];
  }

  write(stops) {
    this.fresh = false;
    if (!this.marches) this.field("activity").value = "march";
    const between = stops.slice(0, -1);
    WAY.slice(0, 3).forEach((name, i) => { this.field(name).value = between[i] ?? ""; });
    if (between.length) this.field("by_1").closest("details").open = true;
    this.fill("destination", stops.at(-1) ?? "");
  }

  field(name) {
    return orderForm().elements[name];
  }

  /** Give a field of the form a value as if it had been chosen there. */
  fill(name, value) {
    this.trouble = "";
    this.field(name).value = value;
    this.field(name).dispatchEvent(new CustomEvent("change", { bubbles: true, detail: "pointed" }));
  }

  say(trouble) {
    this.trouble = trouble;
    this.tell();
  }

  /** Bring the bar and the shaded reach in step with the form. */
  tell() {
    const form = orderForm();
    const chosen = form?.elements.formation.selectedOptions[0];
    this.bar.hidden = !chosen?.value;
    document.body.classList.toggle("points", this.active);
    if (this.bar.hidden) {
      this.reach.show("");
      return;
    }
    if (chosen.value !== this.formation) this.fresh = true;
    this.formation = chosen.value;
    const { who, way, loss, on, undo, clear, key } = this.parts;
    const garrison = Boolean(chosen.closest("optgroup"));
    const stops = this.stops();
    who.textContent = chosen.textContent.replace(/ \([^(]*\)$/, ""); // the map shows where it stands
    way.textContent = this.words(garrison);
    loss.textContent = this.preview?.dataset.loss ? `${this.preview.dataset.loss}.` : "";
    on.setAttribute("aria-pressed", String(this.on));
    undo.disabled = clear.disabled = stops.length === 0;
    key.hidden = garrison || !this.on;
    for (const select of this.choices) this.follow(select, garrison);
    this.reach.show(garrison || !this.on ? "" : question(form));
  }

  get preview() {
    return document.querySelector("#order-preview [data-path]");
  }

  words(garrison) {
    if (this.trouble) return this.trouble;
    const refused = document.querySelector("#order-preview h3 ~ p, #order-preview .error");
    const { way } = this.preview?.dataset ?? {};
    if (way && !garrison) return this.stops().length || !this.marches ? way : `${TAP} As written it ${way}`;
    if (refused && !this.preview) return refused.textContent;
    if (garrison) return "It holds its place and does not march; the form gives it work.";
    return TAP;
  }

  // A choice of the form's, once more in the bar.
  choice(name, text) {
    const select = node("select", { autocomplete: "off" });
    select.dataset.field = name;
    select.addEventListener("change", () => this.fill(name, select.value));
    this.parts.choices.append(node("label", {}, node("span", { textContent: text }), select));
    return select;
  }

  follow(select, garrison) {
    const source = this.field(select.dataset.field);
    if (!select.options.length) select.append(...[...source.options].map((option) => option.cloneNode(true)));
    select.value = source.value;
    select.disabled = source.disabled;
    select.closest("label").hidden = garrison;
  }
}

function question(form) {
  const asked = new URLSearchParams({ formation: form.elements.formation.value });
  for (const name of REACH) {
    const field = form.elements[name];
    if (field.disabled || (field.type === "checkbox" && !field.checked)) continue;
    asked.set(name, field.value);
  }
  return asked.toString();
}
