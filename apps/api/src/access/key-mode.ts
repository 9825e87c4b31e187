import type { ApiKeyAdministration, KeyMode } from '@petstore/api-key';
import type { AccessSettings } from './access.settings.js';
import { unlessUnavailable } from './pepper.js';

type Environment = AccessSettings['environment'];

/** What keys begin with that are issued in an environment. */
export function keyModeOf(environment: Environment): KeyMode {
  return environment === 'production' ? 'live' : 'test';
}

/**
 * A warning if the database has accepted keys of the other mode: they belong to another environment, or this program was given
 * another PETSTORE_ENVIRONMENT than the one that made them. `undefined` if it has none, or does not respond.
 */
export async function keyModeWarning(
  keys: Pick<ApiKeyAdministration, 'hasKeyOfOtherMode'>,
  environment: Environment,
): Promise<string | undefined> {
  if (!(await unlessUnavailable(keys.hasKeyOfOtherMode()))) return undefined;
  const own = keyModeOf(environment);
  const other = own === 'live' ? 'test' : 'live';
  return (
    `PETSTORE_ENVIRONMENT is ${environment}, where keys contain _${own}_, and this database accepts keys with _${other}_. ` +
    'Give the service and the tool the same PETSTORE_ENVIRONMENT, and rotate or revoke the keys of another one.'
  );
}
