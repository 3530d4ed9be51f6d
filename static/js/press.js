// Nothing moves away under a finger: what the site sends of its own accord while something is being pressed is not put
// on the page, which could move the button between touch and click; it is asked for again when it has been let go.
// Who asks so takes the event "again" among its triggers, or asks again after a while by itself.

const LONGEST = 600; // milliseconds from letting go to the click, if one comes
const ACTS = ["click", "submit", "toggle"]; // what is asked for by a press of its own is put in its place

const held = new Set();
let pressed = false;
let patience = 0;

function release() {
  clearTimeout(patience);
  pressed = false;
  for (const asker of held) if (asker.isConnected) window.htmx.trigger(asker, "again");
  held.clear();
}

document.addEventListener("pointerdown", () => {
  clearTimeout(patience);
  pressed = true;
}, true);
document.addEventListener("pointerup", () => {
  patience = setTimeout(release, LONGEST);
}, true);
document.addEventListener("pointercancel", release, true);
// after what is done at the click itself
document.addEventListener("click", () => setTimeout(release), true);

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!pressed || ACTS.includes(detail.requestConfig.triggeringEvent?.type)) return;
  detail.shouldSwap = false;
  held.add(detail.requestConfig.elt);
}, true);
