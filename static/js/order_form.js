// The order form shows the fields that the chosen activity uses; without scripts it shows them all.

function fit(form) {
  const doing = form.elements.activity?.value;
  for (const part of form.querySelectorAll("[data-for]")) {
    const used = part.dataset.for.split(" ").includes(doing);
    part.hidden = !used && !part.querySelector(".error:not(:empty)");
    for (const field of part.querySelectorAll("select, input")) field.disabled = part.hidden;
  }
}

function fitOpen() {
  const form = document.getElementById("order-form");
  if (form) fit(form);
}

export function followActivity() {
  fitOpen();
  document.body.addEventListener("htmx:load", fitOpen);
  document.body.addEventListener("change", ({ target }) => {
    if (target.name === "activity" && target.form?.id === "order-form") fit(target.form);
  });
}
