// Names are placed greatest first: right of their sign, or left, above or below it where that is free;
// beside it also a little higher or lower, past the troops that stand under or over it. One that would
// cover a block, another name or another sign everywhere waits for more room. Seen from far, lesser places
// whose sign would lie upon a greater one are left out.

const MARGIN = 2;
const GAP = 10; // pixels from the middle of a sign to its name, as in map.css
const STAR = 14; // pixels more where an objective's star stands between
const SHIFT = 6; // pixels by which a name beside its sign may stand higher or lower, as in map.css
const FURTHER = 14; // the same, where there is no other room
const OUT = 36; // pixels from the middle of a sign to its name past a block that lies upon it
const OFF = 66; // past a block beside it, or past the swords and the star left of it
const SPOTS = ["label-left", "label-above", "label-below", "label-high", "label-low", "label-higher", "label-lower", "label-out", "label-off"];
const TAKEN = ".stack-inner .block, .battle-mark svg, .sign svg, .objective svg, .leaflet-control, .legend, .days";
const EDGE = 7; // pixels of the sheet's frame, under which no name goes
const COVERED = 14; // pixels between two signs of which the lesser is left out: closer, a finger cannot tell them apart

/** Find each name a place where it covers nothing. `labels` are in order of rank. */
export function settleLabels(container, labels) {
  const far = container.classList.contains("far");
  const frame = container.getBoundingClientRect();
  for (const label of labels) label.classList.remove("crowded", ...SPOTS);
  const signs = signsOf(labels, far);
  const drawn = [...signs.values()];
  const others = container.parentElement.querySelectorAll(TAKEN);
  const taken = [...others].map(box);
  const names = []; // that have their place already, and the lines that lead to them
  const sizes = labels.map(box); // all are measured before any is moved
  labels.forEach((label, i) => {
    const sign = signs.get(label);
    const spots = spotsFor(label, sizes[i], sign, frame);
    const meets = ({ at, gap }, other) => overlap(at, other) || (gap && overlap(gap, other));
    const free = spots.filter((one) => !taken.some((other) => overlap(one.at, other)) && !names.some((other) => meets(one, other)));
    const clear = (list, spots) => spots.find((one) => !list.some((other) => other !== sign && meets(one, other)));
    // where nothing is free, the name of a greater place may lie on the sign of a lesser, next to its own
    const minor = label.closest(".place-minor") !== null;
    const alone = clear(drawn, free);
    const beside = free.filter(({ gap }) => !gap);
    const found = alone ?? (sign && !minor ? clear(drawn.slice(0, drawn.indexOf(sign)), beside) : undefined);
    label.closest(".place")?.classList.toggle("name-over", !alone && Boolean(found));
    if (found) label.classList.add(...found.names);
    if (found) names.push(...[found.at, found.gap].filter(Boolean));
    else label.classList.add("crowded");
  });
}

// The boxes of the signs that are drawn, by their label.
function signsOf(labels, far) {
  const kept = new Map();
  for (const label of labels) {
    const place = label.closest(".place");
    if (!place) continue;
    const sign = box(place.querySelector("svg"));
    const lesser = far && place.classList.contains("place-minor");
    const covered = far && [...kept.values()].some((other) => near(middle(sign), middle(other)));
    place.classList.toggle("place-covered", covered);
    if (!lesser && !covered) kept.set(label, sign);
  }
  return kept;
}

// Where a name may stand. One at the sheet's edge stays within its frame, unless its sign is out of sight itself.
function spotsFor(label, size, sign, frame) {
  if (!label.closest(".place")) return [{ names: [], at: size }];
  if (!sign) return [];
  const star = label.closest(".place-objective") ? STAR : 0;
  const spots = around(size, middle(sign), star);
  const within = ({ left, right, top, bottom }) =>
    left >= frame.left + EDGE && right <= frame.right - EDGE && top >= frame.top + EDGE && bottom <= frame.bottom - EDGE;
  return overlap(sign, frame) ? spots.filter(({ at }) => within(at)) : spots;
}

function around({ left, right, top, bottom }, { x, y }, star) {
  const width = right - left;
  const height = bottom - top;
  const spot = (names, from, row) => ({ names, at: { left: from, right: from + width, top: row, bottom: row + height } });
  // furthest off it may stand past troops, never past another place's sign
  const past = (names, from) => ({ ...spot(names, from, top), gap: { left: Math.min(x, from), right: Math.max(x, from), top: y - 2, bottom: y + 2 } });
  const westward = x - GAP - star - width;
  return [
    spot([], left, top),
    spot(["label-left"], westward, top),
    spot(["label-high"], left, top - SHIFT),
    spot(["label-low"], left, top + SHIFT),
    spot(["label-left", "label-high"], westward, top - SHIFT),
    spot(["label-left", "label-low"], westward, top + SHIFT),
    spot(["label-above"], x - width / 2, y - GAP - height),
    spot(["label-below"], x - width / 2, y + GAP),
    ...[["label-higher", -FURTHER], ["label-lower", FURTHER]].flatMap(([name, by]) => [
      spot([name], left, top + by), spot(["label-left", name], westward, top + by),
    ]),
    spot(["label-out"], x + OUT, top),
    spot(["label-left", "label-out"], x - OUT - width, top),
    past(["label-left", "label-off"], x - OFF - width),
    past(["label-off"], x + OFF),
  ];
}

function box(element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { left: left - MARGIN, right: right + MARGIN, top: top - 1, bottom: bottom + 1 };
}

const middle = ({ left, right, top, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });
const near = (a, b) => Math.abs(a.x - b.x) < COVERED && Math.abs(a.y - b.y) < COVERED;
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
