// The order form is sent by a script: when the site does not answer, the page stays and nothing written is lost.

const KEY = "order not sent";
const TAKEN = "order taken";
const LONGEST = 20000; // milliseconds
const SLOW = 500;
const NO_FIELDS = new Set(["csrfmiddlewaretoken", "seen", "written", "submit", "draft", "further"]);

/** Send the order form without leaving the page; take up again what could not be sent. */
export function sendOrders() {
  document.body.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (form.id !== "order-form" || !submitter) return;
    event.preventDefault();
    send(form, submitter);
  });
  document.body.addEventListener("htmx:afterSettle", offer);
  offer();
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
  tell("");
  for (const one of buttons) one.disabled = true;
  const slow = setTimeout(() => tell("Being sent…"), SLOW);
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: written,
      credentials: "same-origin",
      headers: { "HX-Request": "true", "HX-Current-URL": location.href },
      signal: AbortSignal.timeout(LONGEST),
    });
    await take(answer, form, fieldsOf(written));
  } catch (error) {
    tell("The order has not got through: the site does not answer. What you wrote is still here. See whether you are online, and press the button once more; sent twice it counts once.");
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
    else if (!answer.headers.get("Form-Unsent")) forget();
    mark(TAKEN, "yes");
    tell("");
    location.assign(elsewhere);
    return;
  }
  const said = await answer.text();
  if (answer.headers.get("Content-Type")?.startsWith("text/html") && answer.ok) {
    const later = changed(form, sent) ? fieldsOf(new FormData(form)) : null;
    forget();
    tell("");
    redraw(said);
    if (later) fill(document.getElementById("order-form"), later);
    return;
  }
  const plain = answer.headers.get("Content-Type")?.startsWith("text/plain");
  tell(plain ? `${said.trim()} What you wrote is kept in this window.` : `The site could not answer (${answer.status}). What you wrote is still here; press the button once more.`);
}

// The papers as the site has them now, with the form as it was written.
function redraw(html) {
  const desk = new DOMParser().parseFromString(html, "text/html").getElementById("desk");
  const scrolled = window.scrollY;
  document.getElementById("desk").replaceWith(document.adoptNode(desk));
  window.htmx?.process(desk);
  document.body.dispatchEvent(new CustomEvent("order:drawn"));
  window.scrollTo(0, scrolled);
  const first = desk.querySelector("#order-form [autofocus]") ?? desk.querySelector("#order-form > .error, .notice");
  if (!first) return;
  if (first.matches("p, div")) first.tabIndex = -1;
  first.scrollIntoView({ block: "center" });
  first.focus({ preventScroll: true });
}

function tell(words) {
  for (const place of document.querySelectorAll(".send-told, .pointing-told")) place.textContent = words;
}

// --- what could not be sent, kept by this window until it is taken up or sent ---

const fieldsOf = (written) => [...written].filter(([name]) => !NO_FIELDS.has(name));
const changed = (form, sent) => JSON.stringify(fieldsOf(new FormData(form))) !== JSON.stringify(sent);

function keep(written, form) {
  const whose = { page: location.pathname, writer: form.dataset.writer };
  mark(KEY, JSON.stringify({ ...whose, fields: fieldsOf(written) }));
}

function mark(key, value) {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // a window that keeps nothing still has its form
  }
}

function forget() {
  sessionStorage.removeItem(KEY);
}

// A page loaded anew says that something written before has not been sent.
function offer() {
  const form = document.getElementById("order-form");
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  if (!form || kept?.page !== location.pathname || document.getElementById("order-kept")) return;
  if (kept.writer !== form.dataset.writer) { // somebody else sits at this window now: it is not his to read
    forget();
    return;
  }
  if (form.dataset.met) return; // the form is the one it was written in
  form.dataset.met = "yes";
  const notice = Object.assign(document.createElement("div"), { id: "order-kept", className: "notice" });
  notice.setAttribute("role", "status");
  const words = Object.assign(document.createElement("p"), { textContent: "An order you wrote here has not been sent. " });
  words.append(button("Take it up again", () => fill(form, kept.fields)), " ", button("Let it go", () => {}));
  notice.append(words);
  form.before(notice);

  function button(text, act) {
    const one = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: text });
    one.addEventListener("click", () => {
      act();
      forget();
      notice.remove();
    });
    return one;
  }
}

function fill(form, fields) {
  if (!form) return;
  for (const box of form.querySelectorAll("input[type=checkbox]")) box.checked = false;
  for (const [name, value] of fields) {
    const field = form.elements[name];
    if (!field) continue;
    if (field.type === "checkbox") field.checked = true;
    else field.value = value;
  }
  form.elements.activity.dispatchEvent(new Event("change", { bubbles: true }));
}
