// The result of a fight on a phone: boxes to tap for SP, sums as one goes, and a draft that is kept by itself:
// on the site, and in this browser while the site cannot be reached.

const PAUSE = 700; // milliseconds after the last tap
const LONGEST = 15000;
const KEPT = "Kept. You can close this page and come back.";
const AGAIN = 10000;
const NOT_KEPT = new Set(["csrfmiddlewaretoken", "version", "photo", "caption"]);

const form = document.getElementById("result-form");
const saving = form.querySelector(".saving");
const store = `battle result ${form.dataset.writer} ${location.pathname} ${form.elements.rules?.value ?? ""}`;
const number = (field) => (whole(field, Number(field.max)) ? Number(field.value) : 0); // what is refused is not counted

// --- boxes ---

/** Give a unit's row its buttons: a box for each SP, stand by stand as on its card, and captured. */
function step(row) {
  const sp = Number(row.dataset.sp);
  const stands = row.dataset.stands?.split(" ").map(Number) ?? [sp];
  const marks = stands.map(() => 0); // SP lost of each stand; the form keeps their sum alone
  const [lost, taken, gone] = ["lost-", "captured-", "destroyed-"].map((name) => row.querySelector(`[name^="${name}"]`));
  const name = row.querySelector(".who").firstChild.textContent.trim();
  let before = 0; // lost before it was marked destroyed

  const set = (fell, captured, destroyed) => {
    lost.value = fell || "";
    taken.value = captured || "";
    gone.checked = destroyed;
    changed();
  };
  // The box of the last SP a stand lost marks those before it; what is lost is no prisoner. Tapped again it is taken back.
  const loses = (stand, count) => {
    marks[stand] = marks[stand] === count ? count - 1 : count;
    const fell = marks.reduce((sum, one) => sum + one, 0);
    set(fell, Math.min(number(taken), sp - fell), false);
  };
  // A sum that was typed, or kept before, falls on the stands in their order.
  const spread = () => {
    let over = Math.min(number(lost), sp) - marks.reduce((sum, one) => sum + one, 0);
    for (const [stand, points] of stands.entries()) {
      const more = Math.min(Math.max(over, -marks[stand]), points - marks[stand]);
      marks[stand] += more;
      over -= more;
    }
  };
  const boxes = stands.flatMap((points, stand) => Array.from({ length: points }, (_, at) => {
    const whose = stands.length > 1 ? `${name}, stand ${stand + 1}` : name;
    const box = button(String(at + 1), `${whose}: ${at + 1} SP lost`, "box", () => loses(stand, at + 1));
    box.classList.toggle("next-stand", stand > 0 && at === 0);
    box.marked = () => at < marks[stand];
    return box;
  }));
  lost.before(inRow(boxes, `${name}: SP lost`));
  const captured = button("Captured", `${name} captured`, "toggle", () => {
    if (number(taken)) return set(number(lost), 0, false);
    const fell = gone.checked ? before : number(lost);
    return fell < sp ? set(fell, sp - fell, false) : set(0, sp, false);
  });
  taken.before(captured);
  gone.addEventListener("change", () => {
    if (gone.checked) before = number(lost) < sp - number(taken) ? number(lost) : 0;
    set(gone.checked ? sp - number(taken) : before, number(taken), gone.checked);
  });
  for (const field of [lost, taken]) {
    field.addEventListener("focus", () => field.select());
    field.addEventListener("input", () => {
      if (gone.checked && number(lost) + number(taken) < sp) gone.checked = false;
      changed();
    });
  }

  function changed() {
    const [fell, prisoners] = [number(lost), number(taken)];
    const left = sp - fell - prisoners;
    row.classList.toggle("hurt", left < sp);
    row.querySelector(".taken").classList.toggle("some", prisoners > 0);
    captured.setAttribute("aria-pressed", String(prisoners > 0));
    spread();
    const last = boxes.findLast((box) => box.marked()) ?? boxes[0];
    for (const box of boxes) {
      box.setAttribute("aria-pressed", String(box.marked()));
      box.tabIndex = box === last ? 0 : -1;
    }
    const refused = [lost, taken].some((field) => !whole(field, sp));
    row.querySelector(".left").textContent = refused ? "not counted" : left === sp ? `${sp} SP` : left < 0 ? `${-left} SP too many` : `${left} of ${sp} SP`;
    row.querySelector(".left").classList.toggle("error", refused || left < 0);
    mark([lost, taken], faults(name, sp, lost, taken, gone.checked));
  }
  row.shown = changed;
  changed();
}

/** Boxes side by side: one stop of the tabulator, arrows go from one to the next. */
function inRow(boxes, label) {
  const group = Object.assign(document.createElement("div"), { className: "boxes" });
  group.setAttribute("role", "toolbar");
  group.setAttribute("aria-label", label);
  group.append(...boxes);
  group.addEventListener("keydown", (pressed) => {
    const next = { ArrowRight: 1, ArrowLeft: -1 }[pressed.key];
    if (!next) return;
    pressed.preventDefault();
    boxes[boxes.indexOf(pressed.target) + next]?.focus();
  });
  return group;
}

function button(words, label, kind, act) {
  const one = Object.assign(document.createElement("button"), { type: "button", className: kind, textContent: words });
  one.setAttribute("aria-label", label);
  one.addEventListener("click", () => {
    act();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return one;
}

// --- what cannot be ---

const whole = ({ value, validity }, most) => {
  const figure = Number(value);
  return !validity.badInput && Number.isInteger(figure) && figure >= 0 && figure <= most;
};

/** What the site would say of a unit's SP lost and captured, field by field; "" where nothing is wrong. */
function faults(name, sp, lost, taken, destroyed) {
  const said = [lost, taken].map((field) => (whole(field, sp) ? "" : `Enter a whole number of SP from 0 to ${sp}.`));
  const all = number(lost) + number(taken);
  if (said.some(Boolean) || destroyed || all <= sp) return said;
  const sentence = `${name} came with ${sp} SP and cannot lose ${all}; enter ${sp} at most, lost and captured together.`;
  return number(lost) ? [sentence, ""] : ["", sentence];
}

/** Say it at the fields, and take it away when it is mended; what the site itself wrote there stays as long. */
function mark(fields, sentences) {
  for (const [at, field] of fields.entries()) {
    const place = document.getElementById(`error-${field.name}`);
    const sentence = sentences[at];
    if (sentence === (place.dataset.said ?? "")) continue;
    place.dataset.said = sentence;
    place.setAttribute("aria-live", "polite");
    if (sentence) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    if (!sentence || !place.textContent.includes(sentence.slice(0, -1))) place.textContent = sentence;
  }
}

// --- sums ---

function sums() {
  const said = [];
  for (const side of form.querySelectorAll(".side")) {
    const rows = [...side.querySelectorAll(".tally")];
    const of = (name) => rows.reduce((sum, row) => sum + number(row.querySelector(`[name^="${name}-"]`)), 0);
    const [fell, prisoners, all] = [of("lost"), of("captured"), rows.reduce((sum, row) => sum + Number(row.dataset.sp), 0)];
    const words = `${fell} lost${prisoners ? `, ${prisoners} captured` : ""} of ${all} SP`;
    side.querySelector(".sum").textContent = words;
    const name = [...side.querySelector("summary").childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    said.push(`${name.textContent.trim()}: ${words}`);
  }
  form.querySelector(".sums").textContent = said.join(" · ");
}

// --- the draft ---

const fields = () => [...new FormData(form)].filter(([name, value]) => !NOT_KEPT.has(name) && typeof value === "string");
const written = () => JSON.stringify(fields());
let kept = written(); // as the site has it
let timer = 0;
let busy = false;
let takenUp = null; // says that the form shows what only this phone has

const tell = (words, stressed = false) => {
  saving.textContent = words;
  saving.classList.toggle("error", stressed);
};

function remember() {
  try {
    localStorage.setItem(store, JSON.stringify({ version: form.elements.version.value, fields: fields() }));
  } catch {
    // a browser that keeps nothing still has the form
  }
}

const forget = () => {
  try {
    localStorage.removeItem(store);
  } catch {
    // nothing was kept
  }
};

function soon(pause = PAUSE) {
  clearTimeout(timer);
  timer = setTimeout(save, pause);
}

async function save() {
  if (busy || written() === kept) return;
  if (form.dataset.state === "entered" || "changed" in form.dataset) return; // by its buttons only
  busy = true;
  const sent = written();
  const body = new FormData(form);
  for (const name of ["photo", "caption"]) body.delete(name);
  body.set("draft", "");
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      credentials: "same-origin",
      headers: { "HX-Request": "true", "HX-Current-URL": location.href },
      signal: AbortSignal.timeout(LONGEST),
    });
    await take(answer, sent);
  } catch (error) {
    tell("The site does not answer. What you enter is kept in this phone and sent when it can be.", true);
    console.warn(error);
    soon(AGAIN);
  } finally {
    busy = false;
    if (written() !== sent) soon();
  }
}

async function take(answer, sent) {
  if (answer.headers.get("HX-Redirect")) {
    tell("You have been signed out. What you enter is kept in this phone: sign in again and come back.", true);
    return;
  }
  if (answer.ok) {
    const { version } = await answer.json();
    form.elements.version.value = version;
    kept = sent;
    if (written() === sent) {
      forget();
      takenUp?.remove();
      tell(KEPT);
    } else remember();
    return;
  }
  const plain = answer.headers.get("Content-Type")?.startsWith("text/plain");
  tell(plain ? await answer.text() : `The site could not keep it (${answer.status}); it is kept in this phone.`, true);
  if (answer.status === 409) {
    const look = Object.assign(document.createElement("button"), { type: "submit", name: "draft", className: "plain", textContent: "Look at both" });
    saving.append(" ", look);
  }
}

// A result that cannot be sent stays on the page with what was entered: whether the site answers is asked first.
form.addEventListener("submit", async (event) => {
  if (form.dataset.answers || !event.submitter) return;
  event.preventDefault();
  remember();
  event.submitter.disabled = true;
  if (!saving.contains(event.submitter)) tell("Being sent…"); // else the button itself would go
  try {
    const answer = await fetch(form.action, { method: "HEAD", credentials: "same-origin", signal: AbortSignal.timeout(LONGEST) });
    if (answer.status >= 500) throw new Error(`the site answers ${answer.status}`);
    form.dataset.answers = "yes";
    event.submitter.disabled = false;
    form.requestSubmit(event.submitter);
  } catch (error) {
    tell("The result has not got through: the site does not answer. What you entered is kept in this phone. See whether you are online, and press the button once more; sent twice it counts once.", true);
    busy = false;
    console.warn(error);
  } finally {
    event.submitter.disabled = false;
  }
});

// What this phone kept and the site does not have is taken up again, if nobody has saved since.
function resume() {
  let found = null;
  try {
    found = JSON.parse(localStorage.getItem(store) ?? "null");
  } catch {
    return;
  }
  if (!found || "bound" in form.dataset) return;
  if (JSON.stringify(found.fields) === kept) {
    forget();
    if (form.dataset.state === "draft") tell(KEPT);
    return;
  }
  const same = found.version === form.elements.version.value;
  const up = () => {
    fill(found.fields);
    form.elements.version.value = found.version;
    changed();
  };
  if (same && form.dataset.state === "draft") {
    const saved = fields();
    up();
    for (const field of form.querySelectorAll("[aria-invalid]")) field.closest("details").open = true;
    takenUp = offer("This phone had kept figures that the site has not saved. They are filled in below.", [["Discard them", () => {
      fill(saved);
      clearTimeout(timer);
      forget();
      tell("");
    }]]);
    return;
  }
  offer("This phone has kept figures that were not entered.", [["Take them up again", up], ["Let them go", forget]]);
}

/** A notice above the form with its choices; it goes when one is taken. */
function offer(sentence, choices) {
  const notice = Object.assign(document.createElement("div"), { className: "notice" });
  notice.setAttribute("role", "status");
  const words = Object.assign(document.createElement("p"), { textContent: `${sentence} ` });
  for (const [text, act] of choices) {
    words.append(button(text, text, "plain", () => {
      notice.remove();
      act();
    }), " ");
  }
  notice.append(words);
  form.before(notice);
  return notice;
}

function fill(values) {
  for (const field of form.elements) {
    if (field.type === "checkbox" || field.type === "radio") field.checked = false;
    else if (["number", "textarea"].includes(field.type)) field.value = "";
  }
  for (const [name, value] of values) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (field.type === "checkbox") field.checked = true;
      else if (field.type === "radio") field.checked = field.value === value;
      else field.value = value;
    }
  }
  for (const row of form.querySelectorAll(".tally")) row.shown();
}

function changed() {
  sums();
  if (written() === kept) return;
  remember();
  if (form.dataset.state === "entered") tell("Amended here only: enter it again for the umpire to see.");
  else soon();
}

form.classList.add("stepped");
for (const row of form.querySelectorAll(".tally")) step(row);
sums();
resume();
form.addEventListener("input", changed);
form.addEventListener("change", changed);
form.addEventListener("submit", () => {
  clearTimeout(timer);
  busy = true; // the form itself is on its way
});
window.addEventListener("online", () => soon(0));
window.addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  busy = false;
  delete form.dataset.answers;
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") save();
});
for (const link of document.querySelectorAll("[data-let-go]")) link.addEventListener("click", forget);
if (!("bound" in form.dataset) && form.dataset.state === "entered" && written() === kept) forget();
