// The page that shows the API's document. Requests tried from it carry the site's session and CSRF token.

const place = document.getElementById("swagger-ui");

function csrfToken() {
  const found = document.cookie.split("; ").find((each) => each.startsWith("csrftoken="));
  return found ? decodeURIComponent(found.slice("csrftoken=".length)) : "";
}

window.SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (request.method && request.method !== "GET") request.headers["X-CSRFToken"] = csrfToken();
    return request;
  },
});
