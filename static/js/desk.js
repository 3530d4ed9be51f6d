import { followChoices } from "./order_form.js";
import { sendForms } from "./form_send.js";

followChoices();
sendForms();
