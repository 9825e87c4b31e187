import { type ApiKeyAdministration, KeyStoreUnavailableError } from '@petstore/api-key';
import { readOrCreatePepper } from '@petstore/embedded-postgres';
import type { StorageSettings } from '../storage/storage.settings.js';
import type { AccessSettings } from './access.settings.js';

type PepperSettings = Pick<AccessSettings, 'apiKeyPepper' | 'previousApiKeyPeppers'> &
  Pick<StorageSettings, 'dataDir'>;

/** What keys are issued and webhook secrets sealed under, and what they may have been before. */
export interface Peppers {
  readonly pepper: string;
  readonly previousPeppers: readonly string[] | undefined;
}

/** The configured peppers; without one, that of the data folder, which is made once. */
export async function peppersOf(settings: PepperSettings): Promise<Peppers> {
  const { apiKeyPepper, previousApiKeyPeppers: previousPeppers, dataDir } = settings;
  return { pepper: apiKeyPepper ?? (await readOrCreatePepper(dataDir)), previousPeppers };
}

/** The pepper is not the one of the keys in the database. The message says what to do. */
export class PepperError extends Error {
  override readonly name = 'PepperError';
}

/**
 * What is wrong with the configured pepper: no key of the database that is not revoked was issued under it or a previous
 * one, so every request would get 401. `undefined` when nothing is, or the database does not respond.
 */
export async function pepperProblem(
  keys: Pick<ApiKeyAdministration, 'hasOnlyUnknownPeppers'>,
  { apiKeyPepper }: Pick<AccessSettings, 'apiKeyPepper'>,
): Promise<string | undefined> {
  if (!(await unlessUnavailable(keys.hasOnlyUnknownPeppers()))) return undefined;
  const name = apiKeyPepper === undefined ? 'PETSTORE_DATA_DIR/pepper' : 'API_KEY_PEPPER';
  return (
    `${name} is not the pepper of any key in this database, so all of them are refused. Bring the old one back; to change ` +
    'it, name the old one in API_KEY_PEPPER_PREVIOUS until the keys are rotated; if it is lost, make a key with npm run key -- create.'
  );
}

/** What the database says; `undefined` if it does not respond. */
export function unlessUnavailable<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return value.catch((error: unknown) => {
    if (error instanceof KeyStoreUnavailableError) return undefined;
    throw error;
  });
}
