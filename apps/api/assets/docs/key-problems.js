import { durationText, element, written } from './key-elements.js';

// Errors in plain words.

const LOCAL = {
  form: ['This is not an API key.', 'A key begins with pet_live_ or pet_test_. It was not sent.'],
  network: [
    'The service cannot be reached.',
    'Check your connection, and whether something in between blocks the request. Then try again.',
  ],
  stranger: [
    'Something else responded in place of the service.',
    'It may be a proxy, or the service is being restarted. Try again in a moment.',
  ],
  page: ['This page cannot show the response.', 'It may be older than the service: reload it.'],
};

const BY_STATUS = {
  401: [
    'The service does not accept this key.',
    'It is mistyped, expired or revoked. Ask whoever gave it to you.',
  ],
  403: ['The key may not do this.', 'It lacks the scope. Ask whoever gave it to you, if you need it.'],
  404: ['This is gone.', 'Refresh to see what there is.'],
  429: ['Too many requests.', 'A limit is used up.'],
  503: ['The service is unavailable at the moment.', 'Nothing is wrong with the key.'],
};

const BANNED = ['The key is banned for a while.', 'It kept sending requests after it had been refused.'];

/** What an error is, what helps, and what the operator needs to know of it. */
export function problem({ kind, status, code, said, retryAfterS, requestId }) {
  const [what, help] = wordsFor(kind, status, code);
  const wait = retryAfterS >= 0 ? ` Try again in ${durationText(retryAfterS)}.` : '';
  const details = [
    said === undefined ? [] : ['The service says: ', written(said), ' '],
    status === undefined ? [] : [`(${[status, code].filter(Boolean).join(' ')}`],
    requestId === null ? [] : [', request ', element('code', {}, requestId)],
    status === undefined ? [] : [')'],
  ].flat();
  return element(
    'div',
    { class: 'problem' },
    element('p', {}, element('strong', {}, what), ` ${help}${wait}`),
    ...(details.length > 0 ? [element('p', { class: 'note' }, ...details)] : []),
  );
}

function wordsFor(kind, status, code) {
  if (kind !== 'service') return LOCAL[kind];
  if (code === 'api_key_temporarily_banned') return BANNED;
  return BY_STATUS[status] ?? ['The service could not respond as it should.', 'Try again later.'];
}
