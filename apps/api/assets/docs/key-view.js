import {
  badge,
  count,
  dayText,
  durationText,
  element,
  moment,
  svgElement,
  table,
  written,
} from './key-elements.js';
import { useCard } from './use-chart.js';

/** An end that is this near is pointed out. */
const SOON_S = 14 * 86_400;

/** What is shown of a key: what it is, what is left, how it was used. */
export function keySections(usage, windows, at) {
  return [
    element('h2', {}, written(usage.name)),
    element('div', { class: 'cards' }, limitsCard(windows), aboutCard(usage, at)),
    useCard(usage, at),
  ];
}

const WINDOWS = { minute: 'any minute', day: 'any day' };

/** The live windows, as the header fields of a response have them. */
export function limitsCard(windows) {
  return element(
    'section',
    { class: 'card limits', 'aria-labelledby': 'limits' },
    element('h3', { id: 'limits' }, 'Requests left'),
    ...(windows.length > 0 ? windows.map(meter) : [element('p', {}, 'The response does not say.')]),
  );
}

function meter({ name, quota, remaining, moreInS }) {
  const share = quota > 0 ? Math.min(1, remaining / quota) : 0;
  const kind = share === 0 ? 'none' : share <= 0.1 ? 'few' : 'many';
  const more = remaining < quota && moreInS !== undefined ? `More in ${durationText(moreInS)}.` : '';
  return element(
    'div',
    { class: `meter ${kind}` },
    element(
      'p',
      {},
      element('strong', {}, count(remaining)),
      ` of ${count(quota)} in ${WINDOWS[name] ?? `the ${name}`}`,
    ),
    svgElement(
      'svg',
      { viewBox: '0 0 100 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      svgElement('rect', { class: 'quota', width: 100, height: 1 }),
      svgElement('rect', { class: 'remaining', width: 100 * share, height: 1 }),
    ),
    element('p', { class: 'note' }, more),
  );
}

function aboutCard({ keyId, plan, scopes, expiresAt, limits }, at) {
  const rows = [
    ['Plan', element('span', { class: 'plan' }, plan)],
    ['Limits', `${count(limits.perMinute)} a minute, ${count(limits.perDay)} a day`],
    ['Expires', expiry(expiresAt, at)],
    ['Scopes', scopes.length === 0 ? 'none' : scopeList(scopes)],
    ['Key id', element('code', {}, keyId)],
  ];
  return element(
    'section',
    { class: 'card about', 'aria-labelledby': 'about' },
    element('h3', { id: 'about' }, 'The key'),
    element(
      'dl',
      {},
      ...rows.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value)]),
    ),
  );
}

function scopeList(scopes) {
  return element(
    'ul',
    { class: 'scopes' },
    ...scopes.map((scope) => element('li', {}, element('code', {}, scope))),
  );
}

function expiry(expiresAt, at) {
  if (expiresAt === undefined) return 'never';
  const seconds = (Date.parse(expiresAt) - at) / 1000;
  const left = seconds > 0 ? `in ${durationText(seconds)}` : 'expired';
  return element(
    'span',
    { class: seconds < SOON_S ? 'soon' : undefined },
    moment(expiresAt),
    ` UTC (${left})`,
  );
}

/** @param showDeliveries called with the id of a webhook, the element for its deliveries, and the button pressed */
export function webhooksCard(webhooks, showDeliveries) {
  return element(
    'section',
    { class: 'card webhooks', 'aria-labelledby': 'webhooks' },
    element('h3', { id: 'webhooks' }, 'Webhooks'),
    webhooks.length === 0
      ? element('p', {}, 'This key has no webhooks.')
      : element('ul', {}, ...webhooks.map((webhook) => webhookItem(webhook, showDeliveries))),
  );
}

const REASONS = { failing: 'every attempt failed for five days', gone: 'its endpoint responded with 410' };

function webhookItem(webhook, showDeliveries) {
  const { id, url, types, description, status, disabledReason, failingSince, createdAt } = webhook;
  const place = element('div', { 'aria-live': 'polite' });
  const button = element('button', { type: 'button' }, `Deliveries of ${id}`);
  button.addEventListener('click', () => showDeliveries(String(id), place, button));
  const reason = disabledReason === undefined ? '' : ` (${REASONS[disabledReason] ?? disabledReason})`;
  return element(
    'li',
    {},
    element('p', { class: 'url' }, written(url), ' ', badge(status + reason, status)),
    ...(description === undefined ? [] : [element('p', {}, written(description))]),
    element(
      'p',
      { class: 'note' },
      `Id ${id}, since ${dayText(createdAt)}, for `,
      types?.join(', ') ?? 'all events that the key may read',
      '.',
    ),
    ...(failingSince === undefined
      ? []
      : [element('p', { class: 'soon' }, 'Every attempt has failed since ', moment(failingSince), ' UTC.')]),
    element('p', { class: 'row' }, button, element('span', { class: 'note' }, 'costs one request')),
    place,
  );
}

const OUTCOMES = {
  http_status: 'not 2xx',
  timeout: 'no response in time',
  dns: 'name not found',
  refused_address: 'address not allowed',
  connection: 'connection failed',
  tls: 'TLS failed',
};

export function deliveriesTable(id, deliveries) {
  if (deliveries.length === 0) return element('p', {}, 'No deliveries yet.');
  return table(
    `Last deliveries of ${id}, newest first`,
    [
      'Delivery',
      'Event',
      'Type',
      'Status',
      'Attempts',
      'Outcome',
      'Last attempt (UTC)',
      'Next attempt (UTC)',
    ],
    deliveries.map((delivery) => [
      delivery.id,
      delivery.eventId ?? '–',
      delivery.type,
      badge(delivery.status, delivery.status),
      count(delivery.attempts),
      outcomeOf(delivery),
      delivery.lastAttemptAt === undefined ? '–' : moment(delivery.lastAttemptAt),
      delivery.nextAttemptAt === undefined ? '–' : moment(delivery.nextAttemptAt),
    ]),
  );
}

function outcomeOf({ responseStatus, error }) {
  const words = error === undefined ? undefined : (OUTCOMES[error] ?? error);
  return [responseStatus, words].filter((part) => part !== undefined).join(', ') || '–';
}
