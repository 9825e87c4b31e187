import { ACTIVE_STATUSES } from '@petstore/order-domain';
import {
  Category,
  CategoryEvent,
  type CategoryId,
  CategoryName,
  type PetId,
  PetProfile,
  type PetStatus,
} from '@petstore/pet-domain';
import { sqlStateOf } from '../connection/database-errors.js';
import {
  ImportedMeanwhileError,
  type ImportToken,
  type KnownPet,
  type MissingCounts,
  type StockChange,
  StockImportBusyError,
} from './stock-change.js';
import type { StockSession } from './stock-session.js';
import * as sql from './stock.queries.js';

/** SQLSTATE of a lock that could not be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';
/** A change that was decided on what is not true any more; `id` is NULL when the animal is gone. */
interface Stale extends Omit<KnownPet, 'id'> {
  readonly place: string;
  readonly record: string | null;
  readonly id: PetId | null;
}

/** How many ids are tried for a new category. */
const MAX_IDS = 100;

/**
 * Brings the animals of a source to the state of a file, in one transaction. First all of the file is staged in tables
 * of the session, with what is to change, while requests go on; {@link apply} then looks whether that is still true.
 */
export class StockImport {
  /** Which kinds of changes there are. */
  private readonly staged = new Set<'created' | 'updated' | 'deleted' | 'emptied'>();

  private constructor(
    private readonly session: StockSession,
    /** `undefined` for a file whose records are all added. */
    private readonly source: string | undefined,
  ) {}

  /**
   * @param waitSeconds how long to wait for another import of the source
   * @throws {StockImportBusyError}
   */
  static async begin(
    session: StockSession,
    source: string | undefined,
    waitSeconds = 30,
  ): Promise<StockImport> {
    await session.query(sql.STAGING);
    if (source !== undefined) {
      const [limit] = await session.query<{ readonly lock_timeout: string }>('show lock_timeout');
      await session.query(`set lock_timeout = '${waitSeconds}s'`);
      const lock = `select pg_advisory_lock(hashtextextended('petstore import ' || $1, 0))`;
      await session.query(lock, [source]).catch((error: unknown) => {
        if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
        throw new StockImportBusyError(`Another import of the source ${source} goes on: let it end.`, {
          cause: error,
        });
      });
      await session.query(`set lock_timeout = '${limit?.lock_timeout ?? '10s'}'`);
    }
    return new StockImport(session, source);
  }

  /** Notes references of the file. @returns those that it has had before */
  async see(references: readonly string[], areGone: readonly boolean[]): Promise<ReadonlySet<string>> {
    if (references.length === 0) return new Set();
    const rows = await this.session.query<{ readonly reference: string }>(sql.SEE, [references, areGone]);
    const added = new Set(rows.map(({ reference }) => reference));
    return new Set(references.filter((reference) => !added.has(reference)));
  }

  /** Animals of the source by their references. */
  async known(references: readonly string[]): Promise<ReadonlyMap<string, KnownPet>> {
    if (this.source === undefined || references.length === 0) return new Map();
    const values = [ACTIVE_STATUSES, this.source, references];
    const rows = await this.session.query<KnownPet & { readonly reference: string }>(sql.KNOWN, values);
    return new Map(rows.map(({ reference, ...pet }) => [reference, pet]));
  }

  async stage(changes: readonly StockChange[]): Promise<void> {
    if (changes.length === 0) return;
    for (const { kind, profile } of changes) {
      this.staged.add(kind);
      if (profile === PetProfile.EMPTY && kind === 'updated') this.staged.add('emptied');
    }
    await this.session.query(sql.STAGE, [JSON.stringify(changes)]);
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
    await this.session.query('analyze stock_seen');
    const [counts] = await this.session.query<MissingCounts>(sql.COUNT_MISSING, [
      ACTIVE_STATUSES,
      this.source,
    ]);
    if (counts === undefined) throw new Error('A count has one row.');
    return counts;
  }

  /** Stages that missing animals are sold or deleted, but for those that an order holds. @returns these */
  async stageMissing(what: 'sold' | 'delete'): Promise<readonly { reference: string; status: PetStatus }[]> {
    const values = [ACTIVE_STATUSES, this.source, what === 'delete'];
    this.staged.add(what === 'delete' ? 'deleted' : 'updated');
    await this.session.query(sql.STAGE_MISSING, values);
    return this.session.query(sql.HELD_MISSING, values);
  }

  /**
   * Does what is staged, all of it or nothing. Rows of animals are locked for as long as it takes to write them.
   *
   * @param decide what is to become of an animal that has changed since it was staged; `undefined` when nothing is
   * @throws {ImportedMeanwhileError}
   */
  async apply(
    decide: (record: string, known: KnownPet | undefined) => Promise<StockChange | undefined>,
    token?: ImportToken,
  ): Promise<void> {
    const { session } = this;
    await session.query('analyze stock_changes');
    await session.transaction('begin', async () => {
      if (token !== undefined) await this.keepToken(token);
      const categories = await this.createCategories();
      await this.create();
      await session.query(sql.STAGE_EVENTS, [0]);
      // From here on requests that change one of these pets wait.
      await session.query(sql.LOCK);
      await this.decideAnew(decide);
      await session.query(sql.UPDATE);
      await session.query(sql.UPDATE_PROFILES);
      if (this.staged.has('emptied')) await session.query(sql.EMPTY_PROFILES);
      if (this.staged.has('deleted')) await session.query(sql.DELETE);
      for (const { type, data } of categories)
        await session.query(`insert into outbox (type, resource, data) values ($1, 'category', $2)`, [
          type,
          data,
        ]);
      await session.query(sql.WRITE_EVENTS);
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

  private async create(): Promise<void> {
    if (!this.staged.has('created')) return;
    await this.session.query(sql.CREATE);
    await this.session.query(sql.CREATE_PROFILES);
    if (this.source !== undefined) await this.session.query(sql.CREATE_SOURCES, [this.source]);
  }

  /** Under the locks: what is decided now stays true. */
  private async decideAnew(
    decide: (record: string, known: KnownPet | undefined) => Promise<StockChange | undefined>,
  ): Promise<void> {
    const { session } = this;
    const [last] = await session.query<{ readonly last: string }>(sql.LAST_PLACE);
    const stale = await session.query<Stale>(sql.STALE, [ACTIVE_STATUSES]);
    for (const { place, record, id, ...pet } of stale) {
      await session.query(sql.UNSTAGE, [place]);
      const known = id === null ? undefined : { id, ...pet };
      // A missing animal that somebody changes meanwhile is there for somebody: the next file decides.
      const change = record === null ? undefined : await decide(record, known);
      if (change !== undefined) await this.stage([change]);
    }
    if (stale.length === 0) return;
    await this.create();
    await session.query(sql.STAGE_EVENTS, [last?.last ?? 0]);
  }

  /**
   * In the order of their keys, so that two imports that need the same ones do not wait for each other.
   *
   * @returns their events
   */
  private async createCategories(): Promise<readonly CategoryEvent[]> {
    const { session } = this;
    const wanted = 'select distinct category_name as name from stock_changes where category_id is null';
    const rows = await session.query<{ readonly name: CategoryName }>(wanted);
    const names = rows.map(({ name }) => [CategoryName.keyOf(name), name] as const);
    const events: CategoryEvent[] = [];
    for (const [key, name] of names.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const id = await this.createCategory(name, key, events);
      await session.query('update stock_changes set category_id = $1 where category_name = $2', [id, name]);
    }
    return events;
  }

  private async createCategory(
    name: CategoryName,
    key: string,
    events: CategoryEvent[],
  ): Promise<CategoryId> {
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
      events.push(CategoryEvent.created(new Category(added.id, name)));
      return added.id;
    }
    throw new Error(`The next ${MAX_IDS} ids of categories are in use.`);
  }
}
