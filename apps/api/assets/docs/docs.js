/* global window, document, SwaggerUIBundle, URL */
import { asSent, exactNumbers, standInForNumbers } from './exact-numbers.js';
import { followAddress, keepFocusInDialog, tryOut } from './try-out.js';

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

/** Whether the last request had a key. */
let hadKey = false;

/** Shows at the top what the last response said of both windows, and whose they are: a refused key counts for its address. */
function showLimits({ status, headers: { ratelimit, 'ratelimit-policy': policy } }) {
  if (ratelimit && policy) {
    const whose = hadKey && status !== 401 ? 'This key' : 'Your address';
    // Swagger UI makes a list of a field with commas.
    const quotas = new Map(
      [...String(policy).matchAll(/"(\w+)";q=(\d+)/g)].map(([, name, quota]) => [name, quota]),
    );
    document.querySelector('#limits').textContent = `${whose}: ${[
      ...String(ratelimit).matchAll(/"(\w+)";r=(\d+)/g),
    ]
      .map(([, name, remaining]) => `${remaining} of ${quotas.get(name)} left this ${name}`)
      .join(' · ')}`;
  }
}

/** The document of the API comes this way, too. */
function receive(response) {
  showLimits(response);
  if (/json/.test(response.headers['content-type'])) response.text = standInForNumbers(response.text);
  return response;
}

/** What was prefilled from the document is sent as the document has it. */
function prepare(request) {
  hadKey = request.headers?.Authorization !== undefined;
  request.body = asSent(request.body);
  return request;
}

// Starts Swagger UI on this instance's own document. Nothing is loaded from another host.
window.ui = SwaggerUIBundle({
  // This script stands beside the document's folder, whatever path a proxy serves both below.
  url: new URL('../openapi.json', import.meta.url).href,
  dom_id: '#swagger-ui',
  plugins: [rememberInTab, exactNumbers, ...tryOut],
  filter: true,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: prepare,
  responseInterceptor: receive,
  onComplete: () => {
    const kept = window.sessionStorage.getItem(KEY);
    if (kept !== null) window.ui.authActions.authorize(JSON.parse(kept));
  },
});
followAddress(window.ui);
keepFocusInDialog();
