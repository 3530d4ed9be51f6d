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

// Of enemies, crossings and roads only those that the activity is about, at the formation's place. A choice
// that stood there stays to be seen, until another formation or activity is chosen.
function fitTargets(form, chosen) {
  const { activity, formation, target } = form.elements;
  if (!activity || !formation || !target) return;
  const place = formation.selectedOptions[0]?.dataset.place ?? "";
  const used = (option) => option.dataset.fits.split(" ").some((each) => {
    const [work, at] = each.split("@");
    return work === activity.value && (at === undefined || !formation.value || at === place);
  });
  for (const option of target.options) {
    if (option.dataset.fits === undefined) continue;
    if (chosen && option.selected && !used(option)) target.value = "";
    option.hidden = option.disabled = !option.selected && !used(option);
  }
  for (const group of target.querySelectorAll("optgroup")) {
    group.hidden = [...group.children].every((option) => option.hidden);
  }
}

function fitOpen(chosen = false) {
  const form = document.getElementById("order-form");
  if (!form) return;
  fit(form);
  fitTargets(form, chosen);
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
  document.body.addEventListener("order:drawn", () => fitOpen());
  document.body.addEventListener("htmx:load", () => fitOpen());
  document.body.addEventListener("change", ({ target }) => {
    if (target.form?.id === "order-form") fitOpen(["id_formation", "id_activity"].includes(target.id));
  });
}
