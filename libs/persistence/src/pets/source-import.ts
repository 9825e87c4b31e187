import { ACTIVE_STATUSES } from '@petstore/order-domain';
import {
  Category,
  CategoryEvent,
  type CategoryId,
  CategoryName,
  type PetId,
  type PetName,
  type PetProfile,
  type PetStatus,
} from '@petstore/pet-domain';
import { sqlStateOf } from '../connection/database-errors.js';
import type { LongSession } from './long-session.js';
import * as sql from './source-import.queries.js';

/** SQLSTATE of a lock that could not be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** How many ids are tried for a new category. */
const MAX_IDS = 100;

/** An animal of a source, as it is. */
export interface KnownPet {
  readonly id: PetId;
  readonly name: PetName;
  readonly categoryId: CategoryId;
  readonly status: PetStatus;
  readonly profile: PetProfile;
  /** Another one whenever somebody has changed the animal. */
  readonly version: string;
  /** By an active order. */
  readonly isHeld: boolean;
}

/** What is to become of an animal of a file. What is `unchanged` or `gone` has a reference only. */
export interface StagedRecord {
  readonly kind: 'created' | 'updated' | 'unchanged' | 'gone';
  readonly reference?: string | undefined;
  readonly id?: PetId | undefined;
  readonly name?: PetName;
  /** Absent in one that is created in a category that is not there yet. */
  readonly categoryId?: CategoryId | undefined;
  readonly categoryName?: CategoryName | undefined;
  readonly status?: PetStatus;
  readonly profile?: PetProfile;
  /** Of one that is updated: whether its profile changes. */
  readonly isDescribed?: boolean;
  readonly oldName?: PetName;
  readonly oldStatus?: PetStatus;
  readonly version?: string;
  /** From which it is decided anew, see {@link SourceImport.apply}. */
  readonly record?: string;
}

/** How many animals a source has, and how many of them its file lacks or shows as gone. */
export interface MissingCounts {
  readonly known: number;
  /** Of these, those that are not sold. */
  readonly unsold: number;
  readonly missing: number;
  /** Missing ones that no order holds. */
  readonly removable: number;
  /** Of these, those that are not sold. */
  readonly sellable: number;
}

/** What makes an import without a source happen once. */
export interface ImportToken {
  readonly token: string;
  readonly fingerprint: string;
  readonly records: number;
  readonly animals: number;
}

/** Another import of the same source goes on. */
export class SourceBusyError extends Error {
  override readonly name = 'SourceBusyError';
}

/** Another run has imported the file meanwhile: nothing was added. */
export class ImportedMeanwhileError extends Error {
  override readonly name = 'ImportedMeanwhileError';
}

/** A change that was decided on what is not true any more; `id` is NULL when the animal is gone. */
interface Stale extends Omit<KnownPet, 'id'> {
  readonly place: string;
  readonly petId: PetId;
  readonly record: string | null;
  readonly id: PetId | null;
}

type Decide = (record: string, known: KnownPet | undefined) => Promise<StagedRecord | undefined>;

/**
 * Brings the animals of a source to the state of a file, in one transaction. First all of the file is staged in a table
 * of the session, with what is to change, while requests go on; {@link apply} then looks whether that is still true.
 */
export class SourceImport {
  private constructor(
    private readonly session: LongSession,
    /** `undefined` for a file whose records are all added. */
    private readonly source: string | undefined,
  ) {}

  /**
   * @param waitSeconds how long to wait for another import of the source
   * @throws {SourceBusyError}
   */
  static async begin(
    session: LongSession,
    source: string | undefined,
    waitSeconds = 30,
  ): Promise<SourceImport> {
    await session.query(sql.STAGING);
    if (source !== undefined) {
      const lock = `select pg_advisory_lock(hashtextextended('petstore import ' || $1, 0))`;
      await session.query(`set lock_timeout = '${waitSeconds}s'`);
      await session.query(lock, [source]).catch((error: unknown) => {
        if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
        const message = `Another import of the source ${source} goes on: let it end.`;
        throw new SourceBusyError(message, { cause: error });
      });
      await session.limitLocks();
    }
    return new SourceImport(session, source);
  }

  /** Animals of the source by their references. */
  async known(references: readonly string[]): Promise<ReadonlyMap<string, KnownPet>> {
    if (references.length === 0) return new Map();
    const values = [ACTIVE_STATUSES, this.source, references];
    const rows = await this.session.query<KnownPet & { readonly reference: string }>(sql.KNOWN, values);
    return new Map(rows.map(({ reference, ...pet }) => [reference, pet]));
  }

  async stage(records: readonly StagedRecord[]): Promise<void> {
    if (records.length > 0) await this.session.query(sql.STAGE, [JSON.stringify(records)]);
  }

  /** The category of this name. */
  async categoryNamed(name: CategoryName): Promise<CategoryId | undefined> {
    const [row] = await this.session.query<{ readonly id: CategoryId }>(
      'select id from categories where name_key = $1',
      [CategoryName.keyOf(name)],
    );
    return row?.id;
  }

  async countMissing(): Promise<MissingCounts> {
    await this.session.query('analyze staged');
    const values = [ACTIVE_STATUSES, this.source];
    const [counts] = await this.session.query<MissingCounts>(sql.COUNT_MISSING, values);
    if (counts === undefined) throw new Error('A count has one row.');
    return counts;
  }

  /** Stages that missing animals are sold or deleted, but for those that an order holds. @returns these */
  async stageMissing(what: 'sold' | 'delete'): Promise<readonly { reference: string; status: PetStatus }[]> {
    const values = [ACTIVE_STATUSES, this.source, what === 'delete'];
    await this.session.query(sql.STAGE_MISSING, values);
    return this.session.query(sql.HELD_MISSING, values);
  }

  /**
   * Does what is staged, all of it or nothing. New animals and all events are written first; then rows of animals are
   * locked for as long as it takes to write them, and requests that change one wait.
   *
   * @param decide what is to become of an animal that has changed since it was staged; `undefined` when nothing is
   * @throws {ImportedMeanwhileError}
   */
  async apply(decide: Decide, token?: ImportToken): Promise<void> {
    const { session } = this;
    await session.query('analyze staged');
    await session.transaction('begin', async () => {
      if (token !== undefined) await this.keepToken(token);
      await this.createCategories();
      await this.createBehind('0');
      await session.query(sql.LOCK);
      await this.decideAnew(decide);
      for (const change of [sql.UPDATE, sql.UPDATE_PROFILES, sql.ADD_PROFILES, sql.DELETE])
        await session.query(change);
    });
  }

  private async keepToken({ token, fingerprint, records, animals }: ImportToken): Promise<void> {
    const added = await this.session.query(
      `insert into pet_imports (token, fingerprint, records, animals) values ($1, decode($2, 'hex'), $3, $4)
       on conflict do nothing returning token`,
      [token, fingerprint, records, animals],
    );
    if (added.length === 0) throw new ImportedMeanwhileError('The file was imported meanwhile.');
  }

  /** Adds the new animals that are staged behind a place, and writes all events of what is. */
  private async createBehind(place: string): Promise<void> {
    const { session, source } = this;
    await session.query(sql.CREATE);
    await session.query(sql.CREATE_PROFILES, [place]);
    if (source !== undefined) await session.query(sql.CREATE_SOURCES, [place, source]);
    await session.query(sql.WRITE_EVENTS, [place]);
  }

  /** Under the locks: what is decided now stays true. */
  private async decideAnew(decide: Decide): Promise<void> {
    const { session } = this;
    const stale = await session.query<Stale>(sql.STALE, [ACTIVE_STATUSES]);
    if (stale.length === 0) return;
    const [last] = await session.query<{ readonly last: string }>(sql.LAST_PLACE);
    await session.query(sql.UNSTAGE, [stale.map(({ place }) => place), stale.map(({ petId }) => petId)]);
    for (const { record, id, ...pet } of stale) {
      // A missing animal that somebody changes meanwhile is there for somebody: the next file decides.
      if (record === null) continue;
      const change = await decide(record, id === null ? undefined : { ...pet, id });
      if (change !== undefined) await this.stage([change]);
    }
    await this.createBehind(last?.last ?? '0');
  }

  /** In the order of their keys, so that two imports that need the same ones do not wait for each other. */
  private async createCategories(): Promise<void> {
    const { session } = this;
    const rows = await session.query<{ readonly name: CategoryName }>(sql.WANTED_CATEGORIES);
    const names = rows.map(({ name }) => [CategoryName.keyOf(name), name] as const);
    for (const [key, name] of names.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const id = await this.createCategory(name, key);
      await session.query('update staged set category_id = $1 where category_name = $2', [id, name]);
    }
  }

  private async createCategory(name: CategoryName, key: string): Promise<CategoryId> {
    const { session } = this;
    for (let attempt = 1; attempt <= MAX_IDS; attempt++) {
      const found = await this.categoryNamed(name);
      if (found !== undefined) return found;
      const [added] = await session.query<{ id: CategoryId; isInUse: boolean }>(sql.ADD_CATEGORY, [
        name,
        key,
      ]);
      if (added === undefined) continue;
      if (added.isInUse) {
        await session.query('delete from categories where id = $1', [added.id]);
        continue;
      }
      const { type, data } = CategoryEvent.created(new Category(added.id, name));
      await session.query(`insert into outbox (type, resource, data) values ($1, 'category', $2)`, [
        type,
        data,
      ]);
      return added.id;
    }
    throw new Error(`The next ${MAX_IDS} ids of categories are in use.`);
  }
}
