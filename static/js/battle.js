// A battle's page: the flank is asked for where a plan turns one, and a form that is sent says so.

const TURNS = "turn_flank";

function fit(form) {
  const part = form.querySelector("[data-turning]");
  const [kind, until, then] = ["kind", "until", "then"].map((name) => form.querySelector(`[name$="-${name}"]`));
  const turns = kind.value === TURNS || (until.value.trim() !== "" && then.value === TURNS);
  part.hidden = !turns && !part.querySelector(".error:not(:empty)");
}

function send(event) {
  const { target: form } = event;
  if (!form.dataset.working) return;
  if (form.dataset.sent) { // it is under way
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  const told = form.querySelector("[role=status]");
  form.dataset.before = told.textContent;
  told.textContent = form.dataset.working;
  // Once the browser has taken up what the form says: a disabled button sends nothing.
  setTimeout(() => able(form, false));
}

// The page come back to by the browser's own button has a form that can be sent again.
function again() {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    form.querySelector("[role=status]").textContent = form.dataset.before;
    able(form, true);
  }
}

function able(form, may) {
  for (const button of form.querySelectorAll("button")) button.disabled = !may;
  form.setAttribute("aria-busy", String(!may));
}

for (const form of document.querySelectorAll("form.plan-form")) {
  fit(form);
  form.addEventListener("input", () => fit(form));
}
document.addEventListener("submit", send);
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) again();
});
