import { followChoices } from "./order_form.js";
import { sendForms } from "./form_send.js";

// When the site refuses or fails a script, the page says so: nothing dies silently.

const PLAIN = "text/plain";

function sentence(answer) {
  const told = answer?.getResponseHeader("Content-Type")?.startsWith(PLAIN) ? answer.responseText.trim() : "";
  if (told) return told;
  return answer?.status
    ? `The site could not answer (${answer.status}). Load the page again and try once more.`
    : "The site does not answer. See whether you are online, then load the page again.";
}

function complain({ detail }) {
  const told = document.createElement("p");
  told.className = "error";
  told.setAttribute("role", "alert");
  told.textContent = sentence(detail.xhr);
  const preview = document.getElementById("order-preview");
  if (preview && detail.target === preview) {
    preview.replaceChildren(told);
    return;
  }
  document.getElementById("went-wrong")?.remove();
  const notice = document.createElement("div");
  notice.id = "went-wrong";
  notice.className = "notice error";
  notice.append(told);
  document.getElementById("main")?.prepend(notice);
}

document.body.addEventListener("htmx:responseError", complain);
document.body.addEventListener("htmx:sendError", complain);

followChoices();
sendForms();
