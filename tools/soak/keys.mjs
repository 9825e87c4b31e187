import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { KeySigner } from '../../libs/api-key/dist/index.js';

const OPERATOR = fileURLToPath(new URL('../../apps/operator-cli/bundle/main.js', import.meta.url));

/** One key that is never refused, one that mostly is, and one that does not exist. */
export function issueKeys(env) {
  return {
    plenty: issue(env, ['--plan', 'enterprise', '--per-minute', '999999999', '--per-day', '999999999']),
    small: issue(env, ['--plan', 'free']),
    wrong: new KeySigner('not the pepper of the service').issue('test').text,
  };
}

function issue(env, options) {
  const words = [OPERATOR, 'create', '--name', 'soak', '--json', ...options];
  return JSON.parse(execFileSync(process.execPath, words, { env }).toString()).key;
}
