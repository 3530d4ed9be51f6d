// The card that tells of what was tapped: beside the map's edge, on a narrow screen a sheet from below.

import { node } from "./dom.js";

export class Card {
  /**
   * @param {HTMLElement} frame what the map and the card lie in
   * @param {HTMLElement} map where the cursor goes when the card's opener is gone
   */
  constructor(frame, map) {
    this.map = map;
    this.title = node("h3", { id: "map-card-title", tabIndex: -1 });
    this.close = node("button", { type: "button", className: "plain map-card-close", textContent: "Close" });
    this.body = node("div", { className: "map-card-body" });
    this.element = node("section", { className: "map-card", hidden: true }, node("header", {}, this.title, this.close), this.body);
    this.element.setAttribute("role", "dialog");
    this.element.setAttribute("aria-labelledby", this.title.id);
    frame.append(this.element);
    this.opener = null;
    this.close.addEventListener("click", () => this.shut());
    frame.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isOpen) this.shut();
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /**
   * @param {{title: string, tint?: string, rows: Node[]}} told
   * @param {HTMLElement} [opener] gets the cursor back
   */
  open({ title, tint, rows }, opener) {
    this.opener = opener ?? this.opener;
    this.title.textContent = title;
    this.element.className = `map-card${tint ? ` tint-${tint}` : ""}`;
    this.body.replaceChildren(...rows.filter(Boolean));
    this.element.hidden = false;
    this.body.scrollTop = 0;
    this.title.focus({ preventScroll: true });
  }

  /** Put the card away; the cursor goes back to what opened it. */
  shut({ refocus = true } = {}) {
    if (!this.isOpen) return;
    this.element.hidden = true;
    const back = this.opener?.isConnected ? this.opener : this.map;
    this.opener = null;
    if (refocus) back.focus({ preventScroll: true });
  }
}
