// Forms that take time to write (order, letter, foreword) are sent by a script: when the site does not answer, the
// page stays and nothing written is lost. Such a form has an id, its name in `data-kept`, its writer in `data-writer`,
// in `data-about` what else it must be of to be taken up again, buttons with names, and a place `.send-told`.

const TAKEN = "form taken";
const LONGEST = 20000; // milliseconds
const SLOW = 500;
const NO_FIELDS = new Set(["csrfmiddlewaretoken", "seen", "written", "submit", "draft", "further", "publish"]);

/** Send such forms without leaving the page; take up again what could not be sent. */
export function sendForms() {
  document.body.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.dataset.kept || !submitter?.name) return;
    event.preventDefault();
    send(form, submitter);
  });
  document.body.addEventListener("htmx:afterSettle", offerAll);
  offerAll();
  if (sessionStorage.getItem(TAKEN)) answered();
}

// The page that comes after a form was taken begins with its answer: there one looks, and reads on.
function answered() {
  sessionStorage.removeItem(TAKEN);
  const notice = document.querySelector("#main .notice");
  if (!notice) return;
  notice.tabIndex = -1;
  notice.focus({ preventScroll: true });
  notice.scrollIntoView({ block: "nearest" });
}

async function send(form, button) {
  const written = new FormData(form, button);
  const buttons = [...form.elements].filter(({ type, name }) => type === "submit" && name);
  if (buttons.some((one) => one.disabled)) return; // it is under way
  keep(written, form);
  tell(form, "");
  for (const one of buttons) one.disabled = true;
  const slow = setTimeout(() => tell(form, "Being sent…"), SLOW);
  try {
    const answer = await fetch(button.getAttribute("formaction") ?? form.action, {
      method: "POST",
      body: written,
      credentials: "same-origin",
      headers: { "HX-Request": "true", "HX-Current-URL": location.href },
      signal: AbortSignal.timeout(LONGEST),
    });
    await take(answer, form, fieldsOf(written));
  } catch (error) {
    tell(form, `The ${form.dataset.kept} has not got through: the site does not answer. What you wrote is still here. See whether you are online, and press the button once more; sent twice it counts once.`);
    console.warn(error);
  } finally {
    clearTimeout(slow);
    for (const one of buttons) one.disabled = false;
  }
}

// What was changed in the form while it was being sent is not lost either.
async function take(answer, form, sent) {
  const elsewhere = answer.headers.get("HX-Redirect");
  if (elsewhere) {
    if (changed(form, sent)) keep(new FormData(form), form);
    else if (!answer.headers.get("Form-Unsent")) forget(form);
    mark(TAKEN, "yes");
    tell(form, "");
    location.assign(elsewhere);
    return;
  }
  const said = await answer.text();
  if (answer.headers.get("Content-Type")?.startsWith("text/html") && answer.ok) {
    const later = changed(form, sent) ? fieldsOf(new FormData(form)) : null;
    const drawn = redraw(said, form);
    if (drawn) forget(form); // else what was written stands nowhere on the page
    tell(form, "");
    if (later) fill(drawn, later);
    return;
  }
  const plain = answer.headers.get("Content-Type")?.startsWith("text/plain");
  tell(form, plain ? `${said.trim()} What you wrote is kept in this window.` : `The site could not answer (${answer.status}). What you wrote is still here; press the button once more.`);
}

// What the site has now: with the order form all the papers, else the form as it was written; or, where there is no
// longer such a form, all the page says. Returns the form there is now, if any.
function redraw(html, form) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const part = [form.id === "order-form" ? "desk" : form.id, "main"].find((id) => page.getElementById(id));
  const drawn = document.adoptNode(page.getElementById(part));
  const scrolled = window.scrollY;
  document.getElementById(part).replaceWith(drawn);
  window.htmx?.process(drawn);
  document.body.dispatchEvent(new CustomEvent("order:drawn"));
  window.scrollTo(0, scrolled);
  const now = document.getElementById(form.id);
  const first = now?.querySelector("[autofocus], [aria-invalid]") ?? drawn.querySelector(".error:not(:empty), .notice");
  if (first) {
    if (first.matches("p, div, fieldset")) first.tabIndex = -1;
    first.scrollIntoView({ block: "center" });
    first.focus({ preventScroll: true });
  }
  return now;
}

function tell(form, words) {
  const places = [...form.querySelectorAll(".send-told")];
  if (form.id === "order-form") places.push(...document.querySelectorAll(".pointing-told"));
  for (const place of places) place.textContent = words;
  if (words && form.id !== "order-form") places.at(-1)?.scrollIntoView({ block: "nearest" });
}

// --- what could not be sent, kept by this window until it is taken up or sent ---

const fieldsOf = (written) => [...written].filter(([name]) => !NO_FIELDS.has(name));
const changed = (form, sent) => JSON.stringify(fieldsOf(new FormData(form))) !== JSON.stringify(sent);

const UNSENT = " not sent ";
// Each page has a place of its own: the next letter does not take that of one that waits to be sent.
const keyOf = (form) => `${form.dataset.kept}${UNSENT}${location.pathname} ${form.dataset.about ?? ""}`;

function keep(written, form) {
  mark(keyOf(form), JSON.stringify({ writer: form.dataset.writer, fields: fieldsOf(written) }));
}

function mark(key, value) {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // a window that keeps nothing still has its form
  }
}

function forget(form) {
  sessionStorage.removeItem(keyOf(form));
}

// Somebody else sits at this window now: what another wrote at it, on whatever page, is not his to read.
function forgetOthers(writer) {
  for (const key of Object.keys(sessionStorage)) {
    if (key.includes(UNSENT) && JSON.parse(sessionStorage.getItem(key)).writer !== writer) sessionStorage.removeItem(key);
  }
}

function offerAll() {
  for (const form of document.querySelectorAll("form[data-kept]")) offer(form);
}

// A page loaded anew says that something written before has not been sent.
function offer(form) {
  forgetOthers(form.dataset.writer);
  const kept = JSON.parse(sessionStorage.getItem(keyOf(form)) ?? "null");
  const id = `${form.dataset.kept}-kept`;
  if (!kept || document.getElementById(id)) return;
  if (form.dataset.met) return; // the form is the one it was written in
  form.dataset.met = "yes";
  const notice = Object.assign(document.createElement("div"), { id, className: "notice" });
  notice.setAttribute("role", "status");
  const words = Object.assign(document.createElement("p"), { textContent: `${form.dataset.kept === "order" ? "An" : "A"} ${form.dataset.kept} you wrote here has not been sent. ` });
  words.append(button("Take it up again", () => fill(form, kept.fields)), " ", button("Let it go", () => {}));
  notice.append(words);
  form.insertAdjacentElement("beforebegin", notice); // a field may be called "before"

  function button(text, act) {
    const one = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: text });
    one.addEventListener("click", () => {
      act();
      forget(form);
      notice.remove();
    });
    return one;
  }
}

function fill(form, fields) {
  if (!form) return;
  for (const box of form.querySelectorAll("input[type=checkbox], input[type=radio]")) box.checked = false;
  for (const [name, value] of fields) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (!["checkbox", "radio"].includes(field.type)) field.value = value;
      else if (field.value === value) field.checked = true;
    }
  }
  form.elements.activity?.dispatchEvent(new Event("change", { bubbles: true }));
}
