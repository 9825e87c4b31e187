/* global window, document, AbortController */
import { apiAddress, RequestError, send } from './key-requests.js';
import { problem } from './key-problems.js';
import { deliveriesTable, keySections, limitsCard, webhooksCard } from './key-view.js';

// The key page. The key is in one variable of this module, and in the header field of each request: in no storage, no
// URL and no element once it was taken from the form.

const MANAGES_WEBHOOKS = 'webhooks:manage';

const entry = document.querySelector('#entry');
const pasted = document.querySelector('#pasted');
const tools = document.querySelector('#tools');
const refresh = document.querySelector('#refresh');
const price = document.querySelector('#price');
const progress = document.querySelector('#progress');
const failure = document.querySelector('#failure');
const shown = document.querySelector('#shown');

let key;
/** Ends the requests under way; those of an older look show nothing any more. */
let look = new AbortController();
/** How old is what is shown. */
let asOf = '';

/** What nobody should send: another secret that was pasted by mistake. */
const LIKE_A_KEY = /^pet_(?:live|test)_\w{1,100}$/;

function endLook() {
  look.abort();
  look = new AbortController();
  return look.signal;
}

function showForm(isWanted) {
  entry.hidden = !isWanted;
  tools.hidden = isWanted;
}

/** A button whose request is under way keeps the focus, and does nothing. */
function setBusy(button, isBusy) {
  button.setAttribute('aria-disabled', isBusy);
}

const isBusy = (button) => button.getAttribute('aria-disabled') === 'true';

function forget(message = '') {
  endLook();
  key = undefined;
  asOf = '';
  pasted.value = '';
  shown.replaceChildren();
  failure.replaceChildren();
  progress.textContent = message;
  setBusy(refresh, false);
  price.textContent = 'a refresh costs one request';
  showForm(true);
}

function fail(error) {
  // The service does not accept it any more, or never did: nothing to keep.
  if (error.status === 401) {
    forget();
    pasted.focus();
  }
  progress.textContent = asOf;
  failure.replaceChildren(problem(error));
}

/** Sends one request and shows what its response says of the limits. */
async function fetchShown(path, signal) {
  try {
    const response = await send(path, key, signal);
    showLimits(response.windows);
    return response;
  } catch (error) {
    if (error instanceof RequestError && error.status === 429) showLimits(error.windows);
    throw error;
  }
}

function showLimits(windows) {
  const card = shown.querySelector('.limits');
  if (card !== null && windows.length > 0) card.replaceWith(limitsCard(windows));
}

/** Shows what there is to show, unless it has been forgotten or asked for anew meanwhile. */
async function during(signal, work) {
  try {
    await work();
  } catch (error) {
    if (signal.aborted) return;
    fail(error instanceof RequestError ? error : new RequestError('page'));
  }
}

async function showKey() {
  const signal = endLook();
  setBusy(refresh, true);
  failure.replaceChildren();
  progress.textContent = 'Asking the service …';
  await during(signal, async () => {
    const { body: usage, windows, at } = await fetchShown('usage', signal);
    const managesWebhooks = usage.scopes.includes(MANAGES_WEBHOOKS);
    shown.replaceChildren(...keySections(usage, windows, at));
    asOf = `As of ${at.toISOString().slice(11, 19)} UTC.`;
    price.textContent = `a refresh costs ${managesWebhooks ? 'two requests' : 'one request'}`;
    if (managesWebhooks) {
      const { body: webhooks } = await fetchShown('webhooks', signal);
      shown.append(webhooksCard(webhooks, showDeliveries));
    }
    progress.textContent = asOf;
  });
  if (!signal.aborted) setBusy(refresh, false);
}

/** Shows the last deliveries of a webhook in its place. */
async function showDeliveries(id, place, button) {
  if (isBusy(button)) return;
  const { signal } = look;
  setBusy(button, true);
  failure.replaceChildren();
  await during(signal, async () => {
    const { body } = await fetchShown(`webhooks/${encodeURIComponent(id)}/deliveries?limit=20`, signal);
    place.replaceChildren(deliveriesTable(id, body));
  });
  setBusy(button, false);
}

entry.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = pasted.value.trim();
  pasted.value = '';
  if (!LIKE_A_KEY.test(text)) {
    failure.replaceChildren(problem(new RequestError('form')));
    pasted.focus();
    return;
  }
  key = text;
  showForm(false);
  refresh.focus();
  void showKey();
});
refresh.addEventListener('click', () => {
  if (!isBusy(refresh)) void showKey();
});
document.querySelector('#forget').addEventListener('click', () => {
  forget('The key is forgotten.');
  pasted.focus();
});
// Who comes back, by a page that the browser has kept whole, finds the form.
window.addEventListener('pagehide', () => forget());

document.querySelector('#without-script').remove();
forget();
apiAddress().then(
  (address) => (document.querySelector('#address').textContent = address),
  // Said when the key is sent, which tries again.
  () => undefined,
);
