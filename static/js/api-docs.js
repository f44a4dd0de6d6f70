// The API's endpoints, to read about and to try out: Swagger UI on the schema of this very portal.
const place = document.getElementById("api-docs");
const { bsTheme } = document.documentElement.dataset;
const isDark = bsTheme === "dark" || (bsTheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.classList.toggle("dark-mode", isDark);

window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: ["get"],
  validatorUrl: null,
});
