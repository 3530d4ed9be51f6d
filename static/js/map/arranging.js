// Where the blocks of formations stand about their spots. The front must read true: blocks keep nearer to
// their own spot than to another's, so that of two stacks none is drawn on the far side of the other.

const ROW = 17; // pixels from row to row
const OFF = 10.5; // pixels from the middle of a place's sign to its blocks
const FLANK = 14.5; // the same sideways
const RIVAL = 90; // pixels within which another stack's spot counts
const PLACE = 40; // and a place's sign
const AWAY = 18; // pixels from a spot beyond which a line leads to its blocks
const SAME = 0.5; // pixels below which two spots are one

// What is wrong with a spot for blocks, by how bad it is.
const COVERS = 100;
const REVERSED = 40;
const ASTRAY = 10;
const PAST = 4;
const LATER = 0.02; // each spot is a little worse than those before it

/**
 * How far from its spot each stack is drawn: across to the middle, down to the upper edge of its blocks.
 * Who stands first in the list chooses first. Blocks hang below their spot, or `above` it, unless that is
 * taken or would reverse who stands north or south, east or west of whom.
 * @param {{x: number, y: number, width: number, height: number, above?: boolean}[]} stacks in pixels
 * @param {{left: number, right: number, top: number, bottom: number}[]} signs that blocks do not cover
 * @param {{x: number, y: number}[]} places on whose own side each stack is drawn
 * @returns {{across: number, down: number}[]}
 */
export function arranged(stacks, signs = [], places = []) {
  const done = [];
  for (const stack of stacks) {
    const near = (list, reach) => list.filter((other) => apart(other, stack) > SAME && apart(other, stack) < reach);
    const rivals = near(stacks, RIVAL);
    const posts = near(places, PLACE);
    const drawn = done.filter(({ stack: other }) => rivals.includes(other));
    const fault = (box) =>
      ([...signs, ...done.map((one) => one.box)].some((other) => overlap(box, other)) ? COVERS : 0)
      + REVERSED * drawn.filter((one) => beyond(middle(box), stack, middle(one.box), one.stack)).length
      + ASTRAY * rivals.filter((other) => apart(middle(box), other) < apart(middle(box), stack)).length
      + PAST * posts.filter((post) => beyond(middle(box), stack, post, post)).length;
    const spots = sides(stack).map(([across, down], i) => {
      const box = boxAt(stack, across, down);
      return { stack, across, down, box, fault: fault(box) + i * LATER };
    });
    done.push(spots.reduce((best, spot) => (spot.fault < best.fault ? spot : best)));
  }
  return done.map(({ across, down }) => ({ across, down }));
}

/** From a spot to the nearest of its blocks, where they stand apart from it: [x, y] from the spot, or null. */
export function leader({ width, height, across, down }) {
  const x = clamp(0, across - width / 2, across + width / 2);
  const y = clamp(0, down, down + height);
  return Math.hypot(x, y) > AWAY ? [x, y] : null;
}

// How far from their spot blocks may be drawn, across and down to their upper edge.
function sides({ width, height, above }) {
  const ends = above ? [[0, -OFF - height], [0, OFF]] : [[0, OFF], [0, -OFF - height]];
  const beside = width / 2 + FLANK;
  const rows = [-height / 2, OFF, -OFF - height];
  const flanks = (across) => rows.flatMap((down) => [[across, down], [-across, down]]);
  const further = [1, 2, 3].flatMap((by) => ends.map(([across, down]) => [across, down + Math.sign(down) * by * ROW]));
  const wider = [1, 2].flatMap((by) => flanks(beside + by * 2 * ROW));
  return [...ends, ...flanks(beside), ...further, ...wider];
}

// Whether one that truly stands at `a` is drawn past another: `drawn` lies on the other's far side.
function beyond(drawn, a, otherDrawn, b) {
  return (drawn.x - otherDrawn.x) * (a.x - b.x) + (drawn.y - otherDrawn.y) * (a.y - b.y) < 0;
}

function boxAt({ x, y, width, height }, across, down) {
  return { left: x + across - width / 2, right: x + across + width / 2, top: y + down, bottom: y + down + height };
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
const middle = ({ left, right, top, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
