import { createHmac } from 'node:crypto';
import pg from 'pg';

/** What the peers have in common: keys, rules of the contract, statements, error bodies. */

export const { DATABASE_URL, REDIS_URL } = process.env;
export const LISTEN = { port: Number(process.env.PORT), host: '127.0.0.1' };
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

const ERRORS = {
  400: ['validation_failed', 'The request is not valid.'],
  401: ['invalid_api_key', 'The API key is missing or not valid.'],
  404: ['pet_not_found', 'There is no such animal.'],
  429: ['rate_limit_exceeded', 'Too many requests.'],
  500: ['internal_error', 'Something went wrong.'],
};

/**
 * Body of an error in the contract's form.
 *
 * @param {number} status
 * @param {string} [message] instead of the usual one
 */
export function errorBody(status, message) {
  const [code, usual] = ERRORS[status] ?? ERRORS[500];
  return { code, message: message ?? usual, status };
}

/** How long a key is cached, in milliseconds. */
const CACHED_MS = 5_000;
const FIND_KEY = 'select id, per_minute, per_day from bench_keys where hash = $1';

/** Finds who sends a request: bearer keys, hashed, looked up in the database and cached for some seconds. */
export class Callers {
  #query;
  #cached = new Map();

  /** @param {(statement: { name: string, text: string, values: any[] }) => Promise<{ rows: any[] }>} query */
  constructor(query) {
    this.#query = query;
  }

  /**
   * The caller. One without an accepted key is not `known`.
   *
   * @returns {Promise<{ id: string, known: boolean, perMinute: number, perDay: number }>}
   */
  async find(authorization = '', address) {
    const anonymous = { id: `address:${address}`, known: false, perMinute: 1_000_000, perDay: 1_000_000 };
    if (!/^bearer [\w.~+/-]+=*$/i.test(authorization)) return anonymous;
    const hash = createHmac('sha256', process.env.API_KEY_PEPPER)
      .update(authorization.slice(7))
      .digest('base64url');
    let cached = this.#cached.get(hash);
    if (cached === undefined || Date.now() - cached.at >= CACHED_MS) {
      cached = { at: Date.now(), caller: await this.#read(hash) };
      this.#cached.set(hash, cached);
    }
    return cached.caller ?? anonymous;
  }

  async #read(hash) {
    const [row] = (await this.#query({ name: 'key', text: FIND_KEY, values: [hash] })).rows;
    return row && { id: row.id, known: true, perMinute: row.per_minute, perDay: row.per_day };
  }
}

/** The window that has the least left: of requests in a minute and in a day, each with milliseconds to its end. */
export function tightest({ perMinute, perDay }, [minute, minuteLeft, day, dayLeft]) {
  const ofMinute = { limit: perMinute, remaining: perMinute - minute, resetMs: minuteLeft };
  const ofDay = { limit: perDay, remaining: perDay - day, resetMs: dayLeft };
  return ofDay.remaining < ofMinute.remaining ? ofDay : ofMinute;
}

const STATUSES = ['available', 'pending', 'sold'];
const LIMIT = /^([1-9]\d?|100)$/;
const ID = /^[1-9]\d{0,17}$/;
const NAME = /^(?=[^]*\S)[^\x00-\x1f\x7f]{1,255}$/u;

/** A request that breaks a rule of the contract. */
export class BadRequest extends Error {}

/** The page that a query asks for. The cursor of the peers is the id of the last animal already seen. */
export function pageOf({ limit = '20', status, cursor, ...search }) {
  if (!LIMIT.test(limit)) throw new BadRequest('limit must be a whole number from 1 to 100');
  if (status !== undefined && !STATUSES.includes(status))
    throw new BadRequest('status must be one of the three');
  if (cursor !== undefined && !ID.test(cursor)) throw new BadRequest('cursor must come from this list');
  return { limit: Number(limit), status, cursor, ...search };
}

/** The animal that a body asks for. */
export function newPetOf(body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new BadRequest('an object is expected');
  const { name, categoryId, status = 'available' } = body;
  if (typeof name !== 'string' || !NAME.test(name)) throw new BadRequest('name must be 1 to 255 characters');
  if (!Number.isSafeInteger(categoryId) || categoryId < 1)
    throw new BadRequest('categoryId must be a whole number');
  if (!STATUSES.includes(status)) throw new BadRequest('status must be one of the three');
  return { name, categoryId, status };
}

/**
 * Link header field of a page; `undefined` for the only one.
 *
 * @param {{ limit: number, status?: string, cursor?: string }} page
 */
export function linkOf({ limit, status, cursor }, lastId, more) {
  const list = `/v1/pets?limit=${limit}${status === undefined ? '' : `&status=${status}`}`;
  const links = [];
  if (more) links.push(`<${list}&cursor=${lastId}>; rel="next"`);
  if (cursor !== undefined) links.push(`<${list}>; rel="first"`);
  return links.length === 0 ? undefined : links.join(', ');
}

const COLUMNS = 'id, name, category_id, status';
/** Where a list without a cursor begins. */
const NEWEST = '9223372036854775807';

/** The statement of a page, with one row more, which says whether there is another page. */
export function pageStatement({ limit, status, cursor = NEWEST, species, size, goodWith }) {
  if (species !== undefined) return searchStatement({ limit, cursor, species, size, goodWith });
  const text = `select ${COLUMNS} from pets where id < $1 order by id desc limit $2`;
  if (status === undefined) return { name: 'page', text, values: [cursor, limit + 1] };
  return {
    name: 'page-by-status',
    text: text.replace('where', 'where status = $3 and'),
    values: [cursor, limit + 1, status],
  };
}

/** The obvious statement of a search: the profile is `jsonb` with a GIN index. */
function searchStatement({ limit, cursor, species, size, goodWith }) {
  const text = `select ${COLUMNS} from pets join bench_profiles on pet_id = id
    where id < $1 and profile @> $3 and (profile->>'size') = any ($4) order by id desc limit $2`;
  const wanted = { species, goodWith: Object.fromEntries(goodWith.split(',').map((whom) => [whom, true])) };
  return { name: 'search', text, values: [cursor, limit + 1, JSON.stringify(wanted), size.split(',')] };
}

/** The statement of one animal; `undefined` for what is no id. */
export function findStatement(id) {
  const text = `select ${COLUMNS} from pets where id = $1`;
  return ID.test(id) ? { name: 'find', text, values: [id] } : undefined;
}

export function addStatement({ name, categoryId, status }) {
  const text = `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${COLUMNS}`;
  return { name: 'add', text, values: [name, categoryId, status] };
}

/** Animals in a pool of connections with prepared statements, as most servers have them. */
export class PooledPets {
  #pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

  constructor() {
    pg.types.setTypeParser(pg.types.builtins.INT8, Number);
    this.callers = new Callers((statement) => this.#pool.query(statement));
  }

  /** The animals of a page, and the Link header field. */
  async list(page) {
    const { rows } = await this.#pool.query(pageStatement(page));
    const pets = rows.slice(0, page.limit).map(toPet);
    return { pets, link: linkOf(page, pets.at(-1)?.id, rows.length > page.limit) };
  }

  async find(id) {
    const statement = findStatement(id);
    const [row] = statement === undefined ? [] : (await this.#pool.query(statement)).rows;
    return row && toPet(row);
  }

  async add(pet) {
    return toPet((await this.#pool.query(addStatement(pet))).rows[0]);
  }
}

const toPet = ({ id, name, category_id: categoryId, status }) => ({ id, name, categoryId, status });
