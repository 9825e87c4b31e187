import { ApiKeyAdministration, KeySigner, type NewKey } from '@petstore/api-key';
import { ApiKeyTables, Database } from '@petstore/persistence';
import { PETSTORE_PLANS } from '../../src/access/petstore-plans.js';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';

/** Hardly limited. */
const GENEROUS: Pick<NewKey, 'plan' | 'limits'> = {
  plan: 'enterprise',
  limits: { perMinute: 1_000_000, perDay: 1_000_000 },
};

/** The secret of a key, made in a database with this pepper as the operator's tool makes it. */
export async function issueIn(
  url: string,
  pepper: string,
  key: Pick<NewKey, 'plan' | 'limits'> = GENEROUS,
): Promise<string> {
  const database = await Database.open({ url });
  const repository = new ApiKeyTables(database);
  const signer = new KeySigner(pepper);
  const keys = new ApiKeyAdministration({
    repository,
    signer,
    scopes: PETSTORE_SCOPES,
    plans: PETSTORE_PLANS,
    kind: 'test',
  });
  const { secret } = await keys.create({ name: 'test', ...key }, 'tests');
  await database.close();
  return secret;
}
