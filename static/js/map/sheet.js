// The sheet itself: Leaflet without tiles, its panes, and where the reader left it.

import { drawing, node } from "./dom.js";

/**
 * @param {HTMLElement} element
 * @param {number[][]} corners south-west and north-east, latitude first
 * @returns {L.Map}
 */
export function sheet(element, corners) {
  const map = L.map(element, {
    zoomSnap: 0.25,
    zoomDelta: 0.5,
    wheelPxPerZoomLevel: 120,
    maxZoom: 12,
    maxBounds: corners,
    maxBoundsViscosity: 1,
    attributionControl: false,
    renderer: L.svg({ padding: 0.4 }),
    zoomAnimation: !matchMedia("(prefers-reduced-motion: reduce)").matches,
  });
  map.setMinZoom(map.getBoundsZoom(corners, true));
  L.control.scale({ position: "bottomleft", metric: false, maxWidth: 160 }).addTo(map);
  map.createPane("ways").style.zIndex = 380;
  map.createPane("signs").style.zIndex = 590;
  map.createPane("blocks").style.zIndex = 620;
  return map;
}

const AIR = 44; // pixels left free around what is first shown

/**
 * A submitted form loads the page anew; the map stays where its reader had it. `covered` pixels lie under
 * the bar of days at its lower edge; `labels` pixels are for what is written left of a spot, and then
 * the sheet may be seen smaller than its frame, so that all of `bounds` is inside.
 */
export function place(map, bounds, key, { covered = 0, labels = 0 } = {}) {
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
  const options = { paddingTopLeft: [AIR + labels, AIR], paddingBottomRight: [AIR, AIR + covered], maxZoom: 9.5 };
  if (labels) smaller(map, bounds, L.point(2 * AIR + labels, 2 * AIR + covered));
  const whole = (animate) => map.fitBounds(bounds, { ...options, animate });
  if (kept) map.setView(kept.centre, kept.zoom, { animate: false });
  else whole(false);
  map.addControl(wholeMap(() => whole(map.options.zoomAnimation)));
  map.on("moveend", () => {
    sessionStorage.setItem(key, JSON.stringify({ centre: map.getCenter(), zoom: map.getZoom() }));
  });
}

// Lets the sheet be seen smaller than its frame where `bounds` would not fit; what is beyond its edge is blank.
function smaller(map, bounds, padding) {
  const filled = map.getMinZoom();
  map.setMinZoom(0); // a zoom below the least is never found to fit
  map.setMinZoom(Math.min(filled, map.getBoundsZoom(bounds, false, padding)));
  if (map.getMinZoom() === filled) return;
  const edge = map.options.maxBounds;
  const ring = (corners) => [corners.getSouthWest(), corners.getNorthWest(), corners.getNorthEast(), corners.getSouthEast()];
  map.createPane("beyond").style.zIndex = 215;
  const options = { pane: "beyond", renderer: L.svg({ pane: "beyond", padding: 0.4 }), interactive: false, className: "beyond" };
  L.polygon([ring(edge.pad(3)), ring(edge)], options).addTo(map);
}

// Back from wherever one has looked to the whole theatre, beside + and −.
function wholeMap(act) {
  const control = L.control({ position: "topleft" });
  control.onAdd = () => {
    const button = node("button", { type: "button", className: "whole-map", title: "Whole map", ariaLabel: "Whole map" });
    button.append(drawing("M2 6V2H6M10 2H14V6M14 10V14H10M6 14H2V10", 16));
    button.addEventListener("click", act);
    const bar = node("div", { className: "leaflet-bar" }, button);
    L.DomEvent.disableClickPropagation(bar);
    return bar;
  };
  return control;
}
