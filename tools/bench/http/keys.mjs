import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { ApiKeyFormat } from '../../../libs/api-key/dist/index.js';
import { withClient } from '../shared/database.mjs';

const OPERATOR = fileURLToPath(new URL('../../../apps/operator-cli/dist/main.js', import.meta.url));

/** Never reached. */
const PLENTY = 999_999_999;

/** Callers that take turns. */
const CALLERS = 4;

/**
 * Makes the keys of a run: the service's with the operator's tool, and the same for the peers in a table
 * of their own.
 *
 * @returns {Promise<{ keys: string[], exhaustedKey: string, wrongKey: string }>}
 */
export async function makeKeys({ databaseUrl, pepper, withService }) {
  const wanted = [
    ...Array.from({ length: CALLERS }, (_, i) => ({ name: `bench-${i + 1}`, perDay: PLENTY })),
    { name: 'bench-exhausted', perDay: 1 },
  ];
  const made = wanted.map((key) => ({
    ...key,
    secret: withService ? createKey(key, databaseUrl, pepper) : ApiKeyFormat.generate('test'),
  }));
  await withClient(databaseUrl, async (client) => {
    await client.query(
      'create table bench_keys (hash text primary key, id text not null, per_minute integer not null, per_day integer not null)',
    );
    for (const { name, perDay, secret } of made) {
      const hash = createHmac('sha256', pepper).update(secret).digest('base64url');
      await client.query('insert into bench_keys values ($1, $2, $3, $4)', [hash, name, PLENTY, perDay]);
    }
  });
  const secrets = made.map(({ secret }) => secret);
  return {
    keys: secrets.slice(0, CALLERS),
    exhaustedKey: secrets[CALLERS],
    wrongKey: ApiKeyFormat.generate('test'),
  };
}

function createKey({ name, perDay }, databaseUrl, pepper) {
  const limits = ['--per-minute', String(PLENTY), '--per-day', String(perDay)];
  const output = execFileSync(
    process.execPath,
    [OPERATOR, 'create', '--name', name, '--plan', 'enterprise', ...limits, '--json'],
    { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, API_KEY_PEPPER: pepper } },
  );
  return JSON.parse(output.toString()).key;
}
