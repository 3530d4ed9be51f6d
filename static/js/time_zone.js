// Tells a form the browser's time zone: a hidden field gets it, a list is offered it.

/**
 * The browser's time zone, as Europe/London; "" when it does not tell.
 * @returns {string}
 */
export function browserZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

const field = document.getElementById("id_time_zone");
const offer = document.getElementById("browser-zone");
const zone = browserZone();

if (field?.type === "hidden") {
  field.value ||= zone;
} else if (field && offer && field.value !== zone && [...field.options].some((each) => each.value === zone)) {
  offer.querySelector("span").textContent = zone.replaceAll("_", " ");
  offer.hidden = false;
  offer.querySelector("button").addEventListener("click", () => {
    field.value = zone;
    offer.hidden = true;
  });
}
