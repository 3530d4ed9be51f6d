// Nothing moves away under a finger: what the site sends of its own accord while something is being pressed is not put
// on the page, nor is the page loaded anew, which could move the button between touch and click; it is asked for again
// when all is let go. Who asks so takes the event "again" among its triggers, or asks again after a while by itself.

const LONGEST = 600; // milliseconds from letting go to the click, if one comes
const ACTS = ["click", "submit", "toggle"]; // what is asked for by a press of its own is put in its place

const held = new Set();
const pressing = new Set(); // pointers
let patience = 0;

const presses = () => pressing.size > 0 || patience > 0;

function release() {
  clearTimeout(patience);
  patience = 0;
  pressing.clear();
  for (const asker of held) if (asker.isConnected) window.htmx.trigger(asker, "again");
  held.clear();
}

document.addEventListener("pointerdown", ({ pointerId }) => {
  clearTimeout(patience);
  patience = 0;
  pressing.add(pointerId);
}, true);
document.addEventListener("pointerup", ({ pointerId }) => {
  pressing.delete(pointerId);
  if (pressing.size === 0) patience = setTimeout(release, LONGEST);
}, true);
// after what is done at the click itself
document.addEventListener("click", () => setTimeout(() => pressing.size === 0 && release()), true);
// a release that nobody tells of: scrolling, a menu or another window has taken it
document.addEventListener("pointermove", ({ buttons }) => pressing.size > 0 && buttons === 0 && release(), true);
for (const taken of ["pointercancel", "contextmenu", "visibilitychange"]) document.addEventListener(taken, release, true);
window.addEventListener("blur", release);

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { requestConfig } = event.detail;
  if (!presses() || ACTS.includes(requestConfig.triggeringEvent?.type)) return;
  event.preventDefault();
  held.add(requestConfig.elt);
}, true);
