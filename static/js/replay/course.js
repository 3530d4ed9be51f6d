// How all stand after each frame, so that the replay can go to any of them, forwards or back.

export const SHAKEN = 1;
export const ROUTING = 2;
export const GONE = 3;
// part of another stand, and not on the table by itself
const AWAY = 4;

// who suffers this does not march
const LOSSES = new Set(["sp_lost", "eliminated"]);

const unit = ([x, y, face, form, sp, mood]) => (mood === AWAY ? null : { x, y, face, form, sp, mood });
const rider = ([unitNumber, x, y, there]) => ({ unit: unitNumber, x, y, there: Boolean(there) });

/**
 * States of the table by frame: states[0] is how they are drawn up, states[n] after frame n.
 * A unit or general not yet on the table, or not yet in sight, is null.
 */
export function course(replay) {
  let now = {
    units: replay.units.map((one) => (one.at ? unit(one.at) : null)),
    generals: replay.generals.map((one) => (one.at ? rider(one.at) : null)),
  };
  const states = [now];
  for (const frame of replay.frames) {
    const next = { units: [...now.units], generals: [...now.generals] };
    for (const line of frame.e) {
      for (const [number, ...facts] of line.c ?? []) next.units[number] = unit(facts);
      for (const [number, ...facts] of line.g ?? []) next.generals[number] = rider(facts);
    }
    states.push(next);
    now = next;
  }
  return states;
}

/** Numbers of the frames with which a player turn begins; a turn is one side's. */
export function turnStarts(frames) {
  const starts = [];
  frames.forEach((frame, n) => {
    const before = frames[n - 1];
    if (!before || before.t !== frame.t || before.s !== frame.s) starts.push(n + 1);
  });
  return starts;
}

/** True for a frame in which several only march. */
export function isMarch(frame) {
  const told = (line) => line.d || LOSSES.has(line.k);
  return frame.e.length > 1 && !frame.e.some(told) && frame.e[0].b === undefined;
}
