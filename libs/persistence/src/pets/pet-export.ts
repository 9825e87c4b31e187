import type { CategoryId, PetProfile, PetState, PetStatus } from '@petstore/pet-domain';
import { withClient } from '../connection/database-client.js';
import type { DataSourceSettings } from '../schema/data-source.js';
import { selected } from '../sql/columns.js';
import { PET_COLUMNS } from './pet.schema.js';

/** Animals that are read together. */
const BATCH = 50;

/** Time limits: for a statement, for who takes the animals, and for a migration that goes on. */
const LIMITS = `
  set statement_timeout = '300s';
  set idle_in_transaction_session_timeout = '120s';
  set lock_timeout = '60s'`;

export interface ExportedPet extends PetState {
  readonly profile: PetProfile;
}

/** Which animals are exported; what is `undefined` chooses none out. */
export interface ExportFilter {
  readonly statuses: readonly PetStatus[];
  readonly categoryIds?: readonly CategoryId[] | undefined;
  readonly source?: string | undefined;
}

const PETS = `
  declare exported no scroll cursor for
  select ${selected(PET_COLUMNS)}, coalesce(profile, '{}') as profile
  from pets left join pet_profiles on pet_id = id
  where status = any ($1) and ($2::bigint[] is null or category_id = any ($2))
    and ($3::text is null or exists (select from pet_sources where source = $3 and pet_id = id))
  order by id`;

/**
 * Reads the animals of one moment, in the order of their ids, some at a time.
 *
 * @throws {StoreUnavailableError} besides whatever `take` throws
 */
export function exportPets(
  settings: DataSourceSettings,
  { statuses, categoryIds, source }: ExportFilter,
  take: (pets: readonly ExportedPet[]) => Promise<void> | void,
): Promise<void> {
  return withClient(settings, LIMITS, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    await client.query(PETS, [statuses, categoryIds ?? null, source ?? null]);
    for (;;) {
      const { rows } = await client.query<ExportedPet>(`fetch ${BATCH} from exported`);
      if (rows.length === 0) return;
      await take(rows);
    }
  });
}
