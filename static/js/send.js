import { sendForms } from "./form_send.js";

sendForms();
