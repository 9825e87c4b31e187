import { createHmac } from 'node:crypto';

/** How long an answer of the database about a key is believed, in milliseconds. */
const BELIEVED_FOR = 5_000;

/** Limits of callers without an accepted key, by address. */
const ANONYMOUS = { perMinute: 1_000_000, perDay: 1_000_000 };

/** What the key table is asked, by every peer. */
export const FIND_KEY = 'select id, per_minute, per_day from bench_keys where hash = $1';

/**
 * @typedef {object} Caller
 * @property {string} id      what the limits are counted under
 * @property {boolean} known  whether the request carried a key that is accepted
 * @property {number} perMinute
 * @property {number} perDay
 */

/** Bearer keys, hashed, looked up in the database, and remembered for a few seconds. */
export class KeyCache {
  #find;
  #pepper;
  #remembered = new Map();

  /**
   * @param {(hash: string) => Promise<{ id: string, per_minute: number, per_day: number } | undefined>} find
   * @param {string} pepper
   */
  constructor(find, pepper) {
    this.#find = find;
    this.#pepper = pepper;
  }

  /**
   * Who sends a request; without a promise when it is remembered.
   *
   * @param {string | undefined} authorization
   * @param {string} address
   * @returns {Caller | Promise<Caller>}
   */
  caller(authorization, address) {
    if (authorization === undefined || !/^bearer [\w.~+/-]+=*$/i.test(authorization))
      return anonymous(address);
    const hash = createHmac('sha256', this.#pepper).update(authorization.slice(7)).digest('base64url');
    const known = this.#remembered.get(hash);
    if (known !== undefined && Date.now() - known.readAt < BELIEVED_FOR)
      return known.caller ?? anonymous(address);
    return this.#read(hash).then((caller) => caller ?? anonymous(address));
  }

  async #read(hash) {
    const readAt = Date.now();
    const row = await this.#find(hash);
    const caller = row && { id: row.id, known: true, perMinute: row.per_minute, perDay: row.per_day };
    this.#remembered.set(hash, { caller, readAt });
    return caller;
  }
}

function anonymous(address) {
  return { id: `address:${address}`, known: false, ...ANONYMOUS };
}
