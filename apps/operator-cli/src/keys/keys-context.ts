import {
  keyModeOf,
  keyModeWarning,
  pepperProblem,
  peppersOf,
  PETSTORE_PLANS,
  PETSTORE_SCOPES,
} from '@petstore/api';
import { ApiKeyAdministration, KeySigner } from '@petstore/api-key';
import { ListenNotifyBus, ApiKeyTables } from '@petstore/persistence';
import { textLine } from '../output.js';
import type { Terminal } from '../terminal.js';
import { type DatabaseContext, withDatabase } from '../with-database.js';

/** What commands on keys work with. */
export interface KeysContext extends DatabaseContext {
  readonly administration: ApiKeyAdministration;
}

/** Opens what is needed, does the work, and leaves everything as it was found. */
export function withKeys<Result>(
  terminal: Terminal,
  work: (context: KeysContext) => Promise<Result>,
): Promise<Result> {
  return withDatabase(terminal, 'petstore keys', async (context) => {
    const { database, configuration } = context;
    const { environment } = configuration;
    const { pepper, previousPeppers } = await peppersOf(configuration);
    const administration = new ApiKeyAdministration({
      repository: new ApiKeyTables(database),
      signer: new KeySigner(pepper, previousPeppers),
      scopes: PETSTORE_SCOPES,
      plans: PETSTORE_PLANS,
      mode: keyModeOf(environment),
      events: new ListenNotifyBus(database),
    });
    const problem = await pepperProblem(administration, configuration);
    if (problem !== undefined) terminal.err(textLine(`warning: ${problem}`));
    const result = await work({ ...context, administration });
    // Behind the work, which may have ended the last of them.
    const warning = await keyModeWarning(administration, environment);
    if (warning !== undefined) terminal.err(textLine(`warning: ${warning}`));
    return result;
  });
}
