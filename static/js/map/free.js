// What of the sheet lies free of the panels upon it, and bringing a column with its march there.

const PANELS = "#pointing:not([hidden]), .days";
const EDGE = 24; // pixels left free at the sheet's edge
const AROUND = 34; // pixels about a spot, for its blocks
const STEP = 0.25; // of the zoom

/**
 * Where a spot and the points of its march come to lie in a free part of the sheet: how far to move the
 * view, [x, y]. Null where all are free as they are, or where the spot is and its march fits nowhere.
 * @param {{x: number, y: number}} spot in pixels of the sheet
 * @param {{x: number, y: number}[]} march
 * @param {{x: number, y: number}} size of the sheet
 * @param {{left: number, right: number, top: number, bottom: number}[]} panels
 */
export function shift(spot, march, size, panels) {
  const { free, rests } = parts(size, panels);
  if (free(spot) && march.every(free)) return null;
  const hull = hullOf([spot, ...march]);
  const room = roomFor(hull, rests);
  if (!room && free(spot)) return null;
  if (!rests.length) return null; // the panels leave nothing free
  const wanted = room ? hull : hullOf([spot]);
  const there = room ?? rests[0];
  const by = (low, high, from, to) => (low < from ? low - from : high > to ? high - to : 0);
  return [by(wanted.left, wanted.right, there.left, there.right), by(wanted.top, wanted.bottom, there.top, there.bottom)];
}

/**
 * Move the view so that a column and its march lie free, from at least this zoom; `all` of a march that is
 * longer than the sheet is seen from further off. Coordinates are latitude, longitude.
 */
export function bring(map, at, march, least, all = false) {
  const size = map.getSize();
  const panels = panelsOn(map);
  let zoom = Math.max(map.getZoom(), least);
  if (all && !inSight(map, [at, ...march], size, panels)) zoom = furtherOff(map, [at, ...march], zoom, size, panels);
  const same = zoom === map.getZoom();
  const origin = map.project(same ? map.getCenter() : at, zoom);
  const pixel = (point) => map.project(point, zoom).subtract(origin).add(size.divideBy(2));
  const by = shift(pixel(at), march.map(pixel), size, panels);
  if (!by && same) return;
  map.setView(map.unproject(origin.add(by ?? [0, 0]), zoom), zoom, { animate: map.options.zoomAnimation });
}

function inSight(map, points, size, panels) {
  const { free } = parts(size, panels);
  return points.every((point) => free(map.latLngToContainerPoint(point)));
}

// The nearest zoom from which points fit a free part of the sheet; as it is, where none does.
function furtherOff(map, points, zoom, size, panels) {
  const { rests } = parts(size, panels);
  for (let least = map.getMinZoom(), tried = zoom; tried >= least; tried -= STEP) {
    if (roomFor(hullOf(points.map((point) => map.project(point, tried))), rests)) return tried;
  }
  return zoom;
}

// Whether a point lies on the sheet within its edge and clear of its panels with room about them; and what
// they leave free, the largest first.
function parts(size, panels) {
  const whole = { left: EDGE, right: size.x - EDGE, top: EDGE, bottom: size.y - EDGE };
  const grown = panels.map(({ left, right, top, bottom }) => ({
    left: left - AROUND, right: right + AROUND, top: top - AROUND, bottom: bottom + AROUND,
  }));
  const rests = grown.reduce((list, panel) => list.flatMap((rest) => without(rest, panel)), [whole]);
  const free = (point) => within(point, whole) && !grown.some((panel) => within(point, panel));
  return { free, rests: rests.sort((a, b) => area(b) - area(a)) };
}

const roomFor = (hull, rests) => rests.find((rest) => wide(rest) >= wide(hull) && high(rest) >= high(hull));

function panelsOn(map) {
  const sheet = map.getContainer().getBoundingClientRect();
  return [...document.querySelectorAll(PANELS)].map((panel) => panel.getBoundingClientRect())
    .map(({ left, right, top, bottom }) => ({
      left: left - sheet.left, right: right - sheet.left, top: top - sheet.top, bottom: bottom - sheet.top,
    }))
    .filter((panel) => overlap(panel, { left: 0, right: sheet.width, top: 0, bottom: sheet.height }));
}

// What is left of a part of the sheet left and right of a panel, above and below it.
function without(rest, panel) {
  if (!overlap(rest, panel)) return [rest];
  const { left, right, top, bottom } = panel;
  const parts = [{ ...rest, right: left }, { ...rest, left: right }, { ...rest, bottom: top }, { ...rest, top: bottom }];
  return parts.filter((part) => wide(part) > 0 && high(part) > 0);
}

function hullOf(points) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

const wide = ({ left, right }) => right - left;
const high = ({ top, bottom }) => bottom - top;
const area = (box) => wide(box) * high(box);
const within = ({ x, y }, box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
