/* global window, document, fetch, URL, AbortController, AbortSignal */
import { parseExactly } from './exact-numbers.js';

// The key page. The key is in one variable of this module, and in the header field of each request: in no storage, no
// URL and no element once it was taken from the form. Texts of the API become text nodes, never HTML.

const [entry, pasted, address, tools, refresh, price, progress, failure, shown] = [
  ...['entry', 'pasted', 'address', 'tools', 'refresh', 'price', 'progress', 'failure', 'shown'],
].map((id) => document.getElementById(id));

let key;
/** Ends the requests under way; those of an older look show nothing any more. */
let look = new AbortController();

/** What is sent; another secret that was pasted by mistake is not. */
const LIKE_A_KEY = /^pet_(?:pub_)?(?:live|test)_\w{1,100}$/;

const TIMEOUT_MS = 20_000;

/** A request that brought nothing to show. */
class RequestError extends Error {
  constructor(message, response) {
    super(message);
    this.status = response?.status;
    this.windows = response === undefined ? [] : windowsIn(response.headers);
  }
}

let base;

/** Where the API is. */
function apiAddress() {
  base ??= readAddress().catch((error) => {
    // The next request tries again.
    base = undefined;
    throw error;
  });
  return base;
}

/** As the document of this instance says, else beside this page. */
async function readAddress() {
  const { body } = await receive(new URL('../openapi.json', import.meta.url));
  const own = body.servers?.[0]?.url ?? '';
  // A path alone does not know of a prefix that a proxy serves it below.
  return /^https?:/.test(own) ? own.replace(/\/+$/, '') : new URL('../v1', import.meta.url).href;
}

/** Sends GET. Nothing of the response is kept by the browser, and the key follows no redirection. */
async function receive(url, signal = new AbortController().signal, headers = {}) {
  const options = {
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let response;
  let text;
  try {
    response = await fetch(url, { ...options, headers, signal: limited });
    text = await response.text();
  } catch {
    throw new RequestError('The service cannot be reached. Check your connection, then try again.');
  }
  let body;
  try {
    body = parseExactly(text);
  } catch {
    throw new RequestError('Something else responded in place of the service.', response);
  }
  if (!response.ok) throw new RequestError(refusalText(response, body), response);
  return {
    body,
    windows: windowsIn(response.headers),
    at: new Date(response.headers.get('date') ?? Date.now()),
  };
}

function refusalText({ status, headers }, { code, message }) {
  const wait = headers.has('retry-after') ? ` Try again in ${duration(headers.get('retry-after'))}.` : '';
  return `The service says: ${message}${wait} (${status} ${code}, request ${headers.get('x-request-id')})`;
}

/** What a response says of the windows. */
function windowsIn(headers) {
  const found = (field, pattern) => [...(headers.get(field) ?? '').matchAll(pattern)];
  const quotas = new Map(
    found('ratelimit-policy', /"(\w+)";q=(\d+)/g).map(([, name, quota]) => [name, quota]),
  );
  return found('ratelimit', /"(\w+)";r=(\d+)(?:;t=(\d+))?/g).map(([, name, remaining, seconds]) => ({
    name,
    quota: Number(quotas.get(name)),
    remaining: Number(remaining),
    seconds,
  }));
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children.map((child) => (typeof child === 'object' ? child : String(child))));
  return made;
}

const section = (name, title, ...children) =>
  element(
    'section',
    { class: `card ${name}`, 'aria-labelledby': name },
    element('h3', { id: name }, title),
    ...children,
  );

/** What somebody has written: it cannot change the direction of what stands around it. */
const written = (text) => element('bdi', {}, text);

const badge = (status) => element('span', { class: `badge ${status}` }, status);

/** A count with separators; one beyond 2^53 is a text, and stays as it was sent. */
const count = (number) => (typeof number === 'number' ? number.toLocaleString('en') : number);

const counted = (number, noun) => `${count(number)} ${noun}${Number(number) === 1 ? '' : 's'}`;

/** A time to wait, in seconds, in words that people count in: rounded up, so that nobody comes too early. */
function duration(seconds) {
  if (seconds < 120) return counted(Number(seconds), 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(seconds / 3_600), 'hour');
}

/** `2027-01-31 18:00:00 UTC`, or a dash. */
const moment = (text) =>
  text === undefined
    ? '–'
    : element(
        'time',
        { datetime: text },
        `${new Date(text).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
      );

/** A table that scrolls by itself where it does not fit. */
function table(caption, heads, rows) {
  const row = (kind, cells) => element('tr', {}, ...cells.map((cell) => element(kind, {}, cell)));
  return element(
    'div',
    { class: 'table', role: 'group', 'aria-label': caption, tabindex: 0 },
    element(
      'table',
      {},
      element('caption', {}, caption),
      row('th', heads),
      ...rows.map((cells) => row('td', cells)),
    ),
  );
}

function limitsSection(windows) {
  const lines = windows.map(({ name, quota, remaining, seconds }) =>
    element(
      'p',
      {},
      element('strong', {}, count(remaining)),
      ` of ${count(quota)} in any ${name}`,
      element('meter', { max: quota, value: remaining, 'aria-hidden': true }),
      seconds === undefined || remaining === quota ? '' : `More in ${duration(seconds)}.`,
    ),
  );
  return section('limits', 'Requests left', ...lines);
}

function aboutSection({ keyId, plan, scopes, expiresAt, limits }) {
  const rows = [
    ['Plan', plan],
    ['Limits', `${count(limits.perMinute)} a minute, ${count(limits.perDay)} a day`],
    ['Expires', expiresAt === undefined ? 'never' : moment(expiresAt)],
    ['Scopes', scopes.join(', ')],
    ['Key id', element('code', {}, keyId)],
  ];
  const list = rows.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value)]);
  return section('about', 'The key', element('dl', {}, ...list));
}

function useSection({ days }) {
  const sum = (member) => days.reduce((total, day) => total + day[member], 0);
  const [requests, refused] = [sum('requests'), sum('refused')];
  return section(
    'use',
    'Use in 30 days',
    element('p', {}, `${counted(requests, 'request')}, ${count(refused)} of them refused with 429.`),
    table(
      'Requests by day',
      ['Day (UTC)', 'Requests', 'Refused'],
      days.map((day) => [day.date, count(day.requests), count(day.refused)]),
    ),
    element(
      'p',
      { class: 'note' },
      'Days without a request are left out. Numbers are at most five seconds behind.',
    ),
  );
}

function webhooksSection(webhooks) {
  const items = webhooks.map(({ id, url, types, description = '', status, disabledReason, failingSince }) => {
    const place = element('div', { 'aria-live': 'polite' });
    const button = element('button', { type: 'button' }, `Deliveries of ${id}`);
    button.addEventListener('click', () => showDeliveries(id, place, button));
    return element(
      'li',
      {},
      element('p', {}, written(url), ' ', badge(status), ` ${disabledReason ?? ''}`),
      element('p', {}, written(description)),
      element(
        'p',
        { class: 'note' },
        `Id ${id}, for ${types?.join(', ') ?? 'all events that the key may read'}.`,
      ),
      element(
        'p',
        {},
        ...(failingSince === undefined ? [] : ['Every attempt has failed since ', moment(failingSince)]),
      ),
      element('p', { class: 'row' }, button, element('span', { class: 'note' }, 'costs one request')),
      place,
    );
  });
  return section('webhooks', 'Webhooks', items.length === 0 ? 'None.' : element('ul', {}, ...items));
}

function deliveriesTable(id, deliveries) {
  return table(
    `Last deliveries of ${id}, newest first`,
    ['Delivery', 'Event', 'Type', 'Status', 'Attempts', 'Outcome', 'Last attempt', 'Next attempt'],
    deliveries.map((delivery) => [
      delivery.id,
      delivery.eventId ?? '–',
      delivery.type,
      badge(delivery.status),
      delivery.attempts,
      [delivery.responseStatus, delivery.error].filter((part) => part !== undefined).join(', '),
      moment(delivery.lastAttemptAt),
      moment(delivery.nextAttemptAt),
    ]),
  );
}

/** Sends requests of one look after a button was pressed; the button keeps the focus, and does nothing meanwhile. */
async function during(button, work) {
  if (button.getAttribute('aria-disabled') === 'true') return;
  const { signal } = look;
  button.setAttribute('aria-disabled', true);
  failure.replaceChildren();
  try {
    await work(async (path) => {
      const url = `${await apiAddress()}/${path}`;
      const response = await receive(url, signal, { Authorization: `Bearer ${key}` });
      signal.throwIfAborted();
      document.querySelector('.limits')?.replaceWith(limitsSection(response.windows));
      return response;
    });
  } catch (error) {
    if (!signal.aborted) fail(error);
  }
  if (!signal.aborted) button.setAttribute('aria-disabled', false);
}

function fail(error) {
  // The service does not accept it any more, or never did: nothing to keep.
  if (error.status === 401) forget();
  if (error.status === 429) {
    const limits = limitsSection(error.windows);
    const place = document.querySelector('.limits');
    // Of a key that is used up from the start there is nothing else to show.
    if (place === null) shown.replaceChildren(limits);
    else place.replaceWith(limits);
  }
  const isKnown = error instanceof RequestError;
  const message = isKnown ? error.message : 'This page cannot show the response: reload it.';
  failure.replaceChildren(element('p', { class: 'problem' }, message));
}

const showKey = () =>
  during(refresh, async (send) => {
    const { body: usage, windows, at } = await send('usage');
    const managesWebhooks = usage.scopes.includes('webhooks:manage');
    const about = element('div', { class: 'cards' }, limitsSection(windows), aboutSection(usage));
    shown.replaceChildren(element('h2', {}, written(usage.name)), about, useSection(usage));
    price.textContent = `a refresh costs ${managesWebhooks ? 'two requests' : 'one request'}`;
    if (managesWebhooks) shown.append(webhooksSection((await send('webhooks')).body));
    progress.textContent = `As of ${at.toISOString().slice(11, 19)} UTC.`;
  });

const showDeliveries = (id, place, button) =>
  during(button, async (send) => {
    const { body } = await send(`webhooks/${id}/deliveries?limit=20`);
    place.replaceChildren(deliveriesTable(id, body));
  });

function forget(message = '') {
  look.abort();
  look = new AbortController();
  key = undefined;
  pasted.value = '';
  shown.replaceChildren();
  failure.replaceChildren();
  progress.textContent = message;
  price.textContent = 'a refresh costs one request';
  refresh.setAttribute('aria-disabled', false);
  entry.hidden = false;
  tools.hidden = true;
}

entry.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = pasted.value.trim();
  pasted.value = '';
  if (!LIKE_A_KEY.test(text)) {
    fail(
      new RequestError('This is not an API key: one begins with pet_live_ or pet_test_. It was not sent.'),
    );
    return;
  }
  key = text;
  entry.hidden = true;
  tools.hidden = false;
  refresh.focus();
  void showKey();
});
refresh.addEventListener('click', showKey);
document.getElementById('forget').addEventListener('click', () => {
  forget('The key is forgotten.');
  pasted.focus();
});
// Who comes back, by a page that the browser has kept whole, finds the form.
window.addEventListener('pagehide', () => forget());

document.getElementById('without-script').remove();
forget();
// Said when the key is sent, which tries again.
apiAddress().then(
  (found) => (address.textContent = found),
  () => undefined,
);
