/* global window, SwaggerUIBundle */

// Starts Swagger UI on this instance's own document. Nothing is loaded from another host.
window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 1,
  docExpansion: 'list',
  tryItOutEnabled: true,
  validatorUrl: null,
});
