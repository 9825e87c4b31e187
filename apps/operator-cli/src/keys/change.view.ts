import { type ApiKey, type ChangedKey, type IssuedKey, VisibleText } from '@petstore/api-key';
import type { Terminal } from '../terminal/terminal.js';
import { palette } from '../view/palette.js';
import { table } from '../view/table.js';
import { hintText, moment, planText, stateText } from '../view/format.js';

/** What a person reads after a change. */
export function changedText(changed: ChangedKey, done: string, terminal: Terminal): string {
  const reach = changed.announced
    ? 'Running services have been told; one that was not reached follows within 10 seconds.'
    : 'Running services follow within 10 seconds.';
  return `${keyText(changed.key, done, terminal)}${palette(terminal)('dim', reach)}\n`;
}

/** What a person reads after a key was issued or rotated: with the secret, this once. */
export function issuedText({ key, secret }: IssuedKey, done: string, terminal: Terminal): string {
  const old = key.secretsAt(new Date()).flatMap(({ hint, validUntil }) =>
    // The secret in force has no end: that is the new one.
    validUntil === undefined
      ? []
      : [`The key ${hintText(hint)} goes on working until ${moment(validUntil)}.\n`],
  );
  return [
    keyText(key, done, terminal),
    `\n  ${palette(terminal)('bold', secret)}\n\n`,
    'This is the only time the key is shown: keep it now. Clients send it as\n',
    '  Authorization: Bearer <key>\n',
    ...old,
  ].join('');
}

function keyText(key: ApiKey, done: string, terminal: Terminal): string {
  const paint = palette(terminal);
  const now = new Date();
  const { name, plan, scopes, expiresAt } = key.settings;
  const facts = table([
    ['  state', stateText(key.stateAt(now), undefined, now, paint)],
    ['  plan', planText(plan)],
    ['  scopes', scopes.join(' ')],
    ['  expires', expiresAt === undefined ? 'never' : moment(expiresAt)],
  ]);
  return `${done} ${key.id} ${paint('bold', VisibleText.escape(name))}\n${facts}`;
}
