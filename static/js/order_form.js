// The order form shows the fields that its choices use; without scripts it shows them all.
// A part with data-for is used while the field named by data-of (the activity) has one of those values.

function fit(form) {
  for (const part of form.querySelectorAll("[data-for]")) {
    const chosen = form.elements[part.dataset.of ?? "activity"]?.value;
    const used = part.dataset.for.split(" ").includes(chosen);
    part.hidden = !used && !part.querySelector(".error:not(:empty)");
    for (const field of part.querySelectorAll("select, input")) field.disabled = part.hidden;
  }
}

function fitOpen() {
  const form = document.getElementById("order-form");
  if (form) fit(form);
}

// A preview puts its refusals beside the fields; the fields then say that they are at fault.
function blame() {
  for (const told of document.querySelectorAll("#order-form .error[id^=error-]")) {
    const field = document.getElementById(told.id.replace("error-", "id_"));
    if (!field) continue;
    if (told.textContent.trim()) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

/** Keep the form's parts in step with its choices, and its fields with their refusals. */
export function followChoices() {
  fitOpen();
  document.body.addEventListener("htmx:afterSettle", blame);
  document.body.addEventListener("order:drawn", fitOpen);
  document.body.addEventListener("htmx:load", fitOpen);
  document.body.addEventListener("change", ({ target }) => {
    if (target.form?.id === "order-form") fitOpen();
  });
}
