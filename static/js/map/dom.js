// Small helpers: nodes are built, never parsed, so that no name can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties and children; null children are left out. */
export function node(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A drawing of the sheet of symbols. */
export function symbol(sheet, name, width, height = width) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${sheet}#${name}`);
  svg.append(use);
  return svg;
}

/** A path of its own, in pixels; without a size it is drawn past its bounds. */
export function drawing(path, size = 1, names = "") {
  const svg = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "path");
  svg.setAttribute("class", names);
  svg.setAttribute("width", size);
  svg.setAttribute("height", size);
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Call back when a marker or line is clicked or chosen with Enter or the space bar; with its element, and whether
 * it was pointed at. */
export function onChosen(layer, act) {
  layer.on("click", (event) => {
    L.DomEvent.stopPropagation(event);
    act(layer.getElement?.(), true);
  });
  layer.on("keypress", ({ originalEvent: event }) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act(layer.getElement?.(), false);
  });
  return layer;
}

/** Give the order form a value, as if the reader had chosen it. Returns false when there is no form. */
export function orderForm(id, value) {
  const select = document.getElementById(id);
  if (!select || ![...select.options].some((option) => option.value === value)) return false;
  select.value = value;
  select.dispatchEvent(new Event("change", { bubbles: true }));
  const bar = document.querySelector("#pointing:not([hidden])");
  bar?.querySelector("h2").focus({ preventScroll: true });
  if (!bar) select.scrollIntoView({ block: "nearest" });
  else if (getComputedStyle(bar).position === "sticky") document.querySelector(".map-frame").scrollIntoView(); // narrow: map and bar
  return true;
}
