// When the site refuses, fails or does not answer a request of a script, the page says so: nothing dies silently.

const PLAIN = "text/plain";
const FAILED = ["htmx:responseError", "htmx:sendError", "htmx:timeout"];

function sentence(answer) {
  const told = answer?.getResponseHeader("Content-Type")?.startsWith(PLAIN) ? answer.responseText.trim() : "";
  if (told) return told;
  return answer?.status
    ? `The site could not answer (${answer.status}). Load the page again and try once more.`
    : "The site does not answer. See whether you are online, then load the page again.";
}

function showError({ detail }) {
  const told = document.createElement("p");
  told.className = "error";
  told.setAttribute("role", "alert");
  told.textContent = sentence(detail.xhr);
  const preview = document.getElementById("order-preview");
  if (preview && detail.target === preview) {
    preview.replaceChildren(told);
    return;
  }
  // a page that asks again every few seconds says it once
  const shown = document.getElementById("went-wrong");
  if (shown?.textContent === told.textContent) return;
  shown?.remove();
  const notice = document.createElement("div");
  notice.id = "went-wrong";
  notice.className = "notice error";
  notice.append(told);
  document.getElementById("main")?.prepend(notice);
}

for (const failed of FAILED) document.body.addEventListener(failed, showError);
// An answer that came after all takes it away.
document.body.addEventListener("htmx:afterOnLoad", ({ detail }) => {
  if (detail.successful !== false) document.getElementById("went-wrong")?.remove();
});
