import { Injectable } from '@nestjs/common';
import { EventNotifier } from '@petstore/event-feed';
import {
  isSearch,
  type NewPet,
  type Page,
  Pet,
  type PetId,
  type PetPageRequest,
  type PetsByIdsRequest,
  StoreUnavailableError,
} from '@petstore/pet-domain';
import DataLoader from 'dataloader';
import { Database } from '../database/database.js';
import { ofOneRow, toJsonArray } from '../sql/page.js';
import { INSERT_PETS_WITH_EVENTS, insertedPets, insertedValues } from './insert-pets.js';
import { petSearchQuery } from './pet-search.queries.js';
import { FIND_PET, FIND_PROFILE, petPageQuery, petsByIdsQuery } from './pet.queries.js';

/** Most animals that are created by one statement. */
const MAX_BATCH_SIZE = 100;

/**
 * Animals on the pipelined pool: what most requests do. Everything else is done in a transaction, see `PetRepository`.
 *
 * Every method rejects with `StoreUnavailableError` when the database is unavailable. `allowStale` says that the reader takes
 * what was true some seconds ago, which a replica may serve.
 */
@Injectable()
export class PetStore {
  /** Creations of one tick are one statement, which takes half of what each would take by itself. */
  private readonly inserts = new DataLoader<NewPet, Pet>((pets) => this.insert(pets), {
    cache: false,
    maxBatchSize: MAX_BATCH_SIZE,
    batchScheduleFn: (insert) => setImmediate(insert),
  });

  constructor(
    private readonly database: Database,
    /** Raised after each commit. */
    private readonly notifier: EventNotifier = new EventNotifier(),
  ) {}

  /** One page, newest first. The cost of a list grows neither with the position nor with the number of animals. */
  async list(request: PetPageRequest, allowStale = false): Promise<Page<PetId>> {
    const { database } = this;
    const rows = isSearch(request)
      ? database.searchesFor(allowStale).queryOnce(...petSearchQuery(request))
      : database.readsFor(allowStale).queryOnce(...petPageQuery(request));
    return ofOneRow<PetId>(await rows);
  }

  /** Those of these animals that exist and meet the filter, newest first, as a JSON array. */
  async listByIds(request: PetsByIdsRequest, allowStale = false): Promise<string> {
    return toJsonArray(await this.database.readsFor(allowStale).queryOnce(...petsByIdsQuery(request)));
  }

  /** The animal as JSON; `undefined` when there is none. */
  async find(id: PetId, allowStale = false): Promise<string | undefined> {
    const [row] = await this.database.readsFor(allowStale).queryOnce(FIND_PET, [id]);
    return row?.[0] ?? undefined;
  }

  /** The profile of an animal, `{}` where nobody has described it; `undefined` when there is no animal. */
  async findProfile(id: PetId, allowStale = false): Promise<string | undefined> {
    const [row] = await this.database.readsFor(allowStale).queryOnce(FIND_PROFILE, [id]);
    return row?.[0] ?? undefined;
  }

  /** Keeps a new animal together with its event; once this resolves it survives the death of any process. */
  create(pet: NewPet): Promise<Pet> {
    return this.inserts.load(pet);
  }

  /** @returns an error for each animal that the database refuses; the others of the batch are created */
  private async insert(pets: readonly NewPet[]): Promise<readonly (Pet | Error)[]> {
    try {
      const { inserts } = this.database;
      const values = insertedValues(pets);
      const rows = await inserts.query(INSERT_PETS_WITH_EVENTS, values);
      this.notifier.notify();
      return insertedPets(
        pets,
        rows.map(([id]) => id),
      );
    } catch (error) {
      if (pets.length === 1 || error instanceof StoreUnavailableError) return pets.map(() => error as Error);
      // One animal was refused and has undone the others.
      const each = await Promise.all(pets.map((pet) => this.insert([pet])));
      return each.flat();
    }
  }
}
