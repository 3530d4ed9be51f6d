// The umpire's page of entries: who types a figure of his own has chosen it.

document.getElementById("compare-form")?.addEventListener("input", ({ target }) => {
  if (target.type !== "number") return;
  const own = target.closest(".said")?.querySelector('input[type="radio"][value="own"]');
  if (own) own.checked = true;
});
