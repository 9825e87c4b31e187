import { createHmac } from 'node:crypto';
import { ApiKeyAdministration, KeySigner } from '../../../libs/api-key/dist/index.js';
import { Database, PostgresApiKeyRepository } from '../../../libs/persistence/dist/index.js';
import { PETSTORE_SCOPES } from '../../../apps/api/dist/access/petstore-scopes.js';
import { withClient } from '../shared/database.mjs';

const stranger = new KeySigner('not the pepper of the service');
const madeUpKey = () => stranger.issue('test').text;

/** Never reached. */
const PLENTY = 999_999_999;

/** Callers that take turns. */
const CALLERS = 4;

/** Callers that place orders: a key may have 100 open ones, and takes turns with itself. */
const ORDERERS = 400;

/**
 * Makes the keys of a run: the service's, and the same for the peers in a table of their own.
 *
 * @returns {Promise<{ keys: string[], orderKeys: string[], exhaustedKey: string, wrongKey: string }>}
 */
export async function makeKeys({ databaseUrl, pepper, withService }) {
  const wanted = [
    { name: 'bench-exhausted', perDay: 1 },
    ...Array.from({ length: CALLERS }, (_, i) => ({ name: `bench-${i + 1}`, perDay: PLENTY })),
  ];
  const made = withService
    ? await serviceKeys(wanted, databaseUrl, pepper)
    : wanted.map((key) => ({ ...key, secret: madeUpKey() }));
  const orderers = Array.from({ length: ORDERERS }, (_, i) => ({
    name: `orders-${i + 1}`,
    perDay: PLENTY,
    scopes: ['orders:write'],
  }));
  const ordering = withService ? await serviceKeys(orderers, databaseUrl, pepper) : [];
  await withClient(databaseUrl, async (client) => {
    await client.query(
      'create table bench_keys (hash text primary key, id text not null, per_minute integer not null, per_day integer not null)',
    );
    for (const { name, perDay, secret } of made) {
      const hash = createHmac('sha256', pepper).update(secret).digest('base64url');
      await client.query('insert into bench_keys values ($1, $2, $3, $4)', [hash, name, PLENTY, perDay]);
    }
  });
  const [exhaustedKey, ...keys] = made.map(({ secret }) => secret);
  return {
    keys,
    orderKeys: ordering.map(({ secret }) => secret),
    exhaustedKey,
    wrongKey: madeUpKey(),
  };
}

async function serviceKeys(wanted, url, pepper) {
  const database = await Database.open({ url });
  try {
    const administration = new ApiKeyAdministration({
      repository: new PostgresApiKeyRepository(database),
      signer: new KeySigner(pepper),
      scopes: PETSTORE_SCOPES,
      kind: 'test',
    });
    const made = [];
    for (const { name, perDay, scopes } of wanted) {
      const limits = { perMinute: PLENTY, perDay };
      const { secret } = await administration.create({ name, plan: 'enterprise', limits, scopes }, 'bench');
      made.push({ name, perDay, secret });
    }
    return made;
  } finally {
    await database.close();
  }
}
