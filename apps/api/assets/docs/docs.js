/* global window, document, SwaggerUIBundle */

/** Where this tab keeps the key; it is gone when the tab is closed. */
const KEY = 'petstore.authorization';

/** Remembers what "Authorize" was given, for this tab alone. */
const rememberInTab = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (original) => (payload) => {
          window.sessionStorage.setItem(KEY, JSON.stringify(payload));
          return original(payload);
        },
        logout: (original) => (payload) => {
          window.sessionStorage.removeItem(KEY);
          return original(payload);
        },
      },
    },
  },
});

/** Shows beside the title what the last answer said of both windows. */
function showLimits(response) {
  const { ratelimit, 'ratelimit-policy': policy } = response.headers;
  if (ratelimit && policy) {
    // Swagger UI makes a list of a field with commas.
    const quotas = new Map(
      [...String(policy).matchAll(/"(\w+)";q=(\d+)/g)].map(([, name, quota]) => [name, quota]),
    );
    document.querySelector('#limits').textContent = [...String(ratelimit).matchAll(/"(\w+)";r=(\d+)/g)]
      .map(([, name, remaining]) => `${remaining} of ${quotas.get(name)} left this ${name}`)
      .join(' · ');
  }
  return response;
}

// Starts Swagger UI on this instance's own document. Nothing is loaded from another host.
window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  plugins: [rememberInTab],
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  tryItOutEnabled: true,
  validatorUrl: null,
  responseInterceptor: showLimits,
  onComplete: () => {
    const kept = window.sessionStorage.getItem(KEY);
    if (kept !== null) window.ui.authActions.authorize(JSON.parse(kept));
  },
});
